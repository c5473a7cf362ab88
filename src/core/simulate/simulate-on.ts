// The ETA of a run: its present state, simulated to the end in many scenarios.
//
// simulate-on/I1. Questions are answered and paused tasks resumed at once in the simulation, because the time that
//     people
//   take cannot be forecast.
// simulate-on/I2. Every time is a median over the same scenarios, so no task is expected to end after the run.
import type { RunEvent } from '../engine/event.ts';
import { copyState } from '../engine/copy-state.ts';
import { taskAt } from '../engine/facts.ts';
import type { State } from '../engine/state.ts';
import { estimateStep, type History } from './estimate.ts';
import { rangeOf, type Range } from './range.ts';
import { drawScenarios, type Scenario } from './draw-scenarios.ts';
import { carryOn } from './simulate-run.ts';
import type { Unfinished } from './variability.ts';

/** Times on the clock of the run; undefined when the step is not expected to start, or has ended already. */
export interface ExpectedSpan {
  readonly startAt: number | undefined;
  readonly endAt: number | undefined;
}

export interface ExpectedTask extends ExpectedSpan {
  readonly steps: ReadonlyMap<string, ExpectedSpan>;
}

export interface ExpectedEnd {
  /** The moment from which it was simulated. */
  readonly at: number;
  /** The end of the run: likely, and from when to when. */
  readonly endAt: Range;
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

type Drafts = Map<string, TaskDraft>;

/** Bound on simulated steps, so that an ETA is quick enough for an active run. */
const STEPS_SIMULATED_MAX = 2_000;
const SCENARIOS_MIN = 5;

export interface CarryOn {
  readonly now: number;
  readonly history: History;
}

/** The present state stays as it is: each scenario uses up a copy. */
export function simulateOn(present: State, { now, history }: CarryOn): ExpectedEnd {
  const { run, compiled } = present;
  if (run.stage === 'ended') return { at: now, endAt: rangeOf([run.endedAt ?? now]), tasks: new Map() };
  const steps = compiled.tasks.reduce((sum, task) => sum + task.steps.length, 0);
  const bounds = { steps, stepsMax: STEPS_SIMULATED_MAX, least: SCENARIOS_MIN };
  const unfinished = unfinishedIn(present, { now, history });
  const outcomes = drawScenarios({ history, seed: run.seed, unfinished }, bounds).map((scenario) =>
    carriedOn(copyState(present), scenario, now),
  );
  return {
    at: now,
    endAt: rangeOf(outcomes.map(({ endAt }) => endAt)),
    tasks: mediansOf(outcomes.map(({ tasks }) => tasks)),
  };
}

function unfinishedIn(state: State, { now, history }: CarryOn): readonly Unfinished[] {
  const { level } = history.variability;
  return [...state.claims.values()].flatMap(({ work, task, step, at }): Unfinished[] => {
    const compiledStep = taskAt(state, task).steps[step ?? -1];
    if (work !== 'step' || compiledStep === undefined || at >= now) return [];
    const { ms, origin, doubt, lean } = estimateStep(state.compiled, compiledStep, history);
    if (ms === 0) return [];
    return [{ soFar: Math.log((now - at) / ms) - lean + (origin === 'earlier runs' ? level : 0), doubt }];
  });
}

function carriedOn(state: State, scenario: Scenario, now: number): { readonly endAt: number; readonly tasks: Drafts } {
  const drafts: Drafts = new Map();
  for (const { work, task, step, at } of state.claims.values()) {
    const { task: named, steps } = taskAt(state, task);
    begin(drafts, { task: named.path, step: work === 'step' ? steps[step ?? -1]?.step.id : undefined, at });
  }
  const { events, endedAt } = carryOn(state, scenario, { now, first: { type: 'resume', tasks: [] } });
  for (const event of events) note(drafts, event);
  return { endAt: endedAt, tasks: drafts };
}

/** By name, the median of each time over the scenarios. */
function mediansOf(all: readonly Drafts[]): Drafts {
  const joined: Drafts = new Map();
  for (const path of namesIn(all)) {
    const drafts = all.map((each) => each.get(path));
    const steps = new Map<string, Draft>();
    for (const step of namesIn(drafts.map((each) => each?.steps ?? new Map())))
      steps.set(step, spanOf(drafts.map((each) => each?.steps.get(step))));
    joined.set(path, { ...spanOf(drafts), steps });
  }
  return joined;
}

const namesIn = (all: readonly ReadonlyMap<string, unknown>[]): ReadonlySet<string> =>
  new Set(all.flatMap((each) => [...each.keys()]));

const spanOf = (drafts: readonly (Draft | undefined)[]): Draft => ({
  startAt: medianOf(drafts.map((each) => each?.startAt)),
  endAt: medianOf(drafts.map((each) => each?.endAt)),
});

/** A scenario without the event counts as never; undefined when that is the median. */
function medianOf(times: readonly (number | undefined)[]): number | undefined {
  const { likely } = rangeOf(times.map((time) => time ?? Infinity));
  return likely === Infinity ? undefined : likely;
}

function note(drafts: Drafts, event: RunEvent): void {
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

function endStep(drafts: Drafts, { task, step = '', at }: Begun): void {
  draftOf(draftOf(drafts, task, noSteps).steps, step, nothing).endAt = at;
}

interface Begun {
  readonly task: string;
  readonly step: string | undefined;
  readonly at: number;
}

/** A step with several attempts starts with the first. */
function begin(drafts: Drafts, { task, step, at }: Begun): void {
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
