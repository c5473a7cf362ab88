import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../engine/event.ts';
import { amendIn } from '../../engine/amend.given.ts';
import { given, type Run } from '../../engine/run.given.ts';
import { followProgress, type Progress } from './progress.ts';

const followed = ({ compiled, log }: Run): readonly Progress[] => log.map(followProgress('given-1', compiled));

function lineOf(progress: Progress): string {
  const { type, task, step, attempt, from, to, group, reason } = progress;
  const name = [task, step].filter((part) => part !== undefined).join('/');
  const who = attempt === undefined ? name : `${name}#${attempt}`;
  const parts = [type, who, `${from ?? ''} → ${to ?? ''}`, group === undefined ? '' : `group ${group}`, reason ?? ''];
  return parts.filter((part) => part !== '').join(' ');
}

const linesOf = (run: Run): readonly string[] => followed(run).map(lineOf);

describe('the progress of a run', () => {
  test('of a subplan that is opened again by a retry inside it goes on from open', () => {
    const run = given('s:\n  tasks:\n    a: { run: x, attempts: 1 }');
    run.says('s.a', 'failed');
    run.retry('s.a');
    run.says('s.a', 'done');
    expect(linesOf(run).filter((line) => line.startsWith('task.ended s '))).toEqual([
      'task.ended s open → failed failed',
      'task.ended s open → done',
    ]);
  });

  test('gives the stages before and after each event', () => {
    const run = given('a: { prompt: x, check: t }\nb: { needs: [a], gate: Go? }', {
      tree: 'auto',
      plan: 'attempts: 2',
    });
    run.says('a', 'crashed');
    run.waits(10_000);
    run.says('a', 'done', 'failed', 'done', 'passed', 'outrun', 'merged');
    run.says('b', 'reject');
    expect(linesOf(run)).toMatchInlineSnapshot(`
      [
        "run.started new → going",
        "task.opened a waiting → ready",
        "claim.made a/main#1 ready → working group 1",
        "claim.returned a/main#1 working → ready group 1 crashed",
        "claim.made a/main#2 ready → working group 2",
        "claim.ended a/main#2 working → done group 2",
        "claim.made a#1 ready → checking group 3",
        "claim.ended a#1 checking → ready group 3 check",
        "claim.made a/main#3 ready → working group 4",
        "claim.ended a/main#3 working → done group 4",
        "claim.made a#2 ready → checking group 5",
        "claim.ended a#2 checking → queued group 5",
        "claim.made a#1 queued → merging group 6",
        "claim.returned a#1 merging → queued group 6 outrun",
        "claim.made a#2 queued → merging group 7",
        "claim.ended a#2 merging → ready group 7",
        "task.ended a ready → done",
        "task.opened b waiting → asking",
        "task.ended b asking → failed rejected",
        "run.ended going → ended",
      ]
    `);
  });

  test('puts claims that overlap in a chain into one group, and the next into another', () => {
    const run = given('a: { run: x }\nb: { run: x }\nc: { needs: [a], run: x }\nd: { needs: [b, c], run: x }');
    run.says('a', 'done');
    run.says('b', 'done');
    run.says('c', 'done');
    run.says('d', 'done');
    const groups = followed(run).flatMap(({ type, task, group }) => (type === 'claim.made' ? [[task, group]] : []));
    expect(groups).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['d', 2],
    ]);
  });

  test('has reservation, cost, reason and end of the backoff', () => {
    const run = given('a: { prompt: x }', {
      plan: 'pools: { p: 1 }\nagents: { ai: { use: scripted, pool: p, reserve: { usd: 1 } } }\nagent: ai',
    });
    run.waits(300);
    run.says('a', { limitedUntil: 20_000 });
    const [claimed, returned, closed] = followed(run).slice(2);
    expect(claimed).toMatchObject({ run: 'given-1', task: 'a', step: 'main', reserve: { usd: 1 } });
    expect(returned).toMatchObject({
      ms: 300,
      reason: 'quota',
      until: 20_000,
      pool: 'p',
      spend: { usd: 0, tokens: 0 },
    });
    expect(closed).toMatchObject({ type: 'pool.closed', pool: 'p', from: 'open', to: 'closed', group: undefined });
  });

  test('lets reset tasks wait again, and opens the subplan around them', () => {
    const { compiled } = given('s:\n  tasks:\n    p: { run: x }');
    const follow = followProgress('given-1', compiled);
    const failed = { ending: 'failed', reason: 'failed', cause: undefined, result: undefined } as const;
    const events: readonly RunEvent[] = [
      { type: 'task.opened', at: 0, task: 's' },
      { type: 'task.opened', at: 0, task: 's.p' },
      { type: 'task.ended', at: 1, task: 's.p', ...failed },
      { type: 'task.ended', at: 1, task: 's', ...failed },
      { type: 'run.ended', at: 1 },
      { type: 'task.reset', at: 2, tasks: ['s.p'] },
      { type: 'task.opened', at: 2, task: 's.p' },
      { type: 'task.ended', at: 3, task: 's', ...failed },
    ];
    expect(events.map(follow).slice(-3).map(lineOf)).toEqual([
      'task.reset ended → going',
      'task.opened s.p waiting → ready',
      'task.ended s open → failed failed',
    ]);
  });

  test('follows cancelling to the end of everything', () => {
    const run = given('s:\n  tasks:\n    p: { run: x }\n    q: { needs: [p], run: x }\nt: { needs: [s], run: x }');
    run.cancel('s');
    run.says('s.p', 'stopped');
    expect(linesOf(run)).toMatchInlineSnapshot(`
      [
        "run.started new → going",
        "task.opened s waiting → open",
        "task.opened s.p waiting → ready",
        "claim.made s.p/main#1 ready → working group 1",
        "claim.cancelling s.p/main#1 working → working group 1 cancelled",
        "task.cancelling s.q waiting → waiting cancelled",
        "claim.ended s.p/main#1 working → cancelled group 1 cancelled",
        "task.ended s.p ready → cancelled cancelled",
        "task.skipped s.q waiting → cancelled cancelled",
        "task.ended s open → cancelled cancelled",
        "task.skipped t waiting → cancelled need",
        "run.ended going → ended",
      ]
    `);
  });
});

describe('the progress of a run whose plan changes', () => {
  test('keeps the stages of kept tasks, and resets the others', () => {
    const run = given('s:\n  tasks:\n    a: { run: x }\nb: { run: x, attempts: 1 }');
    run.says('s.a', 'done');
    run.says('b', 'failed');
    amendIn(run, 's:\n  tasks:\n    a: { run: x }\n    g: { gate: Go? }\nb: { run: y, attempts: 1 }');
    run.says('s.g', 'approve');
    const lines = linesOf(run);
    expect(lines.slice(lines.findIndex((line) => line.startsWith('plan.amended')))).toEqual([
      'plan.amended ended → going',
      'task.opened s.g waiting → asking',
      'task.opened b waiting → ready',
      'claim.made b/main#2 ready → working group 2',
      'task.ended s.g asking → done',
      'task.ended s open → done',
    ]);
    expect(followed(run).find(({ type }) => type === 'plan.amended')?.amended).toEqual({
      restarted: ['b'],
      added: ['s.g'],
      cancelled: [],
    });
  });
});
