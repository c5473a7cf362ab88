// (state, event) → state. The one place where the facts of a run change.
//
// apply/Y1. Each event fires its one transition, except events that set a marking (event/E1); everything else recorded
//     is a fold of the same event.
// apply/Y2. `apply` decides nothing: the event states what happened.
import { compile } from '../../compile/compile.ts';
import { carryOver } from './carry-over.ts';
import { applyGrown } from './grow.ts';
import type { EndedAgain, RunEvent } from '../event.ts';
import { wholeRow, type WholeEvent } from '../events/run-events.ts';
import { applyToClaim } from './apply-to-claim.ts';
import { applyToTask } from './apply-to-task.ts';
import { applyToStep } from './claim-of-step.ts';
import { factsOf, fired, taskNamed } from '../facts.ts';
import { releasePrecedence } from '../deferred.ts';
import { loseTasks } from './lose-tasks.ts';
import { resetTasks } from './reset-tasks.ts';
import type { State } from '../state.ts';
import { setLimit } from './turn-facts.ts';

/** Changes and returns the state it is given. */
export function apply(state: State, event: RunEvent): State {
  state.run.now = Math.max(state.run.now, event.at);
  state.run.events += 1;
  state.fired = undefined;
  if ('work' in event) return applyToClaim(state, event);
  if ('step' in event) return applyToStep(state, event);
  if ('task' in event) return applyToTask(state, event);
  return applyToRun(state, event);
}

function applyToRun(state: State, event: WholeEvent): State {
  const transition = wholeRow(event).transition?.(state.compiled, event);
  switch (event.type) {
    case 'run.started': {
      const { seed, inputs, base, sandboxes, author, at: startedAt } = event;
      Object.assign(state.run, { stage: 'going', seed, inputs, base, sandboxes, author, startedAt });
      return fired(state, transition);
    }
    case 'run.paused':
      state.run.stage = 'paused';
      state.run.pausedFor = event.cause;
      return fired(state, transition);
    case 'run.resumed':
      state.run.stage = 'going';
      state.run.pausedFor = undefined;
      // A person who resumes the run has fixed the cause.
      state.repeatedFailures.clear();
      return fired(state, transition);
    case 'run.sandboxed':
      state.run.sandboxes = event.sandboxes;
      return fired(state, transition);
    case 'run.ended':
      state.run.stage = 'ended';
      state.run.endedAt = event.at;
      return fired(state, transition);
    case 'task.reset':
      resetTasks(state, event.tasks);
      for (const path of event.told?.tasks ?? [])
        factsOf(state, taskNamed(state.compiled, path).index).told = event.told?.text;
      return noteAgain(state, event.again ?? []);
    case 'task.lost':
      return loseTasks(state, event);
    case 'plan.amending':
      amending(state, event);
      return fired(state, transition);
    case 'plan.amended':
      return carryOver(state, event);
    case 'plan.grown':
      return applyGrown(state, event);
    case 'pool.closed':
      state.exhausted.set(event.pool, event.until);
      // Other agents may take over steps of the closed pool's agents.
      releasePrecedence(state);
      return fired(state, transition);
    case 'pool.opened':
      state.exhausted.delete(event.pool);
      releasePrecedence(state);
      return fired(state, transition);
    case 'pool.throttled':
    case 'pool.restored':
      setLimit(state, event);
      return fired(state, transition);
  }
}

/** Notes the reset tasks that are ended again for their earlier reason. */
function noteAgain(state: State, again: readonly EndedAgain[]): State {
  for (const { task, reason, cause } of again)
    state.toEnd.push({ type: 'task', task: taskNamed(state.compiled, task).index, why: { reason, cause } });
  return state;
}

type Amending = Extract<RunEvent, { type: 'plan.amending' }>;

/** Until the plan is amended, these tasks count as paused by a person. */
function amending(state: State, { plan, priorities, tasks }: Amending): void {
  const { indexOf } = state.compiled;
  state.amending = {
    plan,
    priorities,
    compiled: compile(plan),
    tasks: new Set(tasks.flatMap((path) => indexOf.get(path) ?? [])),
  };
}
