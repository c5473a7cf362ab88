// The ETA of a run: its present state, simulated to the end on the plan's estimates.
//
// I1. Questions are answered and paused tasks resumed at once in the simulation, because the time that people take
//   cannot be forecast.
import type { RunEvent } from '../engine/event.ts';
import { taskAt } from '../engine/facts.ts';
import type { State } from '../engine/state.ts';
import type { Learnt } from './estimate.ts';
import { carryOn } from './simulate.ts';

/** Times on the clock of the run; undefined when the step is not expected to start, or has ended already. */
export interface ExpectedSpan {
  readonly startAt: number | undefined;
  readonly endAt: number | undefined;
}

export interface ExpectedTask extends ExpectedSpan {
  readonly steps: ReadonlyMap<string, ExpectedSpan>;
}

export interface Expected {
  /** The end of the run. */
  readonly endAt: number;
  /** By path, for every task that has not ended. */
  readonly tasks: ReadonlyMap<string, ExpectedTask>;
}

interface Draft {
  startAt: number | undefined;
  endAt: number | undefined;
}

interface TaskDraft extends Draft {
  readonly steps: Map<string, Draft>;
}

/** Consumes the given state: callers fold the log anew for it. */
export function simulateOn(state: State, { now, learnt }: { readonly now: number; readonly learnt: Learnt }): Expected {
  if (state.run.stage === 'ended') return { endAt: state.run.endedAt ?? now, tasks: new Map() };
  const drafts = new Map<string, TaskDraft>();
  for (const { work, task, step, at } of state.claims.values()) {
    const { task: named, steps } = taskAt(state, task);
    begin(drafts, { task: named.path, step: work === 'step' ? steps[step ?? -1]?.step.id : undefined, at });
  }
  const scenario = { seed: state.run.seed, learnt, spread: 0, failureShare: 0, endsWell: true };
  const { events, endedAt } = carryOn(state, scenario, { now, first: { type: 'resume', tasks: [] } });
  for (const event of events) note(drafts, event);
  return { endAt: endedAt, tasks: drafts };
}

function note(drafts: Map<string, TaskDraft>, event: RunEvent): void {
  switch (event.type) {
    case 'claim.made':
      return begin(drafts, { task: event.task, step: event.work === 'step' ? event.step : undefined, at: event.at });
    case 'claim.ended':
      if (event.work === 'step') endStep(drafts, event);
      return undefined;
    case 'claim.answered':
      if (event.ending !== undefined) endStep(drafts, event);
      return undefined;
    case 'step.joined':
    case 'step.skipped':
      return endStep(drafts, event);
    case 'task.ended':
    case 'task.skipped':
      draftOf(drafts, event.task, noSteps).endAt = event.at;
      return undefined;
  }
}

function endStep(drafts: Map<string, TaskDraft>, { task, step = '', at }: Begun): void {
  draftOf(draftOf(drafts, task, noSteps).steps, step, nothing).endAt = at;
}

interface Begun {
  readonly task: string;
  readonly step: string | undefined;
  readonly at: number;
}

/** A step with several attempts starts with the first. */
function begin(drafts: Map<string, TaskDraft>, { task, step, at }: Begun): void {
  const draft = draftOf(drafts, task, noSteps);
  draft.startAt ??= at;
  if (step !== undefined) draftOf(draft.steps, step, nothing).startAt ??= at;
}

const nothing = (): Draft => ({ startAt: undefined, endAt: undefined });
const noSteps = (): TaskDraft => ({ ...nothing(), steps: new Map() });

function draftOf<Item>(drafts: Map<string, Item>, name: string, make: () => Item): Item {
  const draft = drafts.get(name) ?? make();
  drafts.set(name, draft);
  return draft;
}
