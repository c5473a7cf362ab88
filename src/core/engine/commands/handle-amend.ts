// Handles the command to amend the plan of a run.
import { compile } from '../../compile/compile.ts';
import { amendmentOf } from '../amendment.ts';
import { expectedOf, isAsShown } from '../decide/decide-amend.ts';
import type { AmendCommand } from '../command.ts';
import type { State } from '../state.ts';
import { accepted, refused, type Handled } from './handled.ts';

export function amendByHand(state: State, command: AmendCommand): Handled {
  const amendment = amendmentOf(state, compile(command.plan));
  if (amendment.refused.length > 0) return refused(...amendment.refused);
  const actual = expectedOf(state, amendment);
  if (!isAsShown(actual, command.expects)) return refused({ code: 'amend.outdated', shown: command.expects, actual });
  return accepted(command, { code: 'plan.amended', ...actual, claims: amendment.toStop.length });
}
