// The effect of an amendment on each task and on the run, as data for the person who confirms it.
import { runCapOf } from '../plan/run-cap.ts';
import { textsOfPlan } from '../plan/settings/setting-texts.ts';
import { taskOfPath, type Compiled, type CompiledTask } from '../compile/compiled.ts';
import type { Task } from '../plan/plan.ts';
import type { TaskIndex } from '../compile/meaning.ts';
import { countAt } from '../net/play.ts';
import { changedSettings, settingsOfPlanChanged } from './changed-settings.ts';
import { factsOf, taskAt } from './facts.ts';
import type { State } from './state.ts';
import type { Reason } from '../protocol/result.ts';
import type { Ending } from './event.ts';
import { isReassigned, type Amendment } from './amendment.ts';
import type { Because } from './restarts.ts';

export interface TaskChange {
  readonly task: string;
  readonly does: 'keep' | 'restart' | 'add' | 'cancel';
  /** Of a kept task: some of its settings changed. */
  readonly isTouched: boolean;
  /** Undefined for a task that is kept unchanged. */
  readonly because: ChangeCause | undefined;
  /** Undefined for an added task. */
  readonly standing: ChangedStanding | undefined;
}

export type ChangeCause =
  | { readonly type: 'added'; readonly needs: readonly string[] }
  | { readonly type: 'removed' }
  | { readonly type: 'redefined'; readonly parts: readonly string[] }
  /** The task continued from `by`, which restarts, or `by` is a subplan around the task and restarts. */
  | { readonly type: 'used' | 'around'; readonly by: string }
  /** A subplan that had ended and opens again for changed tasks inside it. */
  | { readonly type: 'reopened' }
  /** Another agent runs the task from now on. */
  | { readonly type: 'reassigned' }
  /** Its running work is begun again with a lease: it gets slots of a pool, and is on a host that may be cut off. */
  | { readonly type: 'pooled' }
  /** Settings of the task alone, for what begins from now on. */
  | { readonly type: 'settings'; readonly parts: readonly string[] };

export type ChangedStanding =
  | { readonly type: 'ended'; readonly ending: Ending; readonly reason: Reason | undefined }
  | { readonly type: 'not begun' | 'running' | 'begun' };

/** In the order of the changed plan; removed tasks come last. */
export function taskChanges(state: State, amendment: Amendment): readonly TaskChange[] {
  const { compiled, cancelled } = amendment;
  const ofPlan = settingsOfPlanChanged(state.compiled.plan, compiled.plan);
  return [
    ...compiled.tasks.map((task) =>
      withSettings(state, changeOf(state, amendment, task), { after: task.task, ofPlan }),
    ),
    ...cancelled.map((index): TaskChange => ({
      task: taskAt(state, index).task.path,
      does: 'cancel',
      isTouched: true,
      because: { type: 'removed' },
      standing: standingOf(state, index),
    })),
  ];
}

function changeOf(
  state: State,
  { compiled, restarted, changed, reopened, toStop }: Amendment,
  { task }: CompiledTask,
): TaskChange {
  const index = state.compiled.indexOf.get(task.path);
  if (index === undefined) {
    const because: ChangeCause = { type: 'added', needs: task.needs.of };
    return { task: task.path, does: 'add', isTouched: true, because, standing: undefined };
  }
  const standing = standingOf(state, index);
  const of = (does: TaskChange['does'], because: ChangeCause | undefined): TaskChange => ({
    task: task.path,
    does,
    isTouched: because !== undefined,
    because,
    standing,
  });
  const because = restarted.get(index);
  if (because !== undefined) return of('restart', causeOf(state, because));
  const redefined = changed.get(index);
  if (redefined !== undefined) return of('keep', causeOf(state, redefined));
  if (reopened.has(index)) return of('keep', { type: 'reopened' });
  const stopped = toStop.find((claim) => claim.task === index);
  if (stopped === undefined) return of('keep', undefined);
  const after = taskOfPath(compiled, task.path);
  return of('keep', { type: after === undefined || isReassigned(after, stopped) ? 'reassigned' : 'pooled' });
}

interface SettingsAround {
  readonly after: Task;
  /** Those that the plan changes for all tasks. */
  readonly ofPlan: ReadonlySet<string>;
}

/** A kept task may have other settings; those of a task that is done have no effect. */
function withSettings(state: State, change: TaskChange, { after, ofPlan }: SettingsAround): TaskChange {
  const { because, standing, task } = change;
  const index = state.compiled.indexOf.get(task);
  const isDone = standing?.type === 'ended' && standing.ending === 'done';
  if (index === undefined || because !== undefined || isDone) return change;
  const parts = changedSettings(taskAt(state, index).task, after, ofPlan);
  return parts.length === 0 ? change : { ...change, isTouched: true, because: { type: 'settings', parts } };
}

const causeOf = (state: State, because: Because): ChangeCause =>
  because.type === 'redefined' ? because : { type: because.type, by: taskAt(state, because.by).task.path };

function standingOf(state: State, index: TaskIndex): ChangedStanding {
  const { ended, openedAt } = factsOf(state, index);
  if (ended !== undefined) return { type: 'ended', ending: ended.ending, reason: ended.reason };
  if (openedAt === undefined) return { type: 'not begun' };
  const isRunning = [...state.claims.values()].some((claim) => claim.task === index);
  return { type: isRunning ? 'running' : 'begun' };
}

/** A part of the plan outside the tasks, before and after. */
export interface PlanChange {
  readonly part: string;
  readonly before: string;
  readonly after: string;
  /** The immediate consequence, if any. */
  readonly note: PlanNote | undefined;
}

export type PlanNote =
  /** More is in use than the new size allows, so nothing is claimed until enough is returned. */
  | { readonly type: 'drains'; readonly held: number; readonly to: number }
  /** Spending already exceeds the new ceiling. */
  | { readonly type: 'spent'; readonly spent: number };

const cutOffIn = ({ plan }: Compiled, pool: string) => plan.pools.find(({ name }) => name === pool)?.whenCutOff;

export function planChanges(state: State, { compiled: after }: Amendment): readonly PlanChange[] {
  const { compiled: before, ledger } = state;
  const changes: PlanChange[] = [];
  const compare = (part: string, values: readonly [unknown, unknown], note?: PlanNote): void => {
    const [old, fresh] = values.map(shown);
    if (old !== fresh) changes.push({ part, before: old ?? '', after: fresh ?? '', note });
  };
  // The cap of the run is that of all hosts, where the plan has one.
  const [capBefore, capAfter] = [runCapOf(before.plan), runCapOf(after.plan)];
  const drains = drainNote(state, before.run.cap, [capBefore, capAfter]);
  const isOfHosts = before.plan.hostsCap !== undefined || after.plan.hostsCap !== undefined;
  compare('max_parallel', [before.plan.cap, after.plan.cap], isOfHosts ? undefined : drains);
  compare('hosts.max_parallel', [before.plan.hostsCap, after.plan.hostsCap], drains);
  for (const name of new Set([...before.pools.keys(), ...after.pools.keys()])) {
    const [old, fresh] = [before.pools.get(name), after.pools.get(name)];
    const note = old === undefined ? undefined : drainNote(state, old.place, [old.size, fresh?.size]);
    compare(`pools.${name}`, [old?.size, fresh?.size], note);
    compare(`pools.${name}.when_cut_off`, [cutOffIn(before, name), cutOffIn(after, name)]);
  }
  for (const part of ['usd', 'tokens'] as const) {
    const ceiling = after.plan.budget?.[part];
    const spent = ledger.run.spent[part];
    const isReached = ceiling !== undefined && spent >= ceiling;
    const note = isReached ? ({ type: 'spent', spent } as const) : undefined;
    compare(`budget.${part}`, [before.plan.budget?.[part], ceiling], note);
  }
  const agentOf = ({ plan }: typeof before, name: string): unknown => plan.agents.find((agent) => agent.name === name);
  for (const name of new Set([...before.plan.agents, ...after.plan.agents].map((agent) => agent.name)))
    compare(`agents.${name}`, [agentOf(before, name), agentOf(after, name)]);
  const fresh = new Map(textsOfPlan(after.plan));
  for (const [part, text] of textsOfPlan(before.plan)) compare(part, [text, fresh.get(part)]);
  return changes;
}

const shown = (value: unknown): string =>
  value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);

function drainNote(
  state: State,
  place: number,
  [size, next]: readonly [number, number | undefined],
): PlanNote | undefined {
  const held = size - countAt(state.play, place);
  return next !== undefined && next < held ? { type: 'drains', held, to: next } : undefined;
}
