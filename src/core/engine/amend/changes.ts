// What an amendment does to each task and to the run as a whole, for a person who is to agree to it.
import type { CompiledTask } from '../../compile/compiled.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import { countAt } from '../../net/play.ts';
import { factsOf, taskAt } from '../facts.ts';
import type { State } from '../state.ts';
import { becauseWords, type Amendment } from './amendment.ts';

export interface TaskChange {
  readonly task: string;
  readonly does: 'keep' | 'restart' | 'add' | 'cancel';
  /** Of one that is kept: not all of it is as it was. */
  readonly isTouched: boolean;
  /** Where it stands and why this becomes of it. */
  readonly why: string;
}

/** In the order of the changed plan; what is gone comes last. */
export function taskChanges(state: State, amendment: Amendment): readonly TaskChange[] {
  const { compiled, cancelled } = amendment;
  return [
    ...compiled.tasks.map((task) => changeOf(state, amendment, task)),
    ...cancelled.map((index): TaskChange => {
      const { path } = taskAt(state, index).task;
      return {
        task: path,
        does: 'cancel',
        isTouched: true,
        why: `gone from the plan; ${standing(state, index, 'is stopped')}`,
      };
    }),
  ];
}

function changeOf(
  state: State,
  { restarted, changed, reopened, toStop }: Amendment,
  { task }: CompiledTask,
): TaskChange {
  const index = state.compiled.indexOf.get(task.path);
  const of = (does: TaskChange['does'], why: string, isTouched = true): TaskChange => ({
    task: task.path,
    does,
    isTouched,
    why,
  });
  if (index === undefined) return of('add', neededWords(task.needs.of));
  const because = restarted.get(index);
  if (because !== undefined)
    return of('restart', `${becauseWords(state, because)}; ${standing(state, index, 'is stopped')}`);
  const redefined = changed.get(index);
  if (redefined !== undefined) return of('keep', `not begun; ${becauseWords(state, redefined)}`);
  if (reopened.has(index)) return of('keep', 'open again for what changes in it');
  const isStopped = toStop.some((claim) => claim.task === index);
  return of('keep', standing(state, index, isStopped ? 'is begun again by another agent' : 'goes on'), isStopped);
}

function neededWords(needs: readonly string[]): string {
  if (needs.length === 0) return 'can begin at once';
  return needs.length > 3
    ? `needs ${needs.slice(0, 2).join(', ')} and ${needs.length - 2} more`
    : `needs ${needs.join(', ')}`;
}

/** `meets` is what becomes of work that is under way. */
function standing(state: State, index: TaskIndex, meets: string): string {
  const { ended, openedAt } = factsOf(state, index);
  if (ended !== undefined)
    return ended.reason === undefined || ended.reason === ended.ending
      ? ended.ending
      : `${ended.ending} (${ended.reason})`;
  if (openedAt === undefined) return 'not begun';
  const isAtWork = [...state.claims.values()].some((claim) => claim.task === index);
  return isAtWork ? `its work ${meets}` : 'begun, nothing at work';
}

/** A part of the plan that is no task's, before and after. */
export interface PlanChange {
  readonly part: string;
  readonly before: string;
  readonly after: string;
  /** What follows from it at once, if anything does. */
  readonly note: string | undefined;
}

export function planChanges(state: State, { compiled: after }: Amendment): readonly PlanChange[] {
  const { compiled: before, ledger } = state;
  const changes: PlanChange[] = [];
  const compare = (part: string, values: readonly [unknown, unknown], note?: string): void => {
    const [old, fresh] = values.map(shown);
    if (old !== fresh) changes.push({ part, before: old ?? '', after: fresh ?? '', note });
  };
  compare(
    'max_parallel',
    [before.plan.cap, after.plan.cap],
    drainNote(state, before.run.cap, [before.plan.cap, after.plan.cap]),
  );
  for (const name of new Set([...before.pools.keys(), ...after.pools.keys()])) {
    const [old, fresh] = [before.pools.get(name), after.pools.get(name)];
    const note = old === undefined ? undefined : drainNote(state, old.place, [old.size, fresh?.size]);
    compare(`pools.${name}`, [old?.size, fresh?.size], note);
  }
  for (const part of ['usd', 'tokens'] as const) {
    const ceiling = after.plan.budget?.[part];
    const spent = ledger.run.spent[part];
    const isReached = ceiling !== undefined && spent >= ceiling;
    const note = isReached ? `${spent} is spent already, so no agent begins any more` : undefined;
    compare(`budget.${part}`, [before.plan.budget?.[part], ceiling], note);
  }
  const agentOf = ({ plan }: typeof before, name: string): unknown => plan.agents.find((agent) => agent.name === name);
  for (const name of new Set([...before.plan.agents, ...after.plan.agents].map((agent) => agent.name)))
    compare(`agents.${name}`, [agentOf(before, name), agentOf(after, name)]);
  return changes;
}

const shown = (value: unknown): string =>
  value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);

function drainNote(
  state: State,
  place: number,
  [size, next]: readonly [number, number | undefined],
): string | undefined {
  const held = size - countAt(state.play, place);
  return next !== undefined && next < held ? `${held} are held now; it drains to ${next}` : undefined;
}
