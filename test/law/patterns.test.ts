// A plan for each workflow pattern that the plan language can express: parsed, compiled, proved sound, run to its end.
//
// It cannot express recursion: a plan does not call itself. It can nest to a fixed depth and `for_each` in `for_each`.
// Nor patterns that need the arrival of a second thread at the same place, for a task runs once in a run.
import { describe, expect, test } from 'vitest';
import { given, type Run } from '../../src/core/engine/run.given.ts';
import { verify } from '../../src/core/verify/verify.ts';

interface Pattern {
  readonly name: string;
  readonly tasks: string;
  readonly plan?: string;
  readonly inputs?: Readonly<Record<string, number>>;
  readonly play: (run: Run) => void;
  /** Endings other than `done`. */
  readonly endings?: Readonly<Record<string, string>>;
}

const done = (run: Run, ...tasks: readonly string[]): void => tasks.forEach((task) => run.says(task, 'done'));
const score = 'inputs: { score: { type: number, default: 0 } }';
const object = 'output: { type: object }';

/** `expired` is a racer of its own, so that the change ends neither the reached milestone nor the tasks after it. */
const MILESTONE = [
  'reached: { run: x }',
  'passed: { needs: [reached], run: x }',
  'expired: { needs: [passed], join: { on_error: wait_for_all } }',
  'change: { needs: [reached], gate: Change the order? }',
  'closed: { needs: { race: [change, expired] }, join: { on_error: wait_for_all } }',
  'changed: { needs: [change], run: x }',
  'last: { needs: [passed], run: x }',
].join('\n');

const PATTERNS: readonly Pattern[] = [
  {
    name: 'sequence',
    tasks: 'a: { run: x }\nb: { needs: [a], run: x }',
    play: (run) => {
      expect(run.claims()).toEqual(['a#1']);
      done(run, 'a', 'b');
    },
  },
  {
    name: 'parallel split and synchronization',
    tasks: 'a: { run: x }\nb: { needs: [a], run: x }\nc: { needs: [a], run: x }\nd: { needs: [b, c], run: x }',
    play: (run) => {
      done(run, 'a');
      expect(run.claims()).toEqual(['b#1', 'c#1']);
      done(run, 'c', 'b', 'd');
    },
  },
  {
    name: 'exclusive choice and simple merge',
    tasks:
      'high: { when: inputs.score >= 5, run: x }\nlow: { when: "!(inputs.score >= 5)", run: x }\nafter: { needs: [high, low], run: x }',
    plan: score,
    inputs: { score: 7 },
    play: (run) => {
      expect(run.claims()).toEqual(['high#1']);
      done(run, 'high', 'after');
    },
    endings: { low: 'skipped (condition)' },
  },
  {
    name: 'multi-choice and structured synchronizing merge',
    tasks:
      'a: { when: inputs.score > 1, run: x }\nb: { when: inputs.score > 5, run: x }\nc: { when: inputs.score > 9, run: x }\nd: { needs: [a, b, c], run: x }',
    plan: score,
    inputs: { score: 7 },
    play: (run) => done(run, 'b', 'a', 'd'),
    endings: { c: 'skipped (condition)' },
  },
  {
    name: 'acyclic synchronizing merge: dead paths are heard of through tasks that never ran',
    tasks:
      'a: { when: inputs.score > 9, tasks: { p: { run: x }, q: { needs: [p], run: x } } }\nb: { run: x }\nd: { needs: [a.q, b], run: x }',
    plan: score,
    inputs: { score: 1 },
    play: (run) => done(run, 'b', 'd'),
    endings: { a: 'skipped (condition)', 'a.p': 'skipped (condition)', 'a.q': 'skipped (condition)' },
  },
  {
    name: 'implicit termination: the run ends when nothing is left to do',
    tasks: 'a: { run: x }\nb: { run: x }\nc: { needs: [a], run: x }',
    play: (run) => {
      done(run, 'a', 'c');
      expect(run.isEnded()).toBe(false);
      done(run, 'b');
    },
  },
  {
    name: 'multiple instances known at design time',
    tasks: 'e: { for_each: { in: [a, b, c], task: { run: x } } }\nz: { needs: [e], run: x }',
    play: (run) => done(run, 'e.b', 'e.a', 'e.c', 'z'),
  },
  {
    name: 'multiple instances known at run time',
    tasks: `a: { run: x, ${object} }\ne: { needs: [a], for_each: { in: tasks.a.output.files, max: 3, task: { run: x } } }\nz: { needs: [e], run: x }`,
    play: (run) => {
      run.says('a', { said: { output: { files: ['p', 'q'] } } });
      expect(run.claims()).toEqual(['e.1#1', 'e.2#1']);
      done(run, 'e.1', 'e.2', 'z');
    },
    endings: { 'e.3': 'skipped (no_item)' },
  },
  {
    name: 'deferred choice: the first of two events decides',
    tasks:
      'reply: { gate: Has the customer answered? }\ntimer: { run: sleep 3600 }\nchosen: { needs: { race: [reply, timer] }, run: x }\nyes: { needs: [chosen, reply], run: x }\nno: { needs: [chosen, timer], run: x }',
    play: (run) => {
      run.says('reply', 'approve');
      run.says('timer', 'stopped');
      done(run, 'chosen', 'yes');
    },
    endings: { timer: 'cancelled (race)', no: 'skipped (race)' },
  },
  {
    name: 'deferred choice in a subplan: the road not taken is skipped, and what comes after goes on',
    tasks:
      's:\n  tasks:\n    reply: { gate: Has the customer answered? }\n    timer: { run: sleep 3600 }\n    chosen: { needs: { race: [reply, timer] }, run: x }\n    yes: { needs: [chosen, reply], run: x }\n    no: { needs: [chosen, timer], run: x }\n    remind: { needs: [no], run: x }\n    after: { needs: [yes, no], run: x }\nlast: { needs: [s], run: x }',
    play: (run) => {
      run.says('s.reply', 'approve');
      run.says('s.timer', 'stopped');
      done(run, 's.chosen', 's.yes', 's.after', 'last');
    },
    endings: { 's.timer': 'cancelled (race)', 's.no': 'skipped (race)', 's.remind': 'skipped (race)' },
  },
  {
    name: 'cancel task',
    tasks: 'a: { run: x }\nb: { run: x }',
    play: (run) => {
      run.cancel('a');
      run.says('a', 'stopped');
      done(run, 'b');
    },
    endings: { a: 'cancelled (cancelled)' },
  },
  {
    name: 'cancel case: the whole run',
    tasks: 'a: { run: x }\nb: { needs: [a], run: x }',
    play: (run) => {
      run.cancel('a', 'b');
      run.says('a', 'stopped');
    },
    endings: { a: 'cancelled (cancelled)', b: 'cancelled (cancelled)' },
  },
  {
    name: 'cancel region: a subplan, and nothing beside it',
    tasks: 's: { tasks: { p: { run: x }, q: { needs: [p], run: x } } }\nb: { run: x }',
    play: (run) => {
      run.cancel('s');
      run.says('s.p', 'stopped');
      done(run, 'b');
    },
    endings: { s: 'cancelled (cancelled)', 's.p': 'cancelled (cancelled)', 's.q': 'cancelled (cancelled)' },
  },
  {
    name: 'cancel instances of a multiple instance task',
    tasks: 'e: { for_each: { in: [a, b], task: { run: x } } }\nb: { run: x }',
    play: (run) => {
      done(run, 'e.a');
      run.cancel('e');
      run.says('e.b', 'stopped');
      done(run, 'b');
    },
    endings: { e: 'cancelled (cancelled)', 'e.b': 'cancelled (cancelled)' },
  },
  {
    name: 'structured loop',
    tasks:
      'a: { repeat: { until: steps.verify.ok, max: 3 }, steps: [{ id: code, prompt: x }, { id: verify, run: x }] }',
    play: (run) => {
      done(run, 'a/code');
      run.says('a/verify', 'failed');
      done(run, 'a/code', 'a/verify');
      expect(run.trace()).toContain('task.repeated a round 1');
    },
  },
  {
    name: 'persistent trigger: an event that comes early is kept',
    tasks: 'signal: { gate: Has it arrived? }\na: { run: x }\nb: { needs: [a, signal], run: x }',
    play: (run) => {
      run.says('signal', 'approve');
      done(run, 'a');
      expect(run.claims()).toEqual(['b#1']);
      done(run, 'b');
    },
  },
  {
    name: 'cancelling discriminator: a race',
    tasks: 'a: { run: x }\nb: { run: x }\nc: { needs: { race: [a, b] }, run: x }',
    play: (run) => {
      done(run, 'b');
      run.says('a', 'stopped');
      done(run, 'c');
    },
    endings: { a: 'cancelled (race)' },
  },
  {
    name: 'critical section: a pool of one',
    tasks: 'a: { run: x, pools: [db] }\nb: { run: x, pools: [db] }',
    plan: 'pools: { db: 1 }',
    play: (run) => {
      expect(run.claims()).toEqual(['a#1']);
      done(run, 'a');
      expect(run.claims()).toEqual(['b#1']);
      done(run, 'b');
    },
  },
  {
    name: 'discriminator: the first goes on, the others are let be',
    tasks: 'a: { run: x }\nb: { run: x }\nc: { needs: { any: [a, b] }, run: x }',
    play: (run) => {
      done(run, 'b');
      expect(run.claims()).toEqual(['a#1', 'c#1']);
      done(run, 'c', 'a');
    },
  },
  {
    name: 'partial join: two of three',
    tasks: 'a: { run: x }\nb: { run: x }\nc: { run: x }\nd: { needs: { at_least: 2, of: [a, b, c] }, run: x }',
    play: (run) => {
      done(run, 'c', 'a');
      expect(run.claims()).toEqual(['b#1', 'd#1']);
      done(run, 'd', 'b');
    },
  },
  {
    name: 'cancelling partial join: two of three, and the third is ended',
    tasks:
      's: { tasks: { a: { run: x }, b: { run: x }, c: { run: x } } }\nenough: { needs: { at_least: 2, of: [s.a, s.b, s.c] }, run: x }\nd: { needs: { race: [enough, s] }, run: x }',
    play: (run) => {
      done(run, 's.c', 's.a', 'enough');
      run.says('s.b', 'stopped');
      done(run, 'd');
    },
    endings: { s: 'cancelled (race)', 's.b': 'cancelled (race)' },
  },
  {
    name: 'interleaved parallel routing: one at a time, in any order that the needs allow',
    tasks: 'a: { run: x, pools: [turn] }\nb: { needs: [a], run: x, pools: [turn] }\nc: { run: x, pools: [turn] }',
    plan: 'pools: { turn: 1 }',
    play: (run) => {
      while (!run.isEnded()) {
        expect(run.claims()).toHaveLength(1);
        done(run, run.claims()[0]?.split('#')[0] ?? '');
      }
    },
  },
  {
    name: 'interleaved routing: a subplan with a cap of one',
    tasks: 's: { max_parallel: 1, tasks: { a: { run: x }, b: { run: x } } }\nc: { run: x }',
    play: (run) => {
      expect(run.claims()).toEqual(['s.a#1', 'c#1']);
      done(run, 's.a', 's.b', 'c');
    },
  },
  {
    name: 'milestone: something may be done once a point is reached and until it has passed',
    tasks: MILESTONE,
    play: (run) => {
      expect(run.owed()).toEqual(['work reached#1']);
      done(run, 'reached');
      expect(run.owed()).toEqual(['work passed#1', 'ask change#1']);
      run.says('change', 'approve');
      expect(run.claims()).toEqual(['passed#1', 'changed#1']);
      done(run, 'changed', 'passed', 'last');
    },
    endings: { expired: 'cancelled (race)' },
  },
  {
    name: 'milestone: what was not done before the point has passed cannot be done',
    tasks: MILESTONE,
    play: (run) => {
      done(run, 'reached', 'passed');
      expect(run.owed()).toEqual(['work last#1']);
      done(run, 'last');
    },
    endings: { change: 'cancelled (race)', changed: 'skipped (race)' },
  },
  {
    name: 'nesting in place of recursion',
    tasks: 's: { tasks: { t: { tasks: { u: { for_each: { in: [1, 2], task: { run: x } } } } } } }',
    play: (run) => done(run, 's.t.u.1', 's.t.u.2'),
  },
];

describe('the plan language expresses', () => {
  test.each(PATTERNS)('$name', ({ tasks, plan, inputs, play, endings = {} }) => {
    const run = given(tasks, { plan: plan ?? '', inputs: inputs ?? {} });
    expect(verify(run.compiled.net)).toMatchObject({ verdict: { type: 'sound' } });
    play(run);
    const all = Object.fromEntries(Object.keys(run.endings()).map((task) => [task, 'done']));
    expect(run.endings()).toEqual({ ...all, ...endings });
    expect(run.isEnded()).toBe(true);
  });
});
