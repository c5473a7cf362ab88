// What amending the plan of a run does.
import { amendmentOf } from '../amend/amendment.ts';
import { expectedOf, isAsShown } from '../amend/decide-amend.ts';
import { readPlan } from '../amend/read-plan.ts';
import type { AmendCommand } from '../command.ts';
import type { State } from '../state.ts';
import { accepted, refused, type Handled } from './handled.ts';

export function amendByHand(state: State, command: AmendCommand): Handled {
  const compiled = readPlan(command.plan);
  if (compiled === undefined) return refused({ code: 'amend.unreadable' });
  const amendment = amendmentOf(state, compiled);
  if (amendment.refused.length > 0) return refused(...amendment.refused);
  const actual = expectedOf(state, amendment);
  if (!isAsShown(actual, command.expects)) return refused({ code: 'amend.outdated', shown: command.expects, actual });
  return accepted(command, { code: 'plan.amended', ...actual, claims: amendment.toStop.length });
}
