// The events of a run as a whole, of its plan and of its pools: a row each.
import type { Compiled } from '../../compile/compiled.ts';
import { listOf, maybe, number, object, oneOf, text, type ShapeOf, type Variant } from '../../plan/json-fields.ts';
import { fragmentField } from '../../plan/plan-json.ts';
import type { Author, EndedAgain, LostTask, RunEvent, RetryText } from '../event.ts';
import {
  causeField,
  forSeconds,
  listOfTasks,
  ofPlan,
  ofRun,
  prioritiesField,
  reasonField,
  sandboxesField,
  sandboxesText,
  valuesByName,
  type Label,
  type Stage,
} from './event-fields.ts';

const told = object<RetryText>({ tasks: listOf(text), text });
const lostTask = object<LostTask>({ task: text, cause: causeField });
const endedAgain = object<EndedAgain>({ task: text, reason: reasonField, cause: causeField });

export type WholeEvent = Exclude<RunEvent, { task: string }>;

interface Row<Event> {
  readonly format: ShapeOf<Event>;
  /** Undefined for an event that sets a marking (event/E1). */
  readonly transition: ((compiled: Compiled, event: Event) => number | undefined) | undefined;
  /** The stages of the pool, or of the run, before and after; undefined: a run that had ended is active again. */
  readonly stages: { readonly from?: Stage; readonly to: Stage } | undefined;
  readonly label?: (event: Event) => Label;
}

type Rows = { readonly [Type in WholeEvent['type']]: Row<Variant<WholeEvent, Type>> };

const hold = ({ run }: Compiled): number => run.hold;

export const RUN_EVENTS: Rows = {
  'run.started': {
    format: {
      ...ofRun,
      ...ofPlan,
      policy: oneOf({ parallel: true, serial: true }),
      inputs: valuesByName,
      seed: number,
      base: maybe(text),
      sandboxes: maybe(sandboxesField),
      author: maybe(object<Author>({ name: text, email: text })),
    },
    transition: ({ run }) => run.start,
    stages: { to: 'going' },
  },
  'run.paused': {
    format: { ...ofRun, cause: causeField },
    transition: ({ run }) => run.pause,
    stages: { to: 'paused' },
    label: ({ cause }) => ({
      type: 'paused',
      text: cause === undefined ? 'Paused.' : `Paused by itself: ${cause}`,
    }),
  },
  'run.resumed': {
    format: ofRun,
    transition: ({ run }) => run.resume,
    stages: { to: 'going' },
    label: () => ({ type: 'resumed', text: 'Resumed.' }),
  },
  'run.sandboxed': {
    format: { ...ofRun, sandboxes: sandboxesField },
    transition: hold,
    stages: undefined,
    label: ({ sandboxes }) => ({ type: 'sandboxes', text: `From here on: ${sandboxesText(sandboxes)}.` }),
  },
  'run.ended': {
    format: ofRun,
    transition: ({ run }) => run.finish,
    stages: { to: 'ended' },
    label: () => ({ type: 'ended', text: 'Ended.' }),
  },
  'plan.amending': { format: { ...ofRun, ...ofPlan, tasks: listOf(text) }, transition: hold, stages: undefined },
  'plan.amended': {
    format: {
      ...ofRun,
      ...ofPlan,
      restarted: listOf(text),
      changed: listOf(text),
      reopened: listOf(text),
      added: listOf(text),
      cancelled: listOf(text),
      again: listOf(endedAgain),
    },
    transition: undefined,
    stages: undefined,
    label: () => ({ type: 'amended', text: 'The plan was amended.' }),
  },
  'plan.grown': {
    format: { ...ofRun, draft: text, fragment: fragmentField, priorities: prioritiesField },
    transition: undefined,
    stages: undefined,
    label: ({ draft, fragment }) => ({
      type: 'grown',
      text: `${draft} added ${listOfTasks(fragment.tasks.map(({ path }) => path))}.`,
    }),
  },
  'task.reset': {
    format: { ...ofRun, tasks: listOf(text), join: maybe(text), again: maybe(listOf(endedAgain)), told: maybe(told) },
    transition: undefined,
    stages: undefined,
    label: ({ tasks, join }) => ({
      type: 'retried',
      text: `To be done again${join === undefined ? '' : `, by on_result of ${join}`}: ${listOfTasks(tasks)}.`,
    }),
  },
  'task.lost': {
    format: { ...ofRun, tasks: listOf(lostTask), merged: maybe(text) },
    transition: undefined,
    stages: undefined,
    label: ({ tasks }) => ({
      type: 'lost',
      text: `Merged work is gone from .heddle/repo.git: ${listOfTasks(tasks.map(({ task }) => task))}.`,
    }),
  },
  'pool.closed': {
    format: { ...ofRun, pool: text, until: number },
    transition: ({ pools }, { pool }) => pools.get(pool)?.close,
    stages: { from: 'open', to: 'closed' },
    label: (event) => ({
      type: 'quota',
      text: `The pool ${event.pool} closed: no quota ${forSeconds(event.until, event)}.`,
    }),
  },
  'pool.opened': {
    format: { ...ofRun, pool: text },
    transition: ({ pools }, { pool }) => pools.get(pool)?.open,
    stages: { from: 'closed', to: 'open' },
    label: ({ pool }) => ({ type: 'quota', text: `The pool ${pool} opened again.` }),
  },
  'pool.throttled': {
    format: { ...ofRun, pool: text, limit: number, until: number },
    transition: hold,
    stages: { from: 'open', to: 'open' },
    label: ({ pool, limit }) => ({
      type: 'overload',
      text: `The pool ${pool} was throttled to ${limit}: overloaded.`,
    }),
  },
  'pool.restored': {
    format: { ...ofRun, pool: text, limit: number, until: number },
    transition: hold,
    stages: { from: 'open', to: 'open' },
    label: ({ pool, limit }) => ({ type: 'overload', text: `The pool ${pool} was restored to ${limit}.` }),
  },
};

/** Each row takes the events of its own type. */
export const wholeRow = (event: WholeEvent): Row<WholeEvent> =>
  // The type of an event is the key of its row.
  RUN_EVENTS[event.type] as Row<WholeEvent>;
