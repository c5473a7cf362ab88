// Settles the outcomes of a task's check and of its merge.
//
// settle/Z5. A failed check, alone or after merging, sends the task back to its agent: one counter and one limit for
//     both. A check that also fails without the task's work sends no task back.
// settle/Z6. A conflict goes to the task's agent as often as the plan allows, then to a person.
import type { CompiledTask } from '../../compile/compiled.ts';
import type { Reason, Result } from '../../protocol/result.ts';
import type { ClaimOver, OutcomeOf } from '../../protocol/work-outcome.ts';
import type { Ended, RunEvent } from '../event.ts';
import { ENDED_WELL, endedBy, factsOf, FREE, nameClaim, tokenAt } from '../facts.ts';
import type { Claim, State } from '../state.ts';
import { resultStep } from '../../plan/result-step.ts';

interface Settling {
  readonly outcome: ClaimOver;
  readonly claim: Claim;
  readonly at: number;
}

export function settleCheck(state: State, task: CompiledTask, { outcome, claim, at }: Settling): RunEvent | undefined {
  const over = overAt(state, claim, at);
  if (claim.cancelling !== undefined) return over.ended(endedBy(claim.cancelling));
  switch (outcome.type) {
    case 'finished':
      return outcome.result.ok ? over.ended(ENDED_WELL) : failCheck(state, task, { result: outcome.result, over });
    case 'failed':
      return isOfWorker(outcome) ? redoCheck(state, task, over) : failCheck(state, task, { ...outcome, over });
    case 'stopped':
      return over.returned(outcome.by ?? 'cancelled', false);
    case 'lost':
      return redoCheck(state, task, over);
    // A check is no agent's turn, and merges nothing.
    case 'limited':
    case 'asked':
    case 'conflict':
    case 'outrun':
    case 'rewound':
      return undefined;
  }
}

/** Whether the worker failed rather than the command. */
const isOfWorker = ({ reason, isFinal }: OutcomeOf<'failed'>): boolean =>
  reason === 'crashed' || (reason === 'refused' && !isFinal);

function failCheck(
  state: State,
  task: CompiledTask,
  { result, reason, over }: Pick<OutcomeOf<'failed'>, 'result'> & { readonly reason?: Reason } & OverAt,
): RunEvent {
  // A check with a missing value did not run; sending the task back to the agent would not help.
  if (reason === 'expression') return over.ended({ ending: 'failed', reason, cause: result?.response });
  const redo = tokenAt(state, task.places.checking).redo + 1;
  return over.ended(UNCHECKED, { says: result?.response ?? '', redo: redoOf(task, task.transitions.redo, redo) });
}

/** A check whose worker is lost runs again, but with a limit: the check itself may kill its worker. */
const redoCheck = (state: State, task: CompiledTask, over: OverAt['over']): RunEvent =>
  factsOf(state, task.index).checksLost < task.task.settings.attemptsMax
    ? over.returned('crashed', true)
    : over.ended(CRASHED);

export function settleMerge(state: State, task: CompiledTask, { outcome, claim, at }: Settling): RunEvent | undefined {
  const over = overAt(state, claim, at);
  // A lost host may have merged the work, so the merge is owed to another host, which inspects the run branch.
  if (outcome.type === 'lost') return undefined;
  if (claim.cancelling !== undefined && outcome.type !== 'finished') return over.ended(endedBy(claim.cancelling));
  switch (outcome.type) {
    case 'stopped':
      return over.returned('cancelled', false);
    case 'finished':
      return over.ended(ENDED_WELL, { result: withCommit(state, task, outcome.result.commit) });
    case 'failed':
      return failMerge(state, task, { outcome, over });
    case 'conflict': {
      const { paths, with: others, onto } = outcome;
      const conflict = { paths, with: others, onto };
      return isForAgent(state, task) ? over.ended(CONFLICTED, { conflict }) : over.asked(conflict);
    }
    case 'outrun':
    case 'rewound':
      return over.returned('outrun', false);
    // A merge is no agent's turn.
    case 'limited':
    case 'asked':
      return undefined;
  }
}

interface OverAt {
  readonly over: ReturnType<typeof overAt>;
}

type ClaimEnded = Extract<RunEvent, { type: 'claim.ended' }>;

/** The events that end a claim of a task as a whole. */
function overAt(state: State, claim: Claim, at: number) {
  const about = { at, ...nameClaim(state, claim), spend: FREE };
  return {
    ended: (ended: Ended, more: Partial<Pick<ClaimEnded, 'result' | 'redo' | 'says' | 'conflict'>> = {}): RunEvent => ({
      type: 'claim.ended',
      ...about,
      ...ended,
      result: undefined,
      ...more,
    }),
    returned: (reason: 'cancelled' | 'lease' | 'crashed' | 'outrun', counted: boolean): RunEvent => ({
      type: 'claim.returned',
      ...about,
      reason,
      counted,
      until: at,
    }),
    asked: (conflict: ClaimEnded['conflict']): RunEvent => ({
      type: 'claim.asked',
      ...about,
      reason: 'conflict',
      result: undefined,
      conflict,
    }),
  };
}

const CRASHED: Ended = { ending: 'failed', reason: 'crashed', cause: undefined };
const UNCHECKED: Ended = { ending: 'failed', reason: 'check', cause: undefined };
const CONFLICTED: Ended = { ending: 'failed', reason: 'conflict', cause: undefined };

/** The number of times a failed check has sent the task back to its agent, while attempts are left. */
const redoOf = ({ task }: CompiledTask, transition: number | undefined, redo: number): number | undefined =>
  transition !== undefined && redo < task.settings.attemptsMax ? redo : undefined;

function failMerge(
  state: State,
  task: CompiledTask,
  { outcome, over }: { readonly outcome: OutcomeOf<'failed'> } & OverAt,
): RunEvent {
  const { reason, isBaseline = false, result } = outcome;
  const tail = result?.response ?? '';
  if (reason !== 'check') return over.ended({ ending: 'failed', reason, cause: tail === '' ? undefined : tail });
  if (isBaseline) return over.ended({ ...UNCHECKED, reason: 'baseline' }, { says: tail });
  const redo = tokenAt(state, task.places.merging).redo + 1;
  return over.ended(UNCHECKED, { says: tail, redo: redoOf(task, task.transitions.redoMerge, redo) });
}

function isForAgent(state: State, { task, transitions, places }: CompiledTask): boolean {
  const { conflicts } = tokenAt(state, places.merging);
  return transitions.conflict !== undefined && conflicts < task.settings.merge.conflictAttemptsMax;
}

function withCommit(state: State, task: CompiledTask, commit: string | undefined): Result | undefined {
  const last = factsOf(state, task.index).steps[resultStep(task.steps.map(({ step }) => step))]?.result;
  return last === undefined || commit === undefined ? last : { ...last, commit };
}
