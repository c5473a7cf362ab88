// Where a running claim is: on another machine, or still without a host. On the machine of the coordinator it is nowhere in
// particular, so that a run of one machine says nothing of machines.
import { nameClaim } from '../../engine/facts.ts';
import { placeableOf } from '../../engine/owed/placeable.ts';
import type { Claim, State } from '../../engine/state.ts';
import type { PlacedFor, WaitsForHost } from '../../protocol/placement.ts';

export type ClaimPlace =
  | { readonly type: 'placed'; readonly host: string; readonly why: PlacedFor | undefined }
  | {
      readonly type: 'waiting';
      readonly why: WaitsForHost;
      /** What the claim asks of a host. */
      readonly labels: readonly string[];
      readonly agent: string | undefined;
    };

export function placeOf(state: State, claim: Claim): ClaimPlace | undefined {
  const { host, placedFor, waitsFor } = claim;
  if (host !== undefined) return { type: 'placed', host, why: placedFor };
  if (waitsFor === undefined) return undefined;
  const { on, agent } = placeableOf(state, nameClaim(state, claim));
  return { type: 'waiting', why: waitsFor, labels: on, agent };
}
