// Settles a permission request of an agent: by a person's decision, or by the policy of a plan that asks nobody.
//
// settle-permission/V3. Where the plan asks people, only a person's yes grants a permission, and only for the exact
//     request. A timeout never does (switches/V2), and neither does any other answer.
import type { Decision, RunEvent } from '../event.ts';
import type { Permission } from '../../protocol/result.ts';
import type { Decided } from '../outcome.ts';

/** The text for the agent, and the decision to record. */
export function decidedOn(
  permission: Permission,
  decided: Decided,
  words: string,
): Pick<Extract<RunEvent, { type: 'claim.answered' }>, 'says' | 'decision'> {
  const isAllowed = decided !== 'no';
  const decision: Decision = { key: permission.key, isAllowed, isForTask: decided === 'always' };
  return { says: `${tellingOf(permission, isAllowed)}${words === '' ? '' : `\n${words}`}`, decision };
}

/** The text for the agent about its permission request, when it continues. */
export function tellingOf({ tool, about }: Permission, isAllowed: boolean): string {
  const what = about === '' ? tool : `${tool}: ${about}`;
  return isAllowed
    ? `You asked to use ${what}\nThat is allowed. Do it, and go on to the end of what you were asked.`
    : `You asked to use ${what}\nThat is refused. Do not try it again, nor the same thing in another way; go on without it as well as you can, and say what you had to leave out.`;
}
