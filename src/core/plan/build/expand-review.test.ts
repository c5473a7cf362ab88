import { describe, expect, test } from 'vitest';
import { printPlan } from '../print/print.ts';
import type { PromptStep, Step, WorkTask } from '../plan.ts';
import { parsePlan } from './parse.ts';

const HEAD = `heddle: 1
agents: { cheap: codex, strong: { use: claude, pool: big, reserve: { usd: 3 } }, critic: { use: gemini, pool: big } }
pools: { big: 1 }
merge: { check: make }
`;

function workOf(task: string): WorkTask {
  const { plan, diagnostics } = parsePlan(`${HEAD}tasks:\n  a: ${task}\n`, { file: 'plan.yaml' });
  const [first] = plan?.tasks ?? [];
  if (plan === undefined || first?.type !== 'work') throw new Error(JSON.stringify(diagnostics));
  const again = parsePlan(printPlan(plan), { file: 'other.yaml' });
  expect(again.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(again.plan?.tasks).toEqual(plan.tasks);
  return first;
}

const saidOf = (task: string): readonly string[] =>
  parsePlan(`${HEAD}tasks:\n  a: ${task}\n`, { file: 'plan.yaml' }).diagnostics.map(
    ({ code, path, message }) => `${code} ${path.join('.')}: ${message}`,
  );

function promptOf(step: Step | undefined): PromptStep {
  if (step?.type !== 'prompt') throw new Error('It has no prompt.');
  return step;
}

describe('a review', () => {
  test('is a read-only step of another agent after the work, and a loop that tells its findings', () => {
    const task = workOf(
      '{ prompt: "Write it.\\nWell.", review: { agent: critic, rounds: 3, blocks: [high, medium] } }',
    );
    const [main, review] = task.steps.map(promptOf);
    expect(task.steps.map(({ id }) => id)).toEqual(['main', 'review']);
    expect(main).toMatchObject({ agent: 'cheap', prompt: 'Write it.\nWell.', isReadOnly: undefined });
    expect(review).toMatchObject({ agent: 'critic', isReadOnly: true, resume: 'fresh' });
    expect(review?.pools).toEqual([{ pool: 'big', tokens: 1 }]);
    expect(review?.prompt).toContain('> Write it.\n> Well.');
    expect(task.repeat).toMatchObject({
      until: '!steps.review.output.findings.exists(finding, finding.severity in ["high", "medium"])',
      roundsMax: 3,
    });
    expect(task.repeat?.feedback).toContain('steps.review.output.findings');
  });

  test('has two rounds, and only high findings block, by default', () => {
    const task = workOf('{ prompt: x, review: { agent: critic } }');
    expect(task.repeat?.roundsMax).toBe(2);
    expect(task.repeat?.until).toContain('in ["high"]');
  });

  test('leaves the result of the task to the work', () => {
    const output = '{ type: object, required: [a] }';
    expect(workOf(`{ prompt: x, output: ${output}, review: { agent: critic } }`)).toMatchObject({
      output: { required: ['a'] },
      steps: [{ output: { required: ['a'] } }, { output: { required: ['summary', 'findings'] } }],
    });
    expect(workOf('{ prompt: x, review: { agent: critic } }').output).toBeUndefined();
  });

  test('comes after the steps of a task, under a name that is free', () => {
    const task = workOf('{ steps: [{ id: review, prompt: x }, { id: test, run: y }], review: { agent: critic } }');
    expect(task.steps.map(({ id }) => id)).toEqual(['review', 'test', 'review_2']);
    expect(task.repeat?.until).toContain('steps.review_2.output');
  });

  test('quotes the prompt, and keeps templates that go on over lines whole', () => {
    const text =
      '{ prompt: "A\\n{{ inputs.a\\n| upcase }}", review: { agent: critic, prompt: "Look at {{ inputs.a }}." } }';
    const { plan } = parsePlan(`${HEAD}inputs: { a: b }\ntasks:\n  a: ${text}\n`, { file: 'plan.yaml' });
    const [task] = plan?.tasks ?? [];
    const { prompt } = promptOf(task?.type === 'work' ? task.steps[1] : undefined);
    expect(prompt).toContain('> A\n> {{ inputs.a\n| upcase }}');
    expect(prompt).toContain('\n\nLook at {{ inputs.a }}.\n\n');
  });

  test.each([
    ['{ prompt: x, review: { agent: critik } }', 'unknown-agent tasks.a.review.agent: There is no agent `critik`.'],
    ['{ prompt: x, review: {} }', 'missing-key tasks.a.review: Review must have the key agent.'],
    [
      '{ prompt: x, review: { agent: critic, rounds: 11 } }',
      'out-of-range tasks.a.review.rounds: rounds must be between 1 and 10, got 11.',
    ],
    [
      '{ prompt: x, review: { agent: critic, blocks: [hight] } }',
      'invalid-value tasks.a.review.blocks.0: blocks[0] must be one of low, medium, high, got the text "hight".',
    ],
    [
      '{ prompt: x, review: { agent: critic, blocks: [] } }',
      'out-of-range tasks.a.review.blocks: blocks must have at least 1 item.',
    ],
    [
      '{ run: x, review: { agent: critic } }',
      'misplaced-key tasks.a.review: The key review has no meaning on a task with a command.',
    ],
    [
      '{ steps: [{ run: x }], review: { agent: critic } }',
      'no-agent-turn tasks.a.review: `a` has no agent turn that a review or feedback could go back to.',
    ],
    [
      '{ prompt: x, repeat: { until: "true", max: 2 }, review: { agent: critic } }',
      'misplaced-key tasks.a.repeat: The key repeat has no meaning on a task with review, which is a loop of its own.',
    ],
    [
      '{ prompt: "{{ inputs.nothing }}", review: { agent: critic } }',
      'unknown-name tasks.a.prompt: `inputs.nothing` is read, and `nothing` is no input.',
    ],
  ])('is refused where it cannot be: %s', (task, said) => {
    expect(saidOf(task)[0]).toBe(said);
  });
});

describe('agents of one attempt after the other', () => {
  test('are the agent of the step and those after it, with their pools and reservations', () => {
    const step = promptOf(workOf('{ prompt: x, escalate: [cheap, strong] }').steps[0]);
    expect(step).toMatchObject({ agent: 'cheap', escalation: ['cheap', 'strong'] });
    expect(step.fallbacks).toEqual([
      {
        agent: 'strong',
        pools: [{ pool: 'big', tokens: 1 }],
        reserve: { usd: 3, tokens: 100_000 },
        isOnlyEscalation: true,
      },
    ]);
  });

  test('fall back only where the plan says so', () => {
    const step = promptOf(workOf('{ prompt: x, agent: [cheap, critic], escalate: [cheap, strong] }').steps[0]);
    expect(step.fallbacks.map(({ agent, isOnlyEscalation }) => [agent, isOnlyEscalation])).toEqual([
      ['critic', undefined],
      ['strong', true],
    ]);
    const other = promptOf(workOf('{ prompt: x, escalate: [critic, strong] }').steps[0]);
    expect(other).toMatchObject({ agent: 'critic', fallbacks: [{ agent: 'strong' }] });
  });

  test('of a task have the prompts without an agent of their own, and not the reviewer', () => {
    const steps =
      '[{ prompt: x }, { prompt: y, agent: strong }, { prompt: z, escalate: [strong, critic] }, { run: x }]';
    const task = workOf(`{ escalate: [cheap, strong], steps: ${steps}, review: { agent: critic } }`);
    expect(task.steps.map((step) => (step.type === 'prompt' ? step.escalation : 'none'))).toEqual([
      ['cheap', 'strong'],
      undefined,
      ['strong', 'critic'],
      'none',
      undefined,
    ]);
  });

  test.each([
    ['{ prompt: x, escalate: [cheap] }', 'out-of-range tasks.a.escalate: escalate must have at least 2 items.'],
    ['{ prompt: x, escalate: [cheap, stronk] }', 'unknown-agent tasks.a.escalate.1: There is no agent `stronk`.'],
    [
      '{ escalate: [cheap, stronk], steps: [{ prompt: x }, { prompt: y }] }',
      'unknown-agent tasks.a.escalate.1: There is no agent `stronk`.',
    ],
    [
      '{ prompt: x, escalate: [cheap, strong, cheap] }',
      'invalid-value tasks.a.escalate: escalate names an agent twice.',
    ],
    [
      '{ prompt: x, agent: critic, escalate: [cheap, strong] }',
      'invalid-value tasks.a.escalate: escalate begins with `cheap`, and agent with `critic`.',
    ],
    [
      '{ run: x, escalate: [cheap, strong] }',
      'misplaced-key tasks.a.escalate: The key escalate has no meaning on a task with a command.',
    ],
    [
      '{ steps: [{ run: x }], escalate: [cheap, strong] }',
      'no-agent-turn tasks.a.escalate: `a` has no step with a prompt for the agents of escalate.',
    ],
    [
      '{ prompt: x, attempts: 1, escalate: [cheap, strong] }',
      'escalation-unreached tasks.a.escalate: Step `main` of `a` has one attempt, so `strong` may never have its turn.',
    ],
  ])('are refused where they cannot be: %s', (task, said) => {
    expect(saidOf(task)).toEqual([said]);
  });
});
