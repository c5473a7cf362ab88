// Why a task waited, or why nothing ran, at a time of the run: from the state as it stood then, in the words of the live view.
import type { RunEvent } from '../../src/core/engine/event.ts';
import { taskAt } from '../../src/core/engine/facts.ts';
import type { State } from '../../src/core/engine/state.ts';
import { statusOf, type Status } from '../../src/core/view/run/run-status.ts';
import { stageOf } from '../../src/core/view/run/stage.ts';
import { holdersText, waitText } from '../../src/core/view/text/short-wait.ts';

/** The log of a run, of which any position can be looked at. */
export interface LookedAt {
  readonly events: readonly RunEvent[];
  readonly glanceAt: (position: number) => State | undefined;
}

/** `ms` counts from the start of the run. Undefined when the plan had no such task then. */
export function waitAt(log: LookedAt, task: string, ms: number): string | undefined {
  const { state, now } = glance(log, ms);
  const index = state?.compiled.indexOf.get(task);
  if (state === undefined || index === undefined) return undefined;
  const seen = { state, now };
  const of = { task, stage: stageOf(state, taskAt(state, index)) };
  const holders = holdersText(of, seen);
  return `${waitText(of, seen)}${holders === '' ? '' : `, ${holders}`}`;
}

/** What a run waited for while nothing in it ran. */
export function idleAt(log: LookedAt, ms: number): string {
  const { state, now } = glance(log, ms);
  return state === undefined
    ? 'nothing ran'
    : idleText(statusOf(state, { now, given: { inputs: state.run.inputs, env: {} } }));
}

function idleText({ stage, questions, pools, backingOff, running }: Status): string {
  const tasks = questions.map(({ task }) => task);
  const closed = pools.filter(({ closedUntil }) => closedUntil !== undefined).map(({ name }) => name);
  const exhausted = [...closed, ...backingOff.map(({ agent }) => agent)];
  if (stage === 'paused') return 'the run was paused';
  if (tasks.length > 0) return `${tasks.slice(0, 3).join(', ')} waited for a person`;
  if (exhausted.length > 0) return `${exhausted.join(', ')} had no quota`;
  return running.length > 0 ? 'running work reported nothing' : 'nothing ran; perhaps no coordinator was up';
}

function glance(
  { events, glanceAt }: LookedAt,
  ms: number,
): { readonly state: State | undefined; readonly now: number } {
  const now = (events[0]?.at ?? 0) + ms;
  return { state: glanceAt(positionAt(events, now)), now };
}

/** The position after the last event until a time, by halving; clocks that went back are not waited for. */
function positionAt(events: readonly RunEvent[], time: number): number {
  let [low, high] = [1, events.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((events[middle - 1]?.at ?? Infinity) <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}
