import { describe, expect, test } from 'vitest';
import { compile } from '../compile/compile.ts';
import { handle } from './commands/handle.ts';
import { notesIn } from './commands/reply.given.ts';
import { fold } from './apply/fold.ts';
import { given, type Run } from './run.given.ts';
import { snapshot } from './state.ts';
import { amendIn, amendTo, type ChangedOptions } from './amend.given.ts';
import { amendmentOf } from './amendment.ts';
import { planChanges, taskChanges } from './plan-changes.ts';

const answer = (run: Run, tasks: string, options: ChangedOptions = {}): string =>
  notesIn(handle(run.state(), amendTo(run, tasks, options)).reply);

const folded = (run: Run): unknown => snapshot(fold(run.log));

const count = (run: Run, pool: string): number => {
  const { compiled: net, play } = run.state();
  return play.marking.counts[net.pools.get(pool)?.place ?? -1] ?? NaN;
};

describe('tasks that a changed plan keeps', () => {
  test('a running task continues under the changed plan, and an added task follows it', () => {
    const run = given('a: { run: x }');
    amendIn(run, 'a: { run: x }\nb: { needs: a, run: y }');
    expect(run.claims()).toEqual(['a#1']);
    run.says('a', 'done');
    expect(run.claims()).toEqual(['b#1']);
    run.says('b', 'done');
    expect(run.endings()).toEqual({ a: 'done', b: 'done' });
    expect(run.isEnded()).toBe(true);
  });

  test('changed settings of a task apply at once and restart nothing', () => {
    const run = given('a: { prompt: x }\nb: { needs: a, run: y }');
    amendIn(run, 'a: { prompt: x, timeout: 5s, description: Better., estimate: 1h }\nb: { needs: a, run: y }');
    expect(run.claims()).toEqual(['a#1']);
    expect(run.state().compiled.tasks[0]?.task.settings.timeoutMs).toBe(5000);
  });

  test('the fold of an amended log is the state', () => {
    const run = given('a: { run: x }\nb: { run: y }\nc: { needs: [a, b], run: z }');
    run.says('a', 'done');
    amendIn(run, 'a: { run: x }\nb: { run: y2 }\nc: { needs: [a, b], run: z }\nd: { needs: a, run: w }');
    run.says('b', 'stopped');
    expect(folded(run)).toEqual(snapshot(run.state()));
    expect(run.claims()).toEqual(['b#2', 'd#1']);
  });

  test('a kept question can still be answered', () => {
    const run = given('g: { gate: May it go on? }\na: { needs: g, run: x }');
    amendIn(run, 'z: { run: first }\ng: { gate: May it go on? }\na: { needs: g, run: x }');
    run.says('g', 'approve');
    expect(run.claims()).toEqual(['z#1', 'a#1']);
  });
});

describe('tasks that a changed plan restarts', () => {
  test('a failed task with a changed command runs again, and so do the tasks that it blocked', () => {
    const run = given('a: { run: x, attempts: 1 }\nb: { needs: a, run: y }');
    run.says('a', 'failed');
    expect(run.isEnded()).toBe(true);
    amendIn(run, 'a: { run: fixed, attempts: 1 }\nb: { needs: a, run: y }');
    expect(run.claims()).toEqual(['a#2']);
    run.says('a', 'done');
    run.says('b', 'done');
    expect(run.endings()).toEqual({ a: 'done', b: 'done' });
  });

  test('work on the old identity is stopped first, and nothing of it begins meanwhile', () => {
    const run = given('a: { run: x }\nb: { run: y }');
    expect(amendIn(run, 'a: { run: x2 }\nb: { run: y }')).toEqual(['plan.amending', 'claim.preempting a #1']);
    expect(run.owed()).toEqual(['stop a#1', 'work b#1']);
    expect(run.says('a', 'stopped')).toEqual([
      'claim.returned a (cancelled) uncounted',
      'plan.amended',
      'task.opened a',
      'claim.made a #2',
    ]);
    expect(run.claims()).toEqual(['b#1', 'a#2']);
  });

  test('work that succeeds before it is stopped does not count for the new identity', () => {
    const run = given('a: { run: x }\nb: { needs: a, run: y }');
    amendIn(run, 'a: { run: x2 }\nb: { needs: a, run: y }');
    run.says('a', 'done');
    expect(run.claims()).toEqual(['a#2']);
    run.says('a', 'done');
    expect(run.claims()).toEqual(['b#1']);
  });

  test('a running task that continued from a restarted task restarts too', () => {
    const run = given('j: { join: { on_error: wait_for_all }, needs: a }\na: { run: x }\nb: { needs: j, run: y }');
    run.says('a', 'done');
    expect(run.claims()).toEqual(['b#1']);
    expect(answer(run, 'j: { join: { on_error: fail_fast }, needs: a }\na: { run: x }\nb: { needs: j, run: y }')).toBe(
      'plan.amended ["j","b"] [] [] 1',
    );
  });

  test('an ended subplan opens again for a task that was added to it', () => {
    const run = given('s:\n  tasks:\n    a: { run: x }\n');
    run.says('s.a', 'done');
    expect(run.isEnded()).toBe(true);
    amendIn(run, 's:\n  tasks:\n    a: { run: x }\n    b: { needs: a, run: y }\n');
    expect(run.claims()).toEqual(['s.b#1']);
    run.says('s.b', 'done');
    expect(run.endings()).toEqual({ s: 'done', 's.a': 'done', 's.b': 'done' });
    expect(run.isEnded()).toBe(true);
  });

  test('tasks cancelled by fail_fast in a subplan run again when the subplan does', () => {
    const tasks = (command: string): string =>
      `s: { tasks: { p: { run: ${command}, attempts: 1 } } }\nb: { run: y }\nc: { needs: [s, b], run: z }`;
    const run = given(tasks('x'), { plan: 'failure_mode: fail_fast' });
    run.says('s.p', 'failed');
    run.says('b', 'stopped');
    expect(run.endings()).toMatchObject({
      s: 'failed (failed)',
      b: 'cancelled (fail_fast)',
      c: 'cancelled (fail_fast)',
    });
    amendIn(run, tasks('x2'), { plan: 'failure_mode: fail_fast' });
    expect(run.claims()).toEqual(['s.p#2', 'b#2']);
  });

  test('tasks still being cancelled because of a task run again when that task does', () => {
    const tasks = (command: string): string => `a: { run: ${command}, attempts: 1 }\nb: { run: y }`;
    const run = given(tasks('x'), { plan: 'failure_mode: fail_fast' });
    run.says('a', 'failed');
    amendIn(run, tasks('x2'), { plan: 'failure_mode: fail_fast' });
    expect(run.says('b', 'stopped')).toContain('plan.amended');
    expect(run.claims()).toEqual(['a#2', 'b#2']);
  });

  test('a gate does not ask while the work before it is being stopped to run again', () => {
    const tasks = (command: string): string =>
      [
        `a: { run: ${command}, attempts: 1 }`,
        `b: { run: y${command} }`,
        `c: { run: z${command} }`,
        'j: { needs: [a, b], join: { on_error: wait_for_all } }',
        'g: { needs: [j], gate: Go? }',
      ].join('\n');
    const run = given(tasks('x'));
    run.says('a', 'failed');
    amendIn(run, tasks('x2'));
    expect(run.says('b', 'done')).toEqual(['claim.ended b done', 'task.ended b done']);
    run.says('c', 'stopped');
    expect(run.claims()).toEqual(['a#2', 'b#2', 'c#2']);
    expect(run.log.some((event) => event.type === 'task.opened' && event.task === 'g')).toBe(false);
  });

  test('a removed task that a later plan adds again continues its numbers', () => {
    const run = given('a: { run: x }\nb: { run: y }');
    amendIn(run, 'b: { run: y }');
    run.says('a', 'stopped');
    expect(run.endings()).toEqual({ b: 'not ended' });
    amendIn(run, 'a: { run: x }\nb: { run: y }');
    expect(run.claims()).toEqual(['b#1', 'a#2']);
  });

  test('a task that a person cancelled stays cancelled when it restarts only because of another task', () => {
    const run = given('a: { run: x, attempts: 1 }\nb: { needs: a, run: y }\nc: { run: z }');
    run.cancel('b');
    run.says('a', 'failed');
    amendIn(run, 'a: { run: x2 }\nb: { needs: a, run: y }\nc: { run: z }');
    run.says('a', 'done');
    expect(run.endings()).toMatchObject({ b: 'cancelled (cancelled)' });
  });
});

describe('changes that are refused', () => {
  test('done work is not orphaned by another identity or by leaving the task out', () => {
    const run = given('a: { run: x }\nb: { needs: a, run: y }');
    run.says('a', 'done');
    expect(answer(run, 'b: { run: y }')).toBe('amend.done.removed a');
    expect(answer(run, 'a: { run: x2 }\nb: { needs: a, run: y }')).toBe('amend.done.redefined a ["command"]');
    expect(amendIn(run, 'b: { run: y }')).toEqual([]);
  });

  test('done work on top of a task that would restart is not orphaned', () => {
    const run = given('g: { gate: Go on? }\na: { needs: g, run: x }');
    run.says('g', 'approve');
    run.says('a', 'done');
    expect(answer(run, 'g: { gate: Really? }\na: { needs: g, run: x }')).toBe('amend.done.used a g');
  });

  test('settings that are fixed at the start of a run cannot be changed', () => {
    const run = given('a: { run: x }');
    expect(answer(run, 'a: { run: x }', { plan: 'base: other' })).toBe('amend.base HEAD other');
    expect(answer(run, 'a: { run: x }', { tree: 'auto' })).toBe('amend.tree none');
    expect(answer(run, 'a: { run: x }', { plan: 'inputs: { name: x }' })).toBe('amend.inputs ["name"]');
  });

  test('a running merge is waited for', () => {
    const run = given('a: { run: x }', { tree: 'auto' });
    run.says('a', 'done');
    expect(run.claims()).toEqual(['a merge#1']);
    expect(answer(run, 'a: { run: x2 }', { tree: 'auto' })).toBe('amend.merging a');
  });

  test('an amendment is refused with the difference when the run has progressed since the changes were shown', () => {
    const run = given('a: { run: x }\nb: { needs: a, run: y }');
    const command = amendTo(run, 'a: { run: x }\nb: { needs: a, run: y2 }');
    run.says('a', 'done');
    expect(notesIn(handle(run.state(), command).reply)).toBe(
      'amend.outdated {"restarted":[],"added":[],"cancelled":[]} {"restarted":["b"],"added":[],"cancelled":[]}',
    );
    expect(run.hears(command)).toEqual([]);
  });

  test('one amendment is made at a time', () => {
    const run = given('a: { run: x }');
    amendIn(run, 'a: { run: x2 }');
    expect(answer(run, 'a: { run: x3 }')).toBe('amend.pending');
  });
});

describe('pools, caps and budgets', () => {
  test('a pool that is now smaller than its tokens in use drains before anything else is claimed from it', () => {
    const tasks = 'a: { run: x, pools: [ci] }\nb: { run: y, pools: [ci] }\nc: { run: z, pools: [ci] }';
    const run = given(tasks, { plan: 'pools: { ci: 2 }' });
    expect(run.claims()).toEqual(['a#1', 'b#1']);
    amendIn(run, tasks, { plan: 'pools: { ci: 1 }' });
    expect(count(run, 'ci')).toBe(-1);
    run.says('a', 'done');
    expect(run.claims()).toEqual(['b#1']);
    run.says('b', 'done');
    expect(run.claims()).toEqual(['c#1']);
    run.says('c', 'done');
    expect(count(run, 'ci')).toBe(1);
    expect(run.isEnded()).toBe(true);
  });

  test('a larger cap lets more tasks begin at once', () => {
    const run = given('a: { run: x }\nb: { run: y }', { plan: 'max_parallel: 1' });
    expect(run.claims()).toEqual(['a#1']);
    amendIn(run, 'a: { run: x }\nb: { run: y }', { plan: 'max_parallel: 2' });
    expect(run.claims()).toEqual(['a#1', 'b#1']);
  });

  test('spending is kept, also of a removed task', () => {
    const run = given('a: { prompt: x }\nb: { prompt: y }', { plan: 'budget: { usd: 5 }' });
    run.says('a', { said: { ok: false }, spend: { usd: 3, tokens: 0 } });
    amendIn(run, 'b: { prompt: y }', { plan: 'budget: { usd: 5 }' });
    expect(run.spent().usd).toBe(3);
  });

  test('an excluded agent gets the step again when the changed plan names no other agent', () => {
    const plan = 'agents: { one: { use: scripted }, two: { use: scripted } }';
    const run = given('a: { agent: [one, two], prompt: x, attempts: 1 }', { plan });
    const about = { task: 'a', step: 'main', spend: { usd: 0, tokens: 0 }, result: undefined };
    run.hears({ type: 'failed', work: 'step', ...about, attempt: 1, reason: 'authentication', isFinal: true });
    run.hears({ type: 'failed', work: 'step', ...about, attempt: 2, reason: 'overloaded', isFinal: false });
    expect(run.claims()).toEqual([]);
    amendIn(run, 'a: { agent: one, prompt: x, attempts: 1 }', { plan });
    expect(run.claims()).toEqual(['a#3']);
    run.says('a', 'done');
    expect(run.endings()).toEqual({ a: 'done' });
  });

  test('a step restarts when its running agent is not among the agents of the changed plan', () => {
    const plan = 'agents: { ai: { use: scripted }, other: { use: scripted } }\nagent: ai';
    const run = given('a: { prompt: x }', { plan });
    amendIn(run, 'a: { prompt: x, agent: other }', { plan });
    run.says('a', 'stopped');
    expect(run.claims()).toEqual(['a#2']);
    expect([...run.state().claims.values()].map(({ agent }) => agent)).toEqual(['other']);
  });
});

describe('the changes that a person confirms', () => {
  const shown = (run: Run, tasks: string, options: ChangedOptions = {}) => {
    const amendment = amendmentOf(run.state(), compile(amendTo(run, tasks, options).plan));
    const lines = taskChanges(run.state(), amendment).map(
      ({ does, task, because, standing }) =>
        `${does} ${task}: ${[because, standing].flatMap((part) => Object.values(part ?? {})).join(' ')}`,
    );
    return [
      ...lines,
      ...planChanges(run.state(), amendment).map(
        ({ part, before, after, note }) => `${part}: ${before} → ${after} ${Object.values(note ?? {}).join(' ')}`,
      ),
    ];
  };

  test('each task has its verb, its state and the reason', () => {
    const run = given(
      `done: { run: x }
work: { run: x }
other: { needs: done, run: x }
fails: { run: x }
later: { needs: work, run: x }
gone: { run: x }`,
      { plan: 'attempts: 1' },
    );
    run.says('done', 'done');
    run.says('fails', 'failed');
    expect(
      shown(
        run,
        `done: { run: x }
work: { run: x }
other: { needs: done, run: y }
fails: { run: y }
later: { needs: work, run: y }
more: { needs: [done, work, other, fails], run: x }
first: { run: x }`,
        { plan: 'attempts: 1' },
      ),
    ).toEqual([
      'keep done: ended done ',
      'keep work: running',
      'restart other: redefined command running',
      'restart fails: redefined command ended failed failed',
      'keep later: redefined command not begun',
      'add more: added done,work,other,fails',
      'add first: added ',
      'cancel gone: removed running',
    ]);
  });

  test('settings of a kept task are named, but not those that it takes from the plan, nor those of a done one', () => {
    const run = given('a: { run: x }\nb: { prompt: x }\nc: { needs: b, run: x }', {
      plan: 'attempts: 2\npools: { p: 1 }',
    });
    run.says('a', 'done');
    expect(
      shown(
        run,
        'a: { run: x, timeout: 5m }\nb: { prompt: x, timeout: 5m, pools: p }\nc: { needs: b, run: x, budget: { usd: 1 } }',
        { plan: 'attempts: 3\npools: { p: 1 }' },
      ),
    ).toEqual([
      'keep a: ended done ',
      'keep b: settings timeout,pools running',
      'keep c: settings budget not begun',
      'attempts: 2 → 3 ',
    ]);
  });

  test('each setting of the plan that changes is named, and no token of an address is shown', () => {
    const run = given('a: { run: x }');
    const plan = [
      'target: other',
      'merge: { auto: auto }',
      'permissions: { allow: [Bash] }',
      'notify: { command: tell, webhook: "https://hooks.example/t0ken" }',
      'telemetry: https://evil.example',
    ].join('\n');
    expect(shown(run, 'a: { run: x }', { plan }).slice(1)).toEqual([
      'target: none → other ',
      'merge.auto: confirm → auto ',
      'permissions: allow, timeout 1d → deny, timeout 1d, allow Bash ',
      'notify: none → webhook https://hooks.example/…, command tell ',
      'telemetry: none → https://evil.example ',
    ]);
  });

  test('a reopened subplan, and a subplan that restarts with all its tasks', () => {
    const run = given('s:\n  tasks:\n    a: { run: x }\nt:\n  tasks:\n    b: { gate: Go? }\n');
    run.says('s.a', 'done');
    expect(
      shown(
        run,
        's:\n  tasks:\n    a: { run: x }\n    more: { needs: a, run: x }\nt:\n  when: inputs.yes\n  tasks:\n    b: { gate: Go? }\n',
        { plan: 'inputs: { yes: { type: boolean, default: true } }' },
      ),
    ).toEqual([
      'keep s: reopened ended done ',
      'keep s.a: ended done ',
      'add s.more: added s.a',
      'restart t: redefined condition begun',
      'restart t.b: around t begun',
    ]);
  });

  test('settings of the whole plan are shown before and after, with their consequences', () => {
    const tasks = 'a: { prompt: x, pools: [ci] }\nb: { run: y, pools: [ci] }';
    const run = given(tasks, { plan: 'max_parallel: 4\npools: { ci: 2 }' });
    run.says('a', { said: { ok: false }, spend: { usd: 3, tokens: 5 } });
    const agents = 'agents: { ai: { use: scripted, model: large }, more: { use: scripted } }\nagent: ai';
    expect(
      shown(run, tasks, { plan: `max_parallel: 2\npools: { ci: 1, gpu: 1 }\nbudget: { usd: 2 }\n${agents}` }),
    ).toEqual([
      'keep a: begun',
      'keep b: running',
      'max_parallel: 4 → 2 ',
      'pools.ci: 2 → 1 ',
      'pools.gpu: none → 1 ',
      'budget.usd: none → 2 spent 3',
      expect.stringContaining('agents.ai: {'),
      expect.stringContaining('agents.more: none → {'),
    ]);
  });
});

describe('labels of hosts', () => {
  test('may change under a task that runs, which is not restarted', () => {
    const run = given('a: { run: x, on: [gpu] }\nb: { run: y }', { tree: 'auto' });
    amendIn(run, 'a: { run: x, on: [cpu] }\nb: { run: y, on: [cpu] }', { tree: 'auto' });
    expect(run.claims()).toEqual(['a#1', 'b#1']);
    expect(run.trace().filter((line) => line.startsWith('claim.'))).toEqual(['claim.made a #1', 'claim.made b #1']);
  });
});
