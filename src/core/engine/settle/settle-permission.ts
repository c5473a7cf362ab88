// What becomes of a permission that an agent asked for: a person's word on it, or that of a plan that asks nobody.
//
// settle-permission/V3. Only a person's yes grants what the plan asks people about, and only for what was asked, to the
//     letter. Nobody's silence does (switches/V2), and neither does any other word.
import type { Decision, RunEvent } from '../event.ts';
import type { Permission } from '../../protocol/result.ts';
import type { Decided } from '../outcome.ts';

/** What the agent is told, and what is remembered. */
export function decidedOn(
  permission: Permission,
  decided: Decided,
  words: string,
): Pick<Extract<RunEvent, { type: 'claim.answered' }>, 'says' | 'decision'> {
  const isAllowed = decided !== 'no';
  const decision: Decision = { key: permission.key, isAllowed, isForTask: decided === 'always' };
  return { says: `${tellingOf(permission, isAllowed)}${words === '' ? '' : `\n${words}`}`, decision };
}

/** What is said to an agent about what it wanted leave for, when it goes on. */
export function tellingOf({ tool, about }: Permission, isAllowed: boolean): string {
  const what = about === '' ? tool : `${tool}: ${about}`;
  return isAllowed
    ? `You asked to use ${what}\nThat is allowed. Do it, and go on to the end of what you were asked.`
    : `You asked to use ${what}\nThat is refused. Do not try it again, nor the same thing in another way; go on without it as well as you can, and say what you had to leave out.`;
}
