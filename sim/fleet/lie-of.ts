// What a host on another machine says of a claim that is not its own: that it is done, or that it has it.
import type { ClaimRef } from '../../src/core/protocol/assignment.ts';
import { nameClaim } from '../../src/core/engine/facts.ts';
import type { Sync } from '../../src/core/protocol/sync.ts';
import type { WorkOutcome } from '../../src/core/protocol/work-outcome.ts';
import { NOTHING_SPENT } from '../world/start-worker.ts';
import type { World } from '../world/world.ts';

/** The commit of a lie, which is on no server. */
export const LIE = 'work of a liar';

/** The parts of its message that differ; none when it tells the truth. */
export function lieOf({ dice, observer }: World, host: string, { done, held }: Sync): Partial<Sync> {
  const others = [...observer.state.claims.values()].filter((claim) => claim.host !== host);
  const random = dice.of('far host lies');
  const claim = others[random.below(Math.max(1, others.length))];
  if (claim === undefined || !dice.strikes('far host lies')) return {};
  const ref = nameClaim(observer.state, claim);
  // A claim that is nowhere yet may be given to this very host, and of its own claims a host may say what it likes.
  const isNowhere = claim.host === undefined && claim.work !== 'merge';
  const spend = isNowhere ? NOTHING_SPENT : { usd: 1, tokens: 1 };
  if (isNowhere || random.happens(0.5)) return { held: [...held, { claim: ref, spend }] };
  return { done: [...done, claimedDone(ref)] };
}

function claimedDone(claim: ClaimRef): WorkOutcome {
  const result = { ok: true, response: LIE, output: undefined, exitCode: 0, commit: LIE };
  return { type: 'finished', ...claim, spend: { usd: 0, tokens: 0 }, result };
}
