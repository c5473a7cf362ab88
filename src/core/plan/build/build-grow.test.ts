import { describe, expect, test } from 'vitest';
import { parsePlan } from './parse.ts';

describe('a task that grows', () => {
  const found = (grow: string): readonly string[] =>
    parsePlan(`heddle: 1\nagent: claude\npools: { db: 1 }\ntasks:\n  m:\n    grow: ${grow}\n`, { file: 'grow.yaml' })
      .diagnostics.filter(({ severity }) => severity === 'error')
      .map(({ code, position }) => `${code} ${position.line}:${position.column}`);

  test('names only agents and pools that exist', () => {
    expect(found('{ prompt: x, max_tasks: 2, agents: [gpt], pools: [db, ci] }')).toEqual([
      'unknown-agent 6:46',
      'unknown-pool 6:65',
    ]);
  });

  test('has one writer and a limit', () => {
    expect(found('{ prompt: x }')).toEqual(['missing-key 6:11']);
    expect(found('{ max_tasks: 2 }')).toEqual(['missing-key 6:11']);
    expect(found('{ prompt: x, run: y, max_tasks: 2 }')).toEqual(['several-kinds 6:11']);
  });

  test('is warned about where nothing limits what its tasks spend', () => {
    const codes = (more: string): readonly string[] =>
      parsePlan(
        `heddle: 1\nagent: claude\nmerge: { check: x }\n${more}tasks: { m: { grow: { prompt: x, max_tasks: 2 } } }\n`,
        {
          file: 'grow.yaml',
        },
      ).diagnostics.map(({ code }) => code);
    expect(codes('')).toEqual(['growth-without-budget']);
    expect(codes('budget: { usd: 5 }\n')).toEqual([]);
  });

  test('reads only values that are there when it drafts', () => {
    expect(found('{ prompt: "{{ tasks.other.response }}", max_tasks: 2 }')).toEqual(['unknown-name 6:21']);
  });
});
