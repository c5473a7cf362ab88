// Proves soundness of a workflow net without its stripped resources: by reduction, else by a search of the reduced net;
// otherwise the answer is unknown.

import type { LinkedNet } from './reduce/linked-net.ts';
import { everyTransitionFiresOnce } from './reduce/once.ts';
import { reduce, type ReductionRule, type RuleCounts } from './reduce/reduce.ts';
import { residueOf } from './reduce/residue.ts';
import type { LimitName, SearchLimits } from './search/explore.ts';
import { searchSoundness, type SearchResult } from './search/search-soundness.ts';

export type NetProof =
  | { readonly type: 'sound'; readonly by: 'reduction'; readonly counts: RuleCounts }
  | { readonly type: 'sound'; readonly by: 'search'; readonly markings: number; readonly counts: RuleCounts }
  | { readonly type: 'unsound'; readonly found: FaultOfResidue; readonly counts: RuleCounts }
  | { readonly type: 'unknown'; readonly limit: LimitName; readonly most: number; readonly counts: RuleCounts };

/** The fault that the search found in the reduced net, in the numbering of the original net. */
export type FaultOfResidue = Extract<SearchResult, { readonly type: 'faulty' | 'dead' }>;

export interface ProofParts {
  readonly initial: Int32Array;
  readonly limits: SearchLimits;
  /** All rules by default; tests try some alone. */
  readonly rules?: ReadonlySet<ReductionRule>;
}

/** Mutates the linked net. */
export function prove(linked: LinkedNet, { initial, limits, rules }: ProofParts): NetProof {
  const counts = reduce(linked, rules);
  if (everyTransitionFiresOnce(linked)) return { type: 'sound', by: 'reduction', counts };
  const residue = residueOf(linked, initial);
  const found = searchSoundness(residue.net, { sinks: residue.sinks, final: residue.final, switches: [] }, limits);
  switch (found.type) {
    case 'sound':
      return { type: 'sound', by: 'search', markings: found.markings, counts };
    case 'unknown':
      return { type: 'unknown', limit: found.limit, most: found.most, counts };
    case 'dead':
      return { type: 'unsound', found: { ...found, transition: residue.transitionOf[found.transition] ?? 0 }, counts };
    case 'faulty': {
      const marking = new Int32Array(initial.length);
      found.marking.forEach((tokens, place) => {
        marking[residue.placeOf[place] ?? 0] = tokens;
      });
      const trace = found.trace.map((transition) => residue.transitionOf[transition] ?? 0);
      return { type: 'unsound', found: { ...found, trace, marking }, counts };
    }
  }
}
