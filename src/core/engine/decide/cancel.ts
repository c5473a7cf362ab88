// Stopping work: cancel (for good) or preempt (claimed again later). Cancelling is draining: each task, step and claim
// is ended by an event of its own, which fires a transition like any other.
//
// cancel/C1. Cancelling is never requested twice, and ended work is left alone, so it can be repeated after a crash.
// cancel/C2. A merge cannot be half undone. It is asked to stop, and the first result decides: a merge that succeeded
//     makes the task done; a merge that stopped, failed or was outrun ends the task as cancelled.
import type { CompiledStep, CompiledTask } from '../../compile/compiled.ts';
import { isEnabled } from '../../net/enabled-set.ts';
import { countAt } from '../../net/play.ts';
import type { RunEvent } from '../event.ts';
import { asHeld, claimAt, endedBy, factsOf, isOfWholeTask, nameClaim, stepFactsOf, taskAt } from '../facts.ts';
import { accountsOf } from '../ledger.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import type { ResetSet } from '../reset-set.ts';
import type { Claim, State, ToEnd } from '../state.ts';
import type { Why } from '../task-facts.ts';
import { whyEnded } from './open-step.ts';

/** The next event that ends noted work; undefined when all of it has ended or is being cancelled. */
export function nextCancelling(state: State, at: number): RunEvent | undefined {
  for (let last = state.toEnd.at(-1); last !== undefined; last = state.toEnd.at(-1)) {
    const event = endOf(state, last, at);
    if (event !== undefined) return event;
    state.toEnd.pop();
  }
  return undefined;
}

/** Ends these tasks and all tasks inside them, in order. Each event is applied before the next is requested. */
export function* cancelTasks(
  state: State,
  tasks: readonly TaskIndex[],
  { at, why }: Cancelling,
): Generator<RunEvent, void> {
  for (const index of tasks) {
    yield* cancelAgain(state, [{ task: index, why }], at);
    yield* cancelTasks(state, taskAt(state, index).children, { at, why });
  }
}

/** Ends each of these tasks for its own reason. */
export function* cancelAgain(state: State, again: ResetSet['again'], at: number): Generator<RunEvent, void> {
  for (const { task: index, why } of again) {
    const task = taskAt(state, index);
    for (
      let event = cancelTask(state, task, { at, why });
      event !== undefined;
      event = cancelTask(state, task, { at, why })
    )
      yield event;
  }
}

function endOf(state: State, noted: ToEnd, at: number): RunEvent | undefined {
  const task = taskAt(state, noted.task);
  switch (noted.type) {
    case 'task':
      return cancelTask(state, task, { at, why: noted.why });
    case 'steps':
      return cancelSteps(state, task, at);
    case 'closing':
      return close(state, task, at);
    case 'spending':
      return cancelSpending(state, task, { at, budget: noted.budget });
  }
}

/** Ends the running steps of a task, and its agent's turn on a conflict; finished work is still checked and merged. */
function cancelSpending(
  state: State,
  { index, steps, places }: CompiledTask,
  { at, budget }: { readonly at: number; readonly budget: string | undefined },
): RunEvent | undefined {
  const account = accountsOf(state.ledger, index).find((each) => each.task === budget);
  // A person may have retried tasks since.
  if (account?.isReached !== true) return undefined;
  const running = [...steps.map((step) => asHeld(state, step).working), places.resolving];
  const claims = running.flatMap((place) => claimAt(state, place) ?? []);
  const claim = claims.find(({ cancelling }) => cancelling === undefined);
  if (claim === undefined) return undefined;
  return { type: 'claim.cancelling', at, ...nameClaim(state, claim), reason: 'cost', cause: undefined, budget };
}

interface Cancelling {
  readonly at: number;
  readonly why: Why;
}

/** Ends a task like its check or its merge. */
function close(state: State, { task, index }: CompiledTask, at: number): RunEvent | undefined {
  const { ended, closing } = factsOf(state, index);
  if (ended !== undefined || closing === undefined) return undefined;
  return { type: 'task.ended', at, task: task.path, ...closing };
}

function cancelTask(state: State, task: CompiledTask, { at, why }: Cancelling): RunEvent | undefined {
  const facts = factsOf(state, task.index);
  const { places } = task;
  const { path } = task.task;
  const holds = (place: number | undefined): boolean => place !== undefined && countAt(state.play, place) > 0;
  if (facts.ended !== undefined) return undefined;
  if (facts.closing !== undefined) return close(state, task, at);
  if (holds(places.waiting)) {
    return facts.cancelling === undefined ? { type: 'task.cancelling', at, task: path, ...why } : undefined;
  }
  if (holds(places.asking) || holds(places.queued) || holds(places.worked) || holds(places.conflicted)) {
    return { type: 'task.ended', at, task: path, ...endedBy(why), result: undefined };
  }
  for (const place of [places.checking, places.merging, places.resolving]) {
    const claim = claimAt(state, place);
    if (claim !== undefined) return cancelClaim(state, claim, { at, why });
  }
  for (const step of task.steps) {
    const event = cancelStep(state, step, { at, why });
    if (event !== undefined) return event;
  }
  return undefined;
}

/** A claim being cancelled for its cost, or because of another step, may yet be cancelled with its whole task. */
function cancelClaim(state: State, claim: Claim, { at, why }: Cancelling): RunEvent | undefined {
  const isNews = claim.cancelling === undefined || (isOfWholeTask(why) && !isOfWholeTask(claim.cancelling));
  return isNews ? { type: 'claim.cancelling', at, ...nameClaim(state, claim), ...why } : undefined;
}

/** Ends the steps of a task that another step's failure ends. */
function cancelSteps(state: State, task: CompiledTask, at: number): RunEvent | undefined {
  for (const step of task.steps) {
    const why = whyEnded(state, step);
    const event = why === undefined ? undefined : cancelStep(state, step, { at, why });
    if (event !== undefined) return event;
  }
  return undefined;
}

function cancelStep(state: State, of: CompiledStep, { at, why }: Cancelling): RunEvent | undefined {
  const step = asHeld(state, of);
  const about = { at, task: taskAt(state, step.task).task.path, step: step.step.id };
  if (stepFactsOf(state, step).ended !== undefined) return undefined;
  const claim = claimAt(state, step.working);
  if (claim !== undefined) return cancelClaim(state, claim, { at, why });
  const question = step.asking === undefined ? undefined : state.questions.get(step.asking);
  if (question !== undefined)
    return { type: 'claim.answered', ...about, work: 'step', attempt: question.attempt, ...endedBy(why) };
  return isEnabled(state.play, step.transitions.drop) ? { type: 'step.skipped', ...about, ...endedBy(why) } : undefined;
}

/** Requests to stop running claims and claim them again later; a merge is short and runs to its end. */
export function* preempt(state: State, claims: Iterable<Claim>, at: number): Generator<RunEvent, void> {
  for (const claim of claims) {
    if (claim.preempting || claim.cancelling !== undefined || claim.work === 'merge') continue;
    yield { type: 'claim.preempting', at, ...nameClaim(state, claim) };
  }
}
