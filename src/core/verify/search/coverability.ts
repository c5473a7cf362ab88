// The transitions that can ever fire in an unbounded net, by the Karp–Miller tree.
//
// coverability/V1. A count that can be raised again and again by repeating a path is represented as MANY and stays so.
// coverability/V2. Every marking of the net has a marking in the tree that differs from it only where the tree has
//   MANY.
// coverability/V3. A transition can fire in some marking of the net exactly when some marking of the tree enables it.

import { at } from '../../assert.ts';
import { isEnabledIn } from './explore.ts';
import type { FlatNet } from './flat-net.ts';

/** More than any weight; sums with weights stay far from overflow. */
const MANY = 1 << 29;

export interface Coverability {
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
const LOOKS_MAX = 200_000_000;

export function coverability(net: FlatNet, nodesMax: number): Coverability {
  const hasFired = new Int32Array(net.transitionCount);
  const seen = new Set<string>();
  const pending: TreeNode[] = [{ marking: net.initial.slice(), parent: undefined, depth: 0 }];
  let wordsLeft = WORDS_MAX;
  let looksLeft = LOOKS_MAX;
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
 * coverability/V1: where the marking is nowhere smaller than one of its ancestors, the counts that grew can grow for
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
