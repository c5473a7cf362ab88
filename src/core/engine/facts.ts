// Small changes and queries of a state, which applying an event is made of. Only `apply` and its parts call those that
// change it.
import { assert } from '../assert.ts';
import { stepOfId, taskOfPath, type Compiled, type CompiledStep, type CompiledTask } from '../compile/compiled.ts';
import { resolverPools } from '../compile/sequence.ts';
import { fire } from '../net/fire.ts';
import { countAt, tokensAt } from '../net/play.ts';
import { forEachArc } from '../net/walk-arcs.ts';
import { releaseAfterReturn, releasePrecedence } from './deferred.ts';
import type { Claim, State } from './state.ts';
import type { TaskFacts, Why } from './task-facts.ts';
import type { StepFacts } from './step-facts.ts';
import type { PoolDemand } from '../plan/plan.ts';
import type { ClaimRef } from '../protocol/assignment.ts';
import type { Spend } from '../protocol/result.ts';
import type { Ended, Ending } from './event.ts';
import { standInLine, takenStill, type StarvationGuard } from './starvation-guard.ts';
import { FRESH, type Token } from './token.ts';

export const ENDED_WELL = { ending: 'done', reason: undefined, cause: undefined } as const;
export const ZERO_SPEND = { usd: 0, tokens: 0 } as const;
/** The reservation and the cost of work that costs nothing. */
export const FREE: Spend = { usd: undefined, tokens: undefined };

export function factsOf(state: State, index: number): TaskFacts {
  const facts = state.tasks[index];
  assert(facts !== undefined, 'Every task has its facts.');
  return facts;
}

export function stepFactsOf(state: State, { task, index }: CompiledStep): StepFacts {
  const facts = factsOf(state, task).steps[index];
  assert(facts !== undefined, 'Every step has its facts.');
  return facts;
}

export function taskAt({ compiled }: Pick<State, 'compiled'>, index: number): CompiledTask {
  const task = compiled.tasks[index];
  assert(task !== undefined, 'Every index is of a task.');
  return task;
}

export function fired(state: State, transition: number | undefined, colour: Token = FRESH): State {
  assert(transition !== undefined, 'The log holds an event for a stage that this plan does not have.');
  fire(state.play, transition, colour);
  state.fired = transition;
  if (state.holds.size > 0 || state.throttled.size > 0) releasePrecedence(state);
  if (state.guard !== undefined) noticeGiven(state, state.guard, transition);
  return state;
}

/** Steps that became ready stand in line, and returned tokens may enable deferred claims. */
function noticeGiven(state: State, guard: StarvationGuard, transition: number): void {
  const { net, placeRole, tasks } = state.compiled;
  forEachArc(net.gives, transition, (place) => {
    if (net.counted[place] === 1)
      return releaseAfterReturn(state, place, (keptBack, claim) =>
        takenStill(guard, state.play, { ...keptBack, claim, kept: keptBack.claim }),
      );
    const role = placeRole(place);
    const isOfStep = role.type === 'collect' || (role.type === 'step' && role.stage === 'ready');
    const step = isOfStep ? tasks[role.task]?.steps[role.step] : undefined;
    if (step?.ready.every((each) => countAt(state.play, each) > 0) === true) standInLine(guard, step);
  });
}

/** The oldest token at a place; a fresh one where there is none, as for a stage that the task lacks. */
export function tokenAt(state: State, place: number | undefined): Token {
  return (place === undefined ? undefined : tokensAt(state.play, place)[0]) ?? FRESH;
}

/** A claim by its names in the log and for hosts. */
export function nameClaim(state: State, { work, task: index, step, attempt }: Claim): ClaimRef {
  const { task, steps } = taskAt(state, index);
  return { work, task: task.path, step: step === undefined ? undefined : steps[step]?.step.id, attempt };
}

/** The claim with this name; undefined when it is over or was never made. */
export function claimNamed(state: State, ref: ClaimRef): Claim | undefined {
  const task = taskOfPath(state.compiled, ref.task);
  const claim = task === undefined ? undefined : claimOfWork(state, task, ref);
  return claim?.attempt === ref.attempt ? claim : undefined;
}

function claimOfWork(state: State, task: CompiledTask, { work, step: id }: ClaimRef): Claim | undefined {
  const { steps, places } = task;
  switch (work) {
    case 'step': {
      const step = stepOfId(task, id);
      return step === undefined ? undefined : claimAt(state, asHeld(state, step).working);
    }
    case 'resolve': {
      const claim = claimAt(state, places.resolving);
      return steps[claim?.step ?? -1]?.step.id === id ? claim : undefined;
    }
    case 'check':
      return claimAt(state, places.checking);
    case 'merge':
      return claimAt(state, places.merging);
  }
}

export function claimAt(state: State, place: number | undefined): Claim | undefined {
  return place === undefined ? undefined : state.claims.get(place);
}

/** All variants of the step, its first agent's first. */
export function variantsOf(state: State, { task, index }: CompiledStep): readonly CompiledStep[] {
  const main = taskAt(state, task).steps[index];
  return main === undefined ? [] : [main, ...main.otherVariants];
}

/** The running variant of the step; the first agent's when none is running. */
export function asHeld(state: State, step: CompiledStep): CompiledStep {
  if (step.otherVariants.length === 0) return step;
  return step.otherVariants.find(({ working }) => claimAt(state, working) !== undefined) ?? step;
}

/** The running claim on a step: its own, or its agent's turn on a conflict. */
export function claimOnStep(state: State, step: CompiledStep): Claim | undefined {
  const { task, index, working } = asHeld(state, step);
  const resolving = claimAt(state, taskAt(state, task).places.resolving);
  return claimAt(state, working) ?? (resolving?.step === index ? resolving : undefined);
}

export function addClaim(state: State, place: number | undefined, claim: Claim): void {
  assert(place !== undefined, 'What is claimed has a place to be at work in.');
  state.claims.set(place, claim);
}

export function dropClaim(state: State, place: number | undefined): void {
  if (place !== undefined) state.claims.delete(place);
}

/** A failure that the step's own `on_error` ignores ends no other work. */
export const isForgiven = ({ step }: CompiledStep, ending: Ending): boolean =>
  ending === 'failed' && step.onError === 'continue';

/** Reasons that end a task as a whole, rather than one of its steps because of another. */
export const isOfWholeTask = ({ reason }: { readonly reason: string | undefined }): boolean =>
  isLasting({ reason }) || reason === 'lost';

/** Reasons of them that still hold when the task is reset because of another. */
export const isLasting = ({ reason }: { readonly reason: string | undefined }): boolean =>
  reason === 'cancelled' || reason === 'fail_fast' || reason === 'race' || reason === 'skipped';

/** The ending of work that is ended for a reason from outside. */
export function endedBy({ reason, cause }: Why): Ended {
  return { ending: reason === 'skipped' ? 'skipped' : 'cancelled', reason, cause };
}

/** The variant of the step for the claim's agent; undefined when the plan gives the step to other agents. */
export function variantOf({ steps }: CompiledTask, { step, agent }: Claim): CompiledStep | undefined {
  const main = steps[step ?? -1];
  if (main === undefined || agent === undefined) return main;
  return [main, ...main.otherVariants].find(({ agents }) => agents.includes(agent));
}

/** The pool tokens that a claim holds; checks and merges hold none. */
export const poolsOf = (state: State, claim: Claim): readonly PoolDemand[] =>
  poolsIn(state.compiled, taskAt(state, claim.task), claim);

function poolsIn({ plan }: Compiled, task: CompiledTask, claim: Claim): readonly PoolDemand[] {
  if (claim.work === 'check' || claim.work === 'merge') return [];
  const step = variantOf(task, claim)?.step;
  if (claim.work === 'resolve') return resolverPools(step, plan.agents);
  const other = step?.type === 'prompt' ? step.fallbacks.find(({ agent }) => agent === claim.agent) : undefined;
  return other?.pools ?? step?.pools ?? [];
}

/** Whether the claim holds slots of a pool, for itself or for its task, whose work ends on a host that is cut off. */
export const endsCutOff = (state: State, claim: Claim): boolean =>
  endsCutOffIn(state.compiled, taskAt(state, claim.task), claim);

/** The same under another plan, in which the claim is of this task. */
export function endsCutOffIn(compiled: Compiled, of: CompiledTask, claim: Claim): boolean {
  const held = of.task.type === 'work' ? of.task.hold : [];
  const { pools } = compiled.plan;
  return [...poolsIn(compiled, of, claim), ...held].some(
    (demand) => pools.find(({ name }) => name === demand.pool)?.whenCutOff !== 'continue',
  );
}

/** The task that an event names. */
export function taskNamed(compiled: Compiled, path: string): CompiledTask {
  const task = taskOfPath(compiled, path);
  assert(task !== undefined, `The log speaks of the task ${path}, which the plan of this run does not have.`);
  return task;
}

/** The step that an event names. */
export function stepNamed(task: CompiledTask, id: string | undefined): CompiledStep {
  const step = stepOfId(task, id);
  assert(step !== undefined, `The log speaks of the step ${id} of ${task.task.path}, which has no such step.`);
  return step;
}
