import { array, assert, boolean, constantFrom, nat, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexNeeds } from './needs-index.ts';
import { planOfText } from './plan-of.given.ts';
import { contains } from './plan-index.ts';
import type { NeedsIndex } from './needs-index.ts';

/** Lets everything happen but the end of `held`, and tells what has started. */
function startedWithout(needs: NeedsIndex, held: number): ReadonlySet<number> {
  const { tasks } = needs.index;
  const started = new Set<number>();
  const ended = new Set<number>();
  for (let before = -1; before < started.size + ended.size;) {
    before = started.size + ended.size;
    for (const at of tasks) {
      const own = needs.needs[at.index] ?? [];
      const done = own.filter((needed) => ended.has(needed)).length;
      const { type } = at.task.needs;
      const wanted =
        type === 'all' ? own.length : Math.min(own.length, at.task.needs.type === 'at_least' ? at.task.needs.count : 1);
      if (done >= wanted && (at.parent < 0 || started.has(at.parent))) started.add(at.index);
      if (at.index !== held && started.has(at.index) && at.children.every((child) => ended.has(child)))
        ended.add(at.index);
    }
  }
  return started;
}

interface Drawn {
  readonly isInside: boolean;
  readonly kind: string;
  readonly needs: readonly number[];
}

/** Tasks at the top and in three subplans; needs point back, so there is no cycle unless a subplan makes one. */
function textOf(drawn: readonly Drawn[]): string {
  const paths: string[] = [];
  const lines: string[] = ['tasks:'];
  let around: string | undefined;
  for (const [nth, { isInside, kind, needs }] of drawn.entries()) {
    if (nth % 4 === 0) {
      around = isInside ? `s${nth}` : undefined;
      if (around !== undefined) lines.push(`  ${around}:`, `    needs: [${paths.slice(-1).join()}]`, '    tasks:');
    }
    const of = [
      ...new Set(needs.map((need) => paths[need % Math.max(1, paths.length)]).filter((path) => path !== undefined)),
    ];
    const need =
      kind === 'all'
        ? `[${of.join()}]`
        : kind === 'at_least'
          ? `{ at_least: ${Math.max(1, of.length - 1)}, of: [${of.join()}] }`
          : `{ ${kind}: [${of.join()}] }`;
    lines.push(
      `${around === undefined ? '  ' : '      '}t${nth}: { needs: ${of.length === 0 ? '[]' : need}, prompt: x }`,
    );
    paths.push(around === undefined ? `t${nth}` : `${around}.t${nth}`);
    if (nth % 4 === 3 && around !== undefined) paths.push(around);
  }
  return lines.join('\n');
}

const drawnTasks = array(
  record({
    isInside: boolean(),
    kind: constantFrom('all', 'all', 'any', 'at_least', 'race'),
    needs: array(nat(30), { maxLength: 3 }),
  }),
  { minLength: 2, maxLength: 14 },
);

describe('the order of tasks', () => {
  test('is exactly the set of tasks that cannot start while one end is held back', () => {
    assert(
      property(drawnTasks, (drawn) => {
        const needs = indexNeeds(planOfText(textOf(drawn)));
        for (const held of needs.index.tasks) {
          const started = startedWithout(needs, held.index);
          for (const at of needs.index.tasks) {
            const certainty = needs.certaintyOf(held.index, at.index);
            if (certainty !== 'unknown')
              expect(certainty === 'yes', `${held.task.path} before ${at.task.path}`).toBe(!started.has(at.index));
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  test('has every task after its needs and after the subplans around it', () => {
    assert(
      property(drawnTasks, (drawn) => {
        const needs = indexNeeds(planOfText(textOf(drawn)));
        const place = new Map(needs.order.map((task, nth) => [task, nth]));
        for (const task of needs.order) {
          const at = needs.index.tasks[task];
          for (const needed of [
            ...(needs.needs[task] ?? []),
            ...(at === undefined || at.parent < 0 ? [] : [at.parent]),
          ]) {
            expect(place.get(needed)).toBeLessThan(place.get(task) ?? -1);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test('tasks may run together when neither is before the other', () => {
    const needs = indexNeeds(planOfText('tasks:\n  a: { run: x }\n  b: { needs: [a], run: x }\n  c: { run: x }'));
    expect(needs.mayRunTogether(0, 2)).toBe(true);
    expect(needs.mayRunTogether(1, 2)).toBe(true);
    expect(needs.mayRunTogether(0, 1)).toBe(false);
    expect(needs.mayRunTogether(1, 1)).toBe(false);
    expect(needs.isBefore(0, 1)).toBe(true);
    expect(needs.isExhausted()).toBe(false);
  });

  test('has a subplan contain the tasks inside it', () => {
    const { index } = indexNeeds(planOfText('tasks:\n  s: { tasks: { a: { run: x } } }\n  b: { run: x }'));
    const [s, a, b] = index.tasks;
    if (s === undefined || a === undefined || b === undefined) throw new Error('three tasks');
    expect([contains(s, a), contains(s, s), contains(s, b), contains(a, s)]).toEqual([true, true, false, false]);
  });
});
