// Notifications about a run for people who are not watching: a person is needed, or the run is over.
//
// U1. A fold with a memory of its own. The same events give the same notifications, each with the log position of its
//   event. A channel that remembers that position sends no notification twice.
// U2. A question that is answered before its notification is sent gives no notification.
import type { Compiled } from '../../compile/compiled.ts';
import type { RunEvent } from '../../engine/event.ts';
import { questionIn } from '../../engine/events/event-table.ts';
import type { RunInputs } from '../../engine/scope.ts';
import type { Question, State } from '../../engine/state.ts';
import type { NotifyTrigger } from '../../plan/notify.ts';
import { formatDuration, formatMoney } from '../chart/format.ts';
import { openQuestion, type OpenQuestion } from './open-question.ts';
import { TASK_STATES } from './stage.ts';
import { statusOf } from './run-status.ts';

const NOTIFICATION_VERSION = 1;

/** A notification in the form that webhooks and commands receive. */
export interface RunNotification {
  readonly version: typeof NOTIFICATION_VERSION;
  readonly run: string;
  /** The plan's name. */
  readonly name: string;
  /** The trigger, under the name that the published JSON has. */
  readonly trigger: NotifyTrigger;
  readonly needsPerson: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The position in the log of the event that caused it, counted from 1. */
  readonly event: number;
  readonly task: string | undefined;
  readonly step: string | undefined;
  /** A short title, then the full text; questions of agents are quoted verbatim. */
  readonly title: string;
  readonly text: string;
  /** Commands with which a person can react. */
  readonly commands: readonly string[];
  /** Where the question can be answered; only with a dashboard under a public address. */
  readonly link?: string | undefined;
}

/** The notification as one line of JSON: every field is present, and absent values are null. */
export const notificationText = (notification: RunNotification): string =>
  JSON.stringify(notification, (_, value: unknown) => value ?? null);

interface NotificationContext {
  readonly run: string;
  /** The plan's name. */
  readonly name: string;
  readonly given: RunInputs;
}

interface Memory extends NotificationContext {
  /** The number of events seen. */
  count: number;
  /** The latest event that says an account has no quota, and whether the run has been idle for that reason since. */
  quotaEvent: number;
  isStill: boolean;
  hasReachedCeiling: boolean;
}

/** A shorter wait for quota is over before a person could react, so it gives no notification. */
const QUOTA_WORTH_MS = 60_000;

/** Takes every event of one run, in order, with the state after them. */
export function followNotifications(
  context: NotificationContext,
): (events: readonly RunEvent[], state: State) => readonly RunNotification[] {
  const memory: Memory = { ...context, count: 0, quotaEvent: 0, isStill: false, hasReachedCeiling: false };
  return (events, state) => {
    const found = new Map<string, Found>();
    for (const event of events) {
      memory.count += 1;
      const each = lookAt(memory, event, state.compiled);
      if (each !== undefined) found.set(each.key, each);
    }
    const notifications = [...found.values()].flatMap((each) => notificationOf(memory, state, each) ?? []);
    const still = stillness(memory, state);
    return still === undefined ? notifications : [...notifications, still];
  };
}

interface Found {
  /** Of several findings with the same key, the latest counts. */
  readonly key: string;
  readonly event: number;
  readonly at: number;
  readonly about:
    | { readonly type: 'question'; readonly task: string; readonly step: string | undefined }
    | { readonly type: 'paused'; readonly cause: string }
    | { readonly type: 'ceiling' | 'ended' };
}

function lookAt(memory: Memory, event: RunEvent, compiled: Compiled): Found | undefined {
  const found = { event: memory.count, at: event.at };
  if (event.type === 'pool.closed' || ('reason' in event && event.reason === 'quota')) memory.quotaEvent = memory.count;
  if (event.type === 'task.reset' || event.type === 'task.rolledBack') memory.hasReachedCeiling = false;
  const asked = questionIn(compiled, event);
  if (asked !== undefined) {
    const { task, step } = asked;
    return { ...found, key: `question ${task} ${step ?? ''}`, about: { type: 'question', task, step } };
  }
  if (event.type === 'run.paused' && event.cause !== undefined)
    return { ...found, key: 'run', about: { type: 'paused', cause: event.cause } };
  if (event.type === 'run.ended') return { ...found, key: 'run', about: { type: 'ended' } };
  if (!isCeiling(event) || memory.hasReachedCeiling) return undefined;
  memory.hasReachedCeiling = true;
  return { ...found, key: 'ceiling', about: { type: 'ceiling' } };
}

const isCeiling = (event: RunEvent): boolean =>
  ('ending' in event || event.type === 'claim.asked') && event.reason === 'cost';

function notificationOf(memory: Memory, state: State, found: Found): RunNotification | undefined {
  const { about } = found;
  const { run } = memory;
  switch (about.type) {
    case 'question':
      return questionNotification(memory, state, { ...found, ...about });
    case 'paused':
      if (state.run.stage !== 'paused') return undefined;
      return make(memory, found, {
        trigger: 'breaker',
        title: `${run} has paused itself`,
        text: `The run paused before spending more on failing work: ${about.cause}`,
        commands: [`heddle resume ${run}`, 'heddle agents'],
      });
    case 'ceiling':
      return make(memory, found, {
        trigger: 'budget',
        title: `${run} has reached a budget`,
        text: `What is left of a budget is too little for more work. ${runText(state)}`,
        commands: [`heddle status ${run}`],
      });
    case 'ended':
      return state.run.stage === 'ended' ? endNotification(memory, state, found) : undefined;
  }
}

function endNotification(memory: Memory, state: State, found: Found): RunNotification {
  const { run } = memory;
  const isBad = state.tasks.some(
    ({ ended }) => ended?.ending === 'failed' || (ended?.ending === 'cancelled' && ended.reason !== 'race'),
  );
  return make(memory, found, {
    trigger: isBad ? 'failed' : 'done',
    title: isBad ? `${run} has ended with failures` : `${run} is done`,
    text: runText(state),
    commands: [`heddle report ${run}`, ...(isBad ? [`heddle retry ${run}`] : [])],
  });
}

type Asked = Found & { readonly task: string; readonly step: string | undefined };

function questionNotification(memory: Memory, state: State, asked: Asked): RunNotification | undefined {
  const { task, step } = asked;
  const question = [...state.questions.values()].find((each) => isAbout(state, each, { task, step }));
  if (question === undefined) return undefined;
  const open = openQuestion(state, question, memory.given);
  const name = step === undefined || step === 'main' ? task : `${task}/${step}`;
  const trigger = question.asks === undefined ? (open.answers.includes('merge') ? 'conflict' : 'approval') : 'question';
  const asks = open.permission === undefined ? 'asks you' : 'asks you for a permission';
  const titles = { conflict: 'needs you for a conflict', approval: 'waits for your approval', question: asks };
  return make(memory, asked, {
    trigger,
    title: `${name} of ${memory.run} ${titles[trigger]}`,
    text: open.text,
    commands: open.answers.map((answer) => commandFor(memory.run, open, answer)),
    task,
    step,
  });
}

const isAbout = (state: State, question: Question, { task, step }: Pick<Asked, 'task' | 'step'>): boolean => {
  const about = state.compiled.tasks[question.task];
  const id = question.step === undefined ? undefined : about?.steps[question.step]?.step.id;
  return about?.task.path === task && id === step;
};

function commandFor(run: string, { task, step }: OpenQuestion, answer: OpenQuestion['answers'][number]): string {
  const flags = `${step === undefined || step === 'main' ? '' : ` --step ${step}`} --run ${run}`;
  if (answer === 'merge') return `heddle open ${task} --run ${run}`;
  if (answer === 'answer') return `heddle answer ${task}${flags} "…"`;
  const isDecided = answer === 'yes' || answer === 'no' || answer === 'always';
  return isDecided ? `heddle answer ${task}${flags} ${answer}` : `heddle ${answer} ${task}${flags}`;
}

/** Nothing runs and no question is open, because accounts have no quota for a while. */
function stillness(memory: Memory, state: State): RunNotification | undefined {
  const { now, stage } = state.run;
  const until = Math.min(
    ...[...state.exhausted.values(), ...state.exhaustedAgents.values()].filter((each) => each > now),
  );
  const isStill =
    stage === 'going' &&
    state.claims.size === 0 &&
    state.questions.size === 0 &&
    memory.quotaEvent > 0 &&
    Number.isFinite(until) &&
    until - now >= QUOTA_WORTH_MS;
  const hasBegun = isStill && !memory.isStill;
  memory.isStill = isStill;
  if (!hasBegun) return undefined;
  return make(
    memory,
    { event: memory.quotaEvent, at: now },
    {
      trigger: 'quota',
      title: `${memory.run} waits for quota`,
      text: `Nothing can run for ${formatDuration(until - now)}: the accounts it needs have no quota left. The run continues by itself.`,
      commands: [`heddle status ${memory.run}`],
    },
  );
}

const OVER: ReadonlySet<NotifyTrigger> = new Set(['done', 'failed', 'stopped']);

type NotificationContent = Pick<RunNotification, 'trigger' | 'title' | 'text' | 'commands'> &
  Partial<Pick<RunNotification, 'task' | 'step'>>;

function make(
  { run, name }: NotificationContext,
  { event, at }: Pick<Found, 'event' | 'at'>,
  content: NotificationContent,
): RunNotification {
  const { trigger, title, text, commands, task, step } = content;
  const needsPerson = !OVER.has(trigger);
  return {
    version: NOTIFICATION_VERSION,
    run,
    name,
    trigger,
    needsPerson,
    at,
    event,
    task,
    step,
    title,
    text,
    commands,
  };
}

/** The notification about a run that is not over but has no coordinator any more. */
export function stopNotification(
  context: NotificationContext,
  found: Pick<RunNotification, 'event' | 'at' | 'text'>,
): RunNotification {
  const { run } = context;
  const { text } = found;
  return make(context, found, {
    trigger: 'stopped',
    title: `${run} has stopped`,
    text,
    commands: [`heddle resume ${run}`],
  });
}

const NAMED_MAX = 5;

export function runText(state: State): string {
  const { counts, total, spend, elapsedMs, failures } = statusOf(state, {
    now: state.run.now,
    given: { inputs: {}, env: {} },
  });
  const rest = TASK_STATES.filter((each) => each !== 'completed' && counts[each] > 0).map(
    (each) => `, ${counts[each]} ${each}`,
  );
  const spent = spend.spent.usd === 0 ? '' : ` for ${formatMoney(spend.spent.usd)}`;
  const named = failures.slice(0, NAMED_MAX).map(({ task }) => task);
  const more = counts.failed - named.length;
  const failed = named.length === 0 ? '' : ` Failed: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
  return `${counts.completed} of ${total} ${total === 1 ? 'task' : 'tasks'} done${rest.join('')} after ${formatDuration(elapsedMs)}${spent}.${failed}`;
}
