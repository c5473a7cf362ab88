// Laws of traces over random plans, worlds, retries, rollbacks and amendments.
import { expect, test } from 'vitest';
import { fold } from '../../src/core/engine/apply/fold.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { claimKey } from '../../src/core/protocol/assignment.ts';
import { followTrace, spansOf } from '../../src/core/view/trace/follow-trace.ts';
import type { TraceSpan } from '../../src/core/view/trace/trace-span.ts';
import { amendCommand, planAfter } from './amended-plan.given.ts';
import { ANY, habits, holds, plan, shuffled } from './engine-laws.given.ts';
import { randomPlanText } from './engine-plans.given.ts';
import { play } from './engine-world.given.ts';

const GIVEN = { run: 'law-1', hasContent: false, areAgentsJoined: false };

function logOf(planSeed: number, worldSeed: number): readonly RunEvent[] {
  const compiled = plan(planSeed, ANY);
  const first = randomPlanText(planSeed, ANY);
  const { log } = play(
    compiled,
    habits(worldSeed, {
      order: shuffled(compiled, worldSeed),
      meddleShare: 0.4,
      failureShare: 0.3,
      asks: (state, random, events) =>
        random.happens(0.1)
          ? amendCommand(state, random, { resizes: true, before: planAfter(events, first) })
          : undefined,
    }),
  );
  return log;
}

const isOfClaim = ({ attributes }: TraceSpan): boolean => attributes['heddle.work'] !== undefined;

function orphansIn(spans: readonly TraceSpan[]): readonly TraceSpan[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter(({ parent }) => parent !== undefined && !ids.has(parent));
}

test('there is one span for each claim that is over, children lie inside their parents, and ids are unique', () => {
  const seen = { amended: 0, reset: 0, paused: 0, spans: 0 };
  holds(500, (planSeed, worldSeed) => {
    const log = logOf(planSeed, worldSeed);
    if (log.some(({ type }) => type === 'plan.amended')) seen.amended += 1;
    if (log.some(({ type }) => type === 'task.reset')) seen.reset += 1;
    const spans = spansOf(log, GIVEN);
    seen.spans += spans.length;
    const over = log.flatMap((event) =>
      event.type === 'claim.ended' || event.type === 'claim.returned' || event.type === 'claim.asked'
        ? [`${event.work} ${claimKey(event)}`]
        : [],
    );
    const ofClaims = spans.filter(isOfClaim).map(({ attributes }) => {
      const [work, task, step, attempt] = ['work', 'task', 'step', 'attempt'].map(
        (name) => attributes[`heddle.${name}`],
      );
      return `${work} ${task}/${step ?? `(${work})`}#${attempt}`;
    });
    expect(ofClaims.toSorted()).toEqual(over.toSorted());
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    expect(byId.size).toBe(spans.length);
    for (const { parent, startMs, endMs, name } of spans) {
      expect(endMs).toBeGreaterThanOrEqual(startMs);
      const around = parent === undefined ? undefined : byId.get(parent);
      if (around === undefined) continue;
      expect([name, around.startMs <= startMs, endMs <= around.endMs]).toEqual([name, true, true]);
    }
    // Once the run has ended, every span has its parent.
    if (log.at(-1)?.type === 'run.ended') expect(orphansIn(spans)).toEqual([]);
    // So it is while a run is paused and nothing of it runs.
    const part = log.slice(
      0,
      Math.max(
        0,
        log.findLastIndex(({ type }) => type === 'run.resumed'),
      ),
    );
    if (part.length > 0 && fold(part).claims.size === 0) {
      seen.paused += 1;
      const paused = spansOf(part, GIVEN);
      expect(paused.some(({ name }) => name.startsWith('invoke_workflow'))).toBe(true);
      expect(orphansIn(paused)).toEqual([]);
    }
  });
  expect(seen.amended).toBeGreaterThan(20);
  expect(seen.reset).toBeGreaterThan(20);
  expect(seen.paused).toBeGreaterThan(20);
  expect(seen.spans).toBeGreaterThan(5_000);
});

test('the tokens and dollars of all spans together are those of the ledger', () => {
  holds(150, (planSeed, worldSeed) => {
    const compiled = plan(planSeed, ANY);
    const { log } = play(compiled, habits(worldSeed, { meddleShare: 0.2, failureShare: 0.3 }));
    const spans = spansOf(log, GIVEN);
    const sum = (name: string): number =>
      spans.reduce((total, { attributes }) => total + Number(attributes[name] ?? 0), 0);
    const { spent } = fold(log, compiled).ledger.run;
    expect(sum('heddle.tokens')).toBe(spent.tokens);
    expect(sum('heddle.cost_usd')).toBeCloseTo(spent.usd, 6);
  });
});

test('what has ended in a part of a log is among the spans of the whole, unchanged, and markers lie below their spans', () => {
  holds(100, (planSeed, worldSeed) => {
    const log = logOf(planSeed, worldSeed);
    const whole = spansOf(log, GIVEN);
    const part = log.slice(0, 1 + (worldSeed % log.length));
    const [started] = part;
    if (started?.type !== 'run.started') throw new Error('A log begins with the start of its run.');
    const follower = followTrace(started, GIVEN);
    const early = part.flatMap((event) => follower.add(event));
    expect(whole.slice(0, early.length)).toEqual(early);
    const byId = new Map(whole.map((span) => [span.spanId, span]));
    for (const { parent = '', startMs } of follower.begun())
      if (byId.has(parent)) expect(byId.get(parent)?.startMs).toBe(startMs);
  });
});
