// The verifier on nets of the shape of plans: how long, how much memory, and whether both grow with the net and no
// faster. The references in the same run: one topological pass over the same arcs, which is the least that any
// check of a plan must do, and the explicit search of the whole net where it still ends.
import type { Net } from '../src/core/net/net.ts';
import { forEachArc, transitionsTaking } from '../src/core/net/walk-arcs.ts';
import { endsOf } from '../src/core/verify/fault-finding.ts';
import { flatten } from '../src/core/verify/search/flat-net.ts';
import { planNet } from '../src/core/verify/plan-net.given.ts';
import { searchSoundness } from '../src/core/verify/search/search-soundness.ts';
import { SEARCH_LIMITS } from '../src/core/verify/search/explore.ts';
import { workflowShape } from '../src/core/verify/workflow-shape.ts';
import { verify } from '../src/core/verify/verify.ts';

export interface VerifyFigure {
  readonly tasks: number;
  readonly places: number;
  readonly transitions: number;
  readonly arcs: number;
  readonly verifyMs: number;
  readonly extraMb: number;
  readonly passMs: number;
  /** Undefined where the search would not end. */
  readonly searchMs: number | undefined;
  readonly searched: string;
  readonly verdict: string;
}

export const VERIFY_SIZES = [1, 2, 3, 1_000, 10_000, 100_000] as const;
const SEARCHED_MOST = 3;

export function benchVerify(sizes: readonly number[] = VERIFY_SIZES): readonly VerifyFigure[] {
  // Once beforehand, so that every row is measured on code that is warm.
  verify(planNet({ seed: 7, tasks: 1_000 }));
  return sizes.map(measure);
}

function measure(tasks: number): VerifyFigure {
  const net = planNet({ seed: 1, tasks });
  const pass = timed(() => topologicalPass(net));
  globalThis.gc?.();
  const before = process.memoryUsage();
  const verified = timed(() => verify(net));
  const after = process.memoryUsage();
  const search = tasks <= SEARCHED_MOST ? timed(() => searchWhole(net)) : undefined;
  const { value } = verified;
  return {
    tasks,
    places: net.places.length,
    transitions: net.transitions.length,
    arcs: net.takes.place.length + net.gives.place.length + net.reads.place.length,
    verifyMs: verified.ms,
    extraMb: (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / 2 ** 20,
    passMs: pass.ms,
    searchMs: search?.ms,
    searched: search?.value ?? '',
    verdict:
      value.type === 'workflow'
        ? value.verdict.type === 'sound'
          ? `sound by ${value.verdict.by}`
          : value.verdict.type
        : value.type,
  };
}

function searchWhole(net: Net): string {
  const shape = workflowShape(flatten(net));
  if (shape === undefined) return 'not a workflow net';
  const found = searchSoundness(shape.net, endsOf(shape), SEARCH_LIMITS);
  return found.type === 'sound' ? `sound, ${found.markings} markings` : found.type;
}

/** Marks places and transitions as reached from the first marking, each arc once. */
function topologicalPass(net: Net): number {
  const taking = transitionsTaking(net);
  const waits = new Int32Array(net.transitions.length);
  for (let transition = 0; transition < waits.length; transition += 1) {
    waits[transition] = (net.takes.start[transition + 1] ?? 0) - (net.takes.start[transition] ?? 0);
  }
  const isReached = new Uint8Array(net.places.length);
  const pending: number[] = [];
  const reach = (place: number): void => {
    if (isReached[place] === 1) return;
    isReached[place] = 1;
    pending.push(place);
  };
  net.initial.forEach((tokens, place) => {
    if (tokens > 0) reach(place);
  });
  let fired = 0;
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    for (let arc = taking.start[place] ?? 0; arc < (taking.start[place + 1] ?? 0); arc += 1) {
      const transition = taking.transition[arc] ?? 0;
      waits[transition] = (waits[transition] ?? 0) - 1;
      if (waits[transition] !== 0) continue;
      fired += 1;
      forEachArc(net.gives, transition, reach);
    }
  }
  return fired;
}

function timed<Value>(work: () => Value): { readonly value: Value; readonly ms: number } {
  const start = performance.now();
  const value = work();
  return { value, ms: performance.now() - start };
}

export function printVerify(figures: readonly VerifyFigure[]): void {
  console.log('\nProving nets of the shape of plans (ms)');
  console.log('  tasks    places  transitions      arcs   verify  µs/arc   extra MB   one pass   explicit search');
  for (const each of figures) {
    const search = each.searchMs === undefined ? 'would not end' : `${each.searchMs.toFixed(0)} (${each.searched})`;
    const cells = [
      String(each.tasks).padStart(7),
      String(each.places).padStart(10),
      String(each.transitions).padStart(13),
      String(each.arcs).padStart(10),
      each.verifyMs.toFixed(0).padStart(9),
      ((each.verifyMs * 1000) / each.arcs).toFixed(2).padStart(8),
      each.extraMb.toFixed(0).padStart(11),
      each.passMs.toFixed(0).padStart(11),
      `   ${search}; ${each.verdict}`,
    ];
    console.log(cells.join(''));
  }
}

if (import.meta.main) printVerify(benchVerify());
