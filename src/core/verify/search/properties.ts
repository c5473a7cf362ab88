// Properties of any net that follow from its reachable markings.
//
// The Karp–Miller tree has the transitions that can ever fire in an unbounded net.
//
// properties/V1. A count that can be raised again and again by repeating a path is represented as MANY and stays so.
// properties/V2. Every marking of the net has a marking in the tree that differs from it only where the tree has
//   MANY.
// properties/V3. A transition can fire in some marking of the net exactly when some marking of the tree enables it.

import { componentsOf, membersOf } from '../../graph/components.ts';
import { at } from '../../assert.ts';
import {
  applyFiring,
  explore,
  isEnabledIn,
  markingAt,
  stepsOf,
  traceOf,
  type Exploration,
  type LimitName,
  type SearchLimits,
} from './explore.ts';
import { firstThatCannotReach } from './search-soundness.ts';
import type { FlatNet } from './flat-net.ts';

export type FoundAnswer =
  | { readonly type: 'yes' }
  | {
      readonly type: 'no';
      readonly trace: readonly number[] | undefined;
      readonly marking: Int32Array | undefined;
      readonly transition: number | undefined;
    }
  | { readonly type: 'unknown' };

export interface FoundProperties {
  readonly bounded: FoundAnswer;
  readonly oneSafe: FoundAnswer;
  readonly deadlockFree: FoundAnswer;
  /** No transition is dead. */
  readonly quasiLive: FoundAnswer;
  /** Every transition can always become enabled again. */
  readonly live: FoundAnswer;
  /** The number of reachable markings: all of them, or those found before the search ended. */
  readonly markings: { readonly count: number; readonly isAll: boolean };
  readonly limit: { readonly name: LimitName; readonly most: number } | undefined;
}

const YES: FoundAnswer = { type: 'yes' };
const UNKNOWN: FoundAnswer = { type: 'unknown' };

/** Bound on the markings of the coverability tree, in which an unbounded net is searched for dead transitions. */
const TREE_MOST = 20_000;

export function propertiesOf(net: FlatNet, limits: SearchLimits): FoundProperties {
  let unsafe = -1;
  let deadlock = -1;
  const exploration = explore(net, {
    limits,
    visit: (marking, enabled, index) => {
      if (unsafe < 0 && marking.some((tokens) => tokens > 1)) unsafe = index;
      if (deadlock < 0 && enabled === 0) deadlock = index;
      return false;
    },
  });
  const { ending } = exploration;
  const isAll = ending.type === 'complete';
  const no = (index: number, transition?: number): FoundAnswer => noAt(exploration, index, transition);
  const otherwise = (index: number): FoundAnswer => (index >= 0 ? no(index) : isAll ? YES : UNKNOWN);
  const asleep = exploration.hasFired.indexOf(0);
  // The tree is built only where it can decide something that the search did not.
  const tree = ending.type === 'unbounded' || (!isAll && asleep >= 0) ? coverability(net, TREE_MOST) : undefined;
  const deadlockFree = deadlock < 0 && tree?.isFirm === true ? YES : otherwise(deadlock);
  const quasiLive = quasiLiveness(exploration, tree);
  const oneSafe =
    unsafe < 0 && ending.type === 'unbounded' ? pumped(exploration, ending.at, ending.above) : otherwise(unsafe);
  return {
    bounded: ending.type === 'unbounded' ? no(ending.at) : isAll ? YES : UNKNOWN,
    oneSafe,
    deadlockFree,
    quasiLive,
    live: quasiLive.type === 'no' ? quasiLive : isAll ? liveness(exploration) : failing(deadlockFree),
    markings: { count: exploration.store.count, isAll },
    limit: ending.type === 'limit' ? { name: ending.limit, most: ending.most } : undefined,
  };
}

/** A net with a deadlock is not live; a net without one may be live or not. */
const failing = (deadlockFree: FoundAnswer): FoundAnswer => (deadlockFree.type === 'no' ? deadlockFree : UNKNOWN);

function noAt(exploration: Exploration, index: number, transition: number | undefined): FoundAnswer {
  return { type: 'no', trace: traceOf(exploration, index), marking: markingAt(exploration, index), transition };
}

/** Repeating the steps between two comparable markings gains the same tokens again. */
function pumped(exploration: Exploration, at: number, above: number): FoundAnswer {
  const way = traceOf(exploration, at);
  const trace = [...way, ...way.slice(traceOf(exploration, above).length)];
  const marking = exploration.net.initial.slice();
  for (const transition of trace) applyFiring(exploration.net, marking, { transition, sign: 1 });
  return { type: 'no', trace, marking, transition: undefined };
}

function quasiLiveness({ hasFired }: Exploration, tree: Coverability | undefined): FoundAnswer {
  const asleep = hasFired.indexOf(0);
  if (asleep < 0) return YES;
  if (tree === undefined) return dead(asleep);
  const silent = tree.hasFired.findIndex((fired, transition) => fired === 0 && at(hasFired, transition) === 0);
  if (silent < 0) return YES;
  return tree.isComplete ? dead(silent) : UNKNOWN;
}

const dead = (transition: number): FoundAnswer => ({ type: 'no', trace: undefined, marking: undefined, transition });

/** The terminal strongly connected components of the markings, ordered by their first marking. */
function lastComponents(exploration: Exploration): readonly (readonly number[])[] {
  const { start, to } = stepsOf(exploration);
  const component = componentsOf({ start, to });
  return membersOf(component).filter((members) =>
    members.every((marking) =>
      to.subarray(start[marking], start[marking + 1]).every((next) => component[next] === component[marking]),
    ),
  );
}

/** A finite net is live when each terminal component has a step by every transition. */
function liveness(exploration: Exploration): FoundAnswer {
  const { net, firstStep, stepBy } = exploration;
  for (const component of lastComponents(exploration)) {
    const fired = new Int32Array(net.transitionCount);
    for (const index of component) {
      for (let step = at(firstStep, index); step < at(firstStep, index + 1); step += 1) fired[at(stepBy, step)] = 1;
    }
    const silent = fired.indexOf(0);
    if (silent < 0) continue;
    const fires = (index: number): boolean =>
      stepBy.subarray(at(firstStep, index), at(firstStep, index + 1)).includes(silent);
    const firing = Array.from({ length: exploration.expanded }, (_, index) => index).filter(fires);
    // Markings are numbered breadth first, so the first one has a shortest trace.
    const lost = firstThatCannotReach(exploration, firing);
    if (lost !== undefined) return noAt(exploration, lost, silent);
  }
  return YES;
}

/** More than any weight; sums with weights stay far from overflow. */
const MANY = 1 << 29;

interface Coverability {
  readonly isComplete: boolean;
  readonly hasFired: Int32Array;
  /** Whether every marking of the tree enables a transition by counts other than MANY. */
  readonly isFirm: boolean;
}

interface TreeNode {
  readonly marking: Int32Array;
  readonly parent: TreeNode | undefined;
  readonly depth: number;
}

/** Bounds on words of memory for the markings of the tree, and on looks at places of them. */
const WORDS_MAX = 12_000_000;
const CHECKS_MAX = 200_000_000;

function coverability(net: FlatNet, nodesMax: number): Coverability {
  const hasFired = new Int32Array(net.transitionCount);
  const seen = new Set<string>();
  const pending: TreeNode[] = [{ marking: net.initial.slice(), parent: undefined, depth: 0 }];
  let wordsLeft = WORDS_MAX;
  let looksLeft = CHECKS_MAX;
  let isFirm = true;
  for (let next = 0; next < pending.length; next += 1) {
    const node = pending[next];
    if (node === undefined || seen.has(node.marking.join())) continue;
    if (seen.size >= nodesMax || wordsLeft < 0 || looksLeft < 0) return { isComplete: false, hasFired, isFirm: false };
    seen.add(node.marking.join());
    looksLeft -= net.transitionCount;
    let hasFirm = false;
    for (let transition = 0; transition < net.transitionCount; transition += 1) {
      if (!isEnabledIn(net, node.marking, transition)) continue;
      hasFired[transition] = 1;
      hasFirm ||= takesFewOnly(net, node.marking, transition);
      looksLeft -= net.placeCount * (node.depth + 1);
      // A wide net has thousands of successors to a marking, so the bounds are met here and not only between markings.
      if (wordsLeft < 0 || looksLeft < 0) return { isComplete: false, hasFired, isFirm: false };
      const marking = raise(fire(net, node.marking, transition), node);
      if (seen.has(marking.join())) continue;
      wordsLeft -= 2 * net.placeCount;
      pending.push({ marking, parent: node, depth: node.depth + 1 });
    }
    isFirm &&= hasFirm;
  }
  return { isComplete: true, hasFired, isFirm };
}

function takesFewOnly({ takes }: FlatNet, marking: Int32Array, transition: number): boolean {
  const places = takes.place.subarray(at(takes.start, transition), at(takes.start, transition + 1));
  return places.every((place) => at(marking, place) < MANY);
}

function fire({ takes, gives }: FlatNet, marking: Int32Array, transition: number): Int32Array {
  const next = marking.slice();
  const change = (place: number, tokens: number): void => {
    if (at(next, place) < MANY) next[place] = at(next, place) + tokens;
  };
  for (let arc = at(takes.start, transition); arc < at(takes.start, transition + 1); arc += 1) {
    change(at(takes.place, arc), -at(takes.weight, arc));
  }
  for (let arc = at(gives.start, transition); arc < at(gives.start, transition + 1); arc += 1) {
    change(at(gives.place, arc), at(gives.weight, arc));
  }
  return next;
}

/**
 * properties/V1: where the marking is nowhere smaller than one of its ancestors, the counts that grew can grow for
 * ever.
 */
function raise(marking: Int32Array, parent: TreeNode): Int32Array {
  let isRaised = true;
  while (isRaised) {
    isRaised = false;
    for (let above: TreeNode | undefined = parent; above !== undefined; above = above.parent) {
      const lower = above.marking;
      if (!marking.every((tokens, place) => tokens >= at(lower, place))) continue;
      marking.forEach((tokens, place) => {
        if (tokens === MANY || tokens <= at(lower, place)) return;
        marking[place] = MANY;
        isRaised = true;
      });
    }
  }
  return marking;
}
