// (state, event) → state. The one place where a run's facts change.
//
// Y1. Each event fires its one transition, but for those that set a marking (E1); everything else recorded is a fold of
//     the same event.
// Y2. `apply` judges nothing: what the event says happened.
import { compile } from '../../compile/compile.ts';
import { carryOver } from '../amend/carry-over.ts';
import type { RunEvent } from '../event.ts';
import { applyToClaim } from './apply-to-claim.ts';
import { applyToTask } from './apply-to-task.ts';
import { applyToStep } from './claim-of-step.ts';
import { fired, releaseHeldBack } from '../facts.ts';
import { revive } from './revive.ts';
import { rollBack } from './roll-back.ts';
import type { State } from '../state.ts';
import { setLimit } from './turn-facts.ts';

/** Changes and returns the state it is given. */
export function apply(state: State, event: RunEvent): State {
  state.run.now = Math.max(state.run.now, event.at);
  state.run.events += 1;
  if ('work' in event) return applyToClaim(state, event);
  if ('step' in event) return applyToStep(state, event);
  if ('task' in event) return event.type === 'task.rolledBack' ? rollBack(state, event) : applyToTask(state, event);
  return applyToRun(state, event);
}

function applyToRun(state: State, event: Exclude<RunEvent, { task: string }>): State {
  const { run, pools } = state.compiled;
  switch (event.type) {
    case 'run.started': {
      const { seed, inputs, base, at: startedAt } = event;
      Object.assign(state.run, { stage: 'going', seed, inputs, base, startedAt });
      return fired(state, run.start);
    }
    case 'run.paused':
      state.run.stage = 'paused';
      state.run.pausedFor = event.cause;
      return fired(state, run.pause);
    case 'run.resumed':
      state.run.stage = 'going';
      state.run.pausedFor = undefined;
      // Whoever lets it go on has seen to what was wrong.
      state.troubles.clear();
      return fired(state, run.resume);
    case 'run.ended':
      state.run.stage = 'ended';
      state.run.endedAt = event.at;
      return fired(state, run.finish);
    case 'task.reset':
      return revive(state, event.tasks);
    case 'plan.amending':
      return accept(state, event);
    case 'plan.amended':
      return carryOver(state, event);
    case 'pool.closed':
      state.dry.set(event.pool, event.until);
      // Others may take over what its agents would have had.
      releaseHeldBack(state);
      return fired(state, pools.get(event.pool)?.close);
    case 'pool.opened':
      state.dry.delete(event.pool);
      releaseHeldBack(state);
      return fired(state, pools.get(event.pool)?.open);
    case 'pool.throttled':
    case 'pool.restored':
      return setLimit(state, event);
  }
}

type Accepted = Extract<RunEvent, { type: 'plan.amending' }>;

/** Until the plan is amended it is as if a person held these tasks. */
function accept(state: State, { plan, priorities, tasks }: Accepted): State {
  const { indexOf, run } = state.compiled;
  state.amending = {
    plan,
    priorities,
    compiled: compile(plan),
    tasks: new Set(tasks.flatMap((path) => indexOf.get(path) ?? [])),
  };
  return fired(state, run.hold);
}
