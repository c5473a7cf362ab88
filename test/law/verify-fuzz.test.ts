import { describe, expect, test } from 'vitest';
import type { Net } from '../../src/core/net/net.ts';
import { forEachArc } from '../../src/core/net/walk-arcs.ts';
import { endsOf } from '../../src/core/verify/fault-finding.ts';
import { flatten } from '../../src/core/verify/search/flat-net.ts';
import { planNet } from '../../src/core/verify/plan-net.given.ts';
import { prove } from '../../src/core/verify/prove.ts';
import { randomNet, randomWorkflowNet } from '../../src/core/verify/random-net.given.ts';
import { collapse } from '../../src/core/verify/reduce/collapse.ts';
import { linkNet } from '../../src/core/verify/reduce/link-net.ts';
import { RULES } from '../../src/core/verify/reduce/reduce.ts';
import { searchSoundness } from '../../src/core/verify/search/search-soundness.ts';
import { workflowShape } from '../../src/core/verify/workflow-shape.ts';
import { strip } from '../../src/core/verify/strip.ts';
import { structureFault } from '../../src/core/verify/structure.ts';
import { verify } from '../../src/core/verify/verify.ts';

const LIMITS = { markingsMax: 3_000, wordsMax: 4_000_000, triesMax: 2_000_000 };
/** Nets of plans have many markings even when small. */
const PLAN_LIMITS = { markingsMax: 20_000, wordsMax: 4_000_000, triesMax: 4_000_000 };
type Told = 'sound' | 'unsound' | 'unknown';

/** The explicit search of the whole net, nothing stripped and nothing reduced. */
function searched(net: Net, limits = LIMITS): Told | undefined {
  const shape = workflowShape(flatten(net));
  if (shape === undefined) return undefined;
  if (hasIdle(net) || (shape.sinks.length > 1 && hasBlindAlley(net, shape.sinks))) return 'unsound';
  const found = searchSoundness(shape.net, endsOf(shape), limits).type;
  return found === 'faulty' || found === 'dead' ? 'unsound' : found;
}

/** Whether some transition has no arcs: it is on no path, and no marking shows it. */
const hasIdle = (net: Net): boolean =>
  net.transitions.some((_, transition) =>
    [net.takes, net.gives, net.reads].every(({ start }) => start[transition] === start[transition + 1]),
  );

/**
 * Whether some transition has no path to a sink. With one sink the markings show it; with several, a token that
 * vanishes leaves no trace in the markings, and only the arcs show it.
 */
function hasBlindAlley(net: Net, sinks: readonly number[]): boolean {
  const seen = new Set(sinks);
  const leading = new Set<number>();
  for (let size = -1; size !== leading.size;) {
    size = leading.size;
    net.transitions.forEach((_, transition) => {
      let leads = leading.has(transition);
      forEachArc(net.gives, transition, (place) => (leads ||= seen.has(place)));
      if (!leads) return;
      leading.add(transition);
      forEachArc(net.takes, transition, (place) => seen.add(place));
      forEachArc(net.reads, transition, (place) => seen.add(place));
    });
  }
  // Tokens of resources that move by themselves are counted at the end.
  const ofFlow = new Set([workflowShape(flatten(net))?.source ?? 0]);
  const takesOfFlow = (transition: number): boolean => {
    let isTaking = false;
    forEachArc(net.takes, transition, (place) => (isTaking ||= ofFlow.has(place)));
    return isTaking;
  };
  for (let size = -1; size !== ofFlow.size;) {
    size = ofFlow.size;
    for (let transition = 0; transition < net.transitions.length; transition += 1)
      if (takesOfFlow(transition)) forEachArc(net.gives, transition, (place) => ofFlow.add(place));
  }
  return net.transitions.some((_, transition) => !leading.has(transition) && takesOfFlow(transition));
}

describe('the linear proof against the explicit search', () => {
  test('agrees with the search on all of 20,000 random nets', () => {
    const counts = new Map<string, number>();
    const wrong: number[] = [];
    let nets = 0;
    for (let seed = 1; nets < 20_000; seed += 1) {
      const net = randomWorkflowNet({ seed, refinements: 4 + (seed % 8) });
      const truth = searched(net);
      if (truth === undefined) continue;
      nets += 1;
      const verification = verify(net, { limits: LIMITS });
      if (verification.type === 'general') throw new Error('A workflow net has a verdict.');
      const { verdict } = verification;
      const key = `${verdict.type}${verdict.type === 'sound' ? ` by ${verdict.by}` : ''}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (truth !== 'unknown' && verdict.type !== 'unknown' && truth !== verdict.type) wrong.push(seed);
    }
    console.log('verdicts on random nets:', Object.fromEntries(counts));
    expect(wrong).toEqual([]);
    expect(counts.get('sound by reduction')).toBeGreaterThan(4_000);
    expect(counts.get('sound by search')).toBeGreaterThan(1_000);
    expect(counts.get('unsound')).toBeGreaterThan(5_000);
    expect(counts.get('unknown') ?? 0).toBeLessThan(400);
  });

  test('agrees with the search on all of 4,000 random nets with cycles of resources beside the flow', () => {
    const wrong: number[] = [];
    let sound = 0;
    let cycles = 0;
    for (let seed = 3_000_000; seed < 3_004_000; seed += 1) {
      const net = randomWorkflowNet({ seed, refinements: 2 + (seed % 5), hasCycles: true });
      const shape = workflowShape(flatten(net));
      const truth = searched(net);
      if (shape === undefined || truth === undefined) continue;
      const verification = verify(net, { limits: LIMITS });
      const verdict = verification.type === 'workflow' ? verification.verdict.type : 'general';
      if (truth !== 'unknown' && verdict !== 'unknown' && truth !== verdict) wrong.push(seed);
      if (!shape.switches.some((places) => places.length > 2)) continue;
      cycles += 1;
      if (verdict === 'sound') sound += 1;
    }
    expect(wrong).toEqual([]);
    expect(cycles).toBeGreaterThan(500);
    expect(sound).toBeGreaterThan(200);
  });

  test.each(RULES)('the rule "%s" alone keeps the verdict', (rule) => {
    const wrong: number[] = [];
    let used = 0;
    for (let seed = 1_000_000; seed < 1_002_000; seed += 1) {
      const net = randomWorkflowNet({ seed, refinements: 3 + (seed % 6) });
      const shape = workflowShape(flatten(net));
      const truth = searched(net);
      if (shape === undefined || truth === undefined || truth === 'unknown' || hasIdle(net)) continue;
      const { stripped, excess } = strip(shape);
      const linked = linkNet({ flat: shape.net, role: shape.role, stripped });
      if (excess !== undefined || structureFault(linked) !== undefined) continue;
      const proof = prove(linked, { initial: shape.net.initial, limits: LIMITS, rules: new Set([rule]) });
      used += proof.counts[rule];
      if (proof.type !== 'unknown' && proof.type !== truth) wrong.push(seed);
    }
    expect(wrong).toEqual([]);
    expect(used).toBeGreaterThan(100);
  });

  test('collapsing regions alone keeps the verdict', () => {
    const wrong: number[] = [];
    let used = 0;
    for (let seed = 2_000_000; seed < 2_004_000; seed += 1) {
      const net = randomWorkflowNet({ seed, refinements: 3 + (seed % 6) });
      const shape = workflowShape(flatten(net));
      const truth = searched(net);
      if (shape === undefined || truth === undefined || truth === 'unknown' || hasIdle(net)) continue;
      const { stripped, excess } = strip(shape);
      const collapsed = collapse({ flat: shape.net, role: shape.role, stripped });
      const linked = linkNet(collapsed);
      if (excess !== undefined || structureFault(linked) !== undefined) continue;
      const proof = prove(linked, { initial: collapsed.flat.initial, limits: LIMITS, rules: new Set() });
      used += shape.net.transitionCount - collapsed.flat.transitionCount;
      if (proof.type !== 'unknown' && proof.type !== truth) wrong.push(seed);
    }
    expect(wrong).toEqual([]);
    expect(used).toBeGreaterThan(1_000);
  });

  test('small nets of the shape of plans agree with the search, whole or broken', () => {
    const faults = [undefined, 'lost-pool', 'cycle', 'too-much', 'missing-token', 'holding-subplan'] as const;
    const wrong: string[] = [];
    const told = new Set<string>();
    for (let seed = 1; seed <= 180; seed += 1) {
      const fault = faults[seed % faults.length];
      const net = planNet({ seed, tasks: seed % 5 === 0 ? 2 : 1, fault });
      const truth = searched(net, PLAN_LIMITS);
      const verification = verify(net, { limits: PLAN_LIMITS });
      const verdict = verification.type === 'workflow' ? verification.verdict.type : 'general';
      told.add(verdict);
      if (truth !== 'unknown' && verdict !== 'unknown' && truth !== verdict) wrong.push(`${seed} ${String(fault)}`);
      if (fault === undefined && verdict !== 'sound') wrong.push(`${seed} is ${verdict}`);
    }
    expect(wrong).toEqual([]);
    expect([...told].sort()).toContain('sound');
    expect([...told].sort()).toContain('unsound');
  });
});

/** A second, slow implementation of the definitions, to test the search itself. */
function plainly(
  net: Net,
  most: number,
): { readonly reached: Map<string, number[]>; readonly steps: [string, string, number][] } | undefined {
  const start = [...net.initial];
  const reached = new Map([[start.join(), start]]);
  const steps: [string, string, number][] = [];
  const pending = [start];
  for (let marking = pending.shift(); marking !== undefined; marking = pending.shift()) {
    const here = marking;
    for (let transition = 0; transition < net.transitions.length; transition += 1) {
      const [need, next] = [here.map(() => 0), [...here]];
      const change = (list: number[], sign: number) => (place: number, weight: number) =>
        void (list[place] = (list[place] ?? 0) + sign * weight);
      forEachArc(net.takes, transition, change(need, 1));
      forEachArc(net.reads, transition, change(need, 1));
      if (need.some((tokens, place) => (here[place] ?? 0) < tokens)) continue;
      forEachArc(net.takes, transition, change(next, -1));
      forEachArc(net.gives, transition, change(next, 1));
      steps.push([here.join(), next.join(), transition]);
      if (reached.has(next.join())) continue;
      if (reached.size > most) return undefined;
      reached.set(next.join(), next);
      pending.push(next);
    }
  }
  return { reached, steps };
}

function leadingTo(ends: readonly string[], steps: readonly (readonly [string, string, number])[]): Set<string> {
  const leads = new Set(ends);
  for (let size = -1; size !== leads.size;) {
    size = leads.size;
    for (const [from, to] of steps) if (leads.has(to)) leads.add(from);
  }
  return leads;
}

/** The largest set of places of which none changes by anything outside of it. */
function besideFlow(net: Net, ends: readonly number[]): ReadonlySet<number> {
  const beside = new Set([...net.initial.keys()].filter((place) => !ends.includes(place)));
  for (let size = -1; size !== beside.size;) {
    size = beside.size;
    for (let transition = 0; transition < net.transitions.length; transition += 1) {
      const balance = new Map<number, number>();
      const needed = new Set<number>();
      forEachArc(net.takes, transition, (place, weight) => {
        balance.set(place, -weight);
        needed.add(place);
      });
      forEachArc(net.reads, transition, (place) => needed.add(place));
      forEachArc(net.gives, transition, (place, weight) => balance.set(place, (balance.get(place) ?? 0) + weight));
      const changed = [...balance].flatMap(([place, change]) => (change === 0 ? [] : [place]));
      if ([...changed, ...needed].every((place) => beside.has(place))) continue;
      for (const place of changed) beside.delete(place);
    }
  }
  return beside;
}

describe('the search against the definitions', () => {
  test('calls a net sound exactly when it is', () => {
    const wrong: number[] = [];
    const seen = { sound: 0, unsound: 0 };
    let several = 0;
    let withBeside = 0;
    for (let seed = 1; seed <= 5_000; seed += 1) {
      const net = randomWorkflowNet({ seed, refinements: 6, hasCycles: seed % 2 === 0 });
      const shape = workflowShape(flatten(net));
      const plain = plainly(net, 300);
      if (shape === undefined || plain === undefined) continue;
      const { sinks, source } = shape;
      const beside = besideFlow(net, [source, ...sinks]);
      if (beside.size > 0) withBeside += 1;
      const isEnd = (marking: readonly number[]): boolean =>
        marking.every((tokens, place) =>
          sinks.includes(place)
            ? tokens <= 1
            : beside.has(place) || tokens === (place === source ? 0 : net.initial[place]),
        ) && sinks.some((sink) => marking[sink] === 1);
      const isWholeAgain = (marking: readonly number[]): boolean =>
        [...beside].every((place) => marking[place] === net.initial[place]);
      const most = sinks.length === 1 ? 0 : 1;
      const markings = [...plain.reached];
      const leads = leadingTo(
        markings.filter(([, marking]) => isEnd(marking) && isWholeAgain(marking)).map(([key]) => key),
        plain.steps,
      );
      const isProper = markings.every(
        ([, marking]) => isEnd(marking) || sinks.every((sink) => (marking[sink] ?? 0) <= most),
      );
      const fired = new Set(plain.steps.map(([, , transition]) => transition));
      const isWhole = !hasIdle(net) && (sinks.length === 1 || !hasBlindAlley(net, sinks));
      const isSound = isWhole && leads.size === plain.reached.size && isProper && fired.size === net.transitions.length;
      seen[isSound ? 'sound' : 'unsound'] += 1;
      if (isSound && sinks.length > 1) several += 1;
      if (searched(net) !== (isSound ? 'sound' : 'unsound')) wrong.push(seed);
    }
    expect(wrong).toEqual([]);
    expect(Math.min(seen.sound, seen.unsound)).toBeGreaterThan(200);
    expect(several).toBeGreaterThan(10);
    expect(withBeside).toBeGreaterThan(200);
  });

  test('answers questions about any net as the definitions do', () => {
    const wrong: string[] = [];
    const answers = new Map<string, number>();
    for (let seed = 1; seed <= 4_000; seed += 1) {
      const net = randomNet({ seed, refinements: 6 });
      const plain = plainly(net, 80);
      if (plain === undefined) continue;
      const verification = verify(net, { limits: LIMITS });
      if (verification.type === 'workflow') continue;
      const { reached, steps } = plain;
      const { properties } = verification;
      const enabledAnywhere = new Set(steps.map(([, , transition]) => transition));
      const moving = new Set(steps.map(([from]) => from));
      const isLive = net.transitions.every(
        (_, transition) =>
          leadingTo(
            steps.filter((step) => step[2] === transition).map(([from]) => from),
            steps,
          ).size === reached.size,
      );
      const expected = {
        bounded: true,
        oneSafe: [...reached.values()].every((marking) => marking.every((tokens) => tokens <= 1)),
        deadlockFree: moving.size === reached.size,
        quasiLive: enabledAnywhere.size === net.transitions.length,
        live: isLive,
      };
      for (const question of ['bounded', 'oneSafe', 'deadlockFree', 'quasiLive', 'live'] as const) {
        const answer = properties[question].type;
        answers.set(`${question} ${answer}`, (answers.get(`${question} ${answer}`) ?? 0) + 1);
        if (answer !== (expected[question] ? 'yes' : 'no')) wrong.push(`${seed} ${question} ${answer}`);
      }
      if (properties.markings.count !== reached.size) wrong.push(`${seed} markings`);
    }
    expect(wrong).toEqual([]);
    expect(
      Math.min(
        ...['oneSafe yes', 'oneSafe no', 'deadlockFree yes', 'quasiLive no', 'live yes', 'live no'].map(
          (key) => answers.get(key) ?? 0,
        ),
      ),
    ).toBeGreaterThan(10);
  });

  test('every trace fires in the net and leads to the reported marking', () => {
    let traces = 0;
    for (let seed = 1; seed <= 1_000; seed += 1) traces += checkTrace(randomWorkflowNet({ seed, refinements: 8 }));
    expect(traces).toBeGreaterThan(200);
  });

  test('and so does the trace of a net too large to search, lifted back from its reduced net', () => {
    let traces = 0;
    for (let seed = 1; seed <= 60; seed += 1) {
      const fault = seed % 2 === 0 ? 'lost-pool' : 'missing-token';
      traces += checkTrace(planNet({ seed, tasks: 6 + (seed % 20), fault }));
    }
    expect(traces).toBeGreaterThan(10);
  });
});

/** The number of traces, 0 or 1, that were found and hold. */
function checkTrace(net: Net): number {
  const verification = verify(net, { limits: LIMITS });
  if (verification.type === 'general' || verification.verdict.type !== 'unsound') return 0;
  const { trace, marking, traceOf } = verification.verdict.finding;
  if (trace === undefined || marking === undefined || traceOf !== 'net') return 0;
  const here: number[] = [...net.initial];
  if (!here.some((tokens) => tokens > 0)) here[workflowShape(flatten(net))?.source ?? 0] = 1;
  for (const transition of trace) {
    forEachArc(net.reads, transition, (place, weight) => expect(here[place]).toBeGreaterThanOrEqual(weight));
    forEachArc(net.takes, transition, (place, weight) =>
      expect((here[place] = (here[place] ?? 0) - weight)).toBeGreaterThanOrEqual(0),
    );
    forEachArc(net.gives, transition, (place, weight) => void (here[place] = (here[place] ?? 0) + weight));
  }
  expect(here.flatMap((tokens, place) => (tokens > 0 ? [{ place, tokens }] : []))).toEqual(marking);
  return 1;
}
