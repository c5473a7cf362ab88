// Refuses to go on without the ownership of a run, and says who has it.
import type { LocalOwned, Owned } from '../../shell/ports/ownership.ts';
import { Refused } from '../refused.ts';

export function mustBeOwned<Any extends Owned | LocalOwned>(
  owned: Any,
  run: string,
): asserts owned is Extract<Any, { type: 'owned' }> {
  if (owned.type === 'refused') throw new Refused({ code: 'owned', run, by: owned.by, silentMs: owned.silentMs });
  if (owned.type === 'failed') throw new Refused({ code: 'store', failure: owned.failure });
}
