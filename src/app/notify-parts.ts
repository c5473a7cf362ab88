// Composes the notifications of a run: channels and triggers, beside the loop.
import { join } from 'node:path';
import type { RunEvent, RunStarted } from '../core/engine/event.ts';
import { taskAt } from '../core/engine/facts.ts';
import type { State } from '../core/engine/state.ts';
import type { Notify } from '../core/plan/notify.ts';
import { followNotifications, runText, stopNotification, type RunNotification } from '../core/view/run/notification.ts';
import { redacted } from '../core/view/report/redacted.ts';
import { bell, command, desktop, type Channel } from '../shell/notify/channel.ts';
import { openNotifier } from '../shell/notify/notifier.ts';
import { webhook } from '../shell/notify/webhook-channel.ts';
import type { RunOver, RunRecord } from '../shell/ports/log.ts';
import type { StoreFailure } from '../core/protocol/store-failure.ts';
import type { LoopAmended } from '../shell/loop/loop.ts';
import { secretsIn } from '../shell/host/worker/redact.ts';
import type { Project } from './project.ts';

export interface NotificationsGiven {
  readonly project: Project;
  readonly record: RunRecord;
  readonly inputs: RunStarted['inputs'];
  readonly notify: Notify;
  readonly environment: Readonly<Record<string, string>>;
  readonly onError: (message: string) => void;
  /** The address where a question can be answered; undefined without a public dashboard. */
  readonly linkFor?: LinkFor | undefined;
}

/** The address where one question can be answered. */
export type LinkFor = (question: {
  readonly task: string;
  readonly step: string | undefined;
  readonly attempt: number;
}) => string;

export interface Notifications {
  /** Earlier events, whose notifications may be undelivered. */
  readonly begins: (past: readonly RunEvent[], state: State) => void;
  readonly sees: (events: readonly RunEvent[], state: State) => void;
  readonly ends: (over: RunOver | LoopAmended) => Promise<void>;
}

/** Beside the attempts of the run; no attempt can have this name. */
const NOTE_FILE = '@notified.json';
/** The longest wait for deliveries after the run has ended. */
const CLOSE_WITHIN_MS = 10_000;

export function openNotifications(given: NotificationsGiven): Notifications {
  const { project, record, inputs, notify, environment, onError, linkFor } = given;
  const { run, name } = record;
  const context = { run, name, given: { inputs, env: environment } };
  const file = join(project.home, 'runs', run, NOTE_FILE);
  const notifier = openNotifier({ channels: channelsOf(given), file, say: onError });
  const secrets = secretsIn(environment);
  const wanted = new Set(notify.on);
  const follow = followNotifications(context);
  let [event, at] = [0, record.createdAt];
  const tell = (notification: RunNotification): void => {
    if (wanted.has(notification.trigger)) notifier.deliver(redacted(notification, secrets));
  };
  const sees = (events: readonly RunEvent[], state: State): void => {
    ({ events: event, now: at } = state.run);
    for (const notification of follow(events, state)) tell(withLink(notification, state, linkFor));
  };
  return {
    begins: sees,
    sees,
    ends: async (over) => {
      if (over.type === 'stopped') tell(stopNotification(context, { event, at, text: runText(over.state) }));
      if (over.type === 'failed') tell(stopNotification(context, { event, at, text: unwritten(over.failure) }));
      const closed = notifier.close(CLOSE_WITHIN_MS);
      // A run that continues with another plan does not wait; notifications in delivery are finished all the same.
      if (over.type !== 'amended') await closed;
    },
  };
}

/** The link of a notification about an open question. */
function withLink(notification: RunNotification, state: State, linkFor: LinkFor | undefined): RunNotification {
  const { task, step } = notification;
  const question = [...state.questions.values()].find((each) => {
    const { task: named, steps } = taskAt(state, each.task);
    return named.path === task && (each.step === undefined ? undefined : steps[each.step]?.step.id) === step;
  });
  if (linkFor === undefined || task === undefined || question === undefined) return notification;
  return { ...notification, link: linkFor({ task, step, attempt: question.attempt }) };
}

/** The terminal says more; a notification is one line. */
const unwritten = (failure: StoreFailure): string =>
  `The run stopped because its log could not be written (${'file' in failure ? `${failure.code}: ${failure.file}` : failure.code}).`;

function channelsOf({ project, notify, environment }: NotificationsGiven): readonly Channel[] {
  const place = { cwd: project.root, environment };
  return [
    ...(notify.bell ? [bell([process.stderr, process.stdout])] : []),
    ...(notify.desktop ? [desktop(place)] : []),
    ...(notify.webhook === undefined ? [] : [webhook({ address: notify.webhook, environment })]),
    ...(notify.command === undefined ? [] : [command({ command: notify.command, ...place })]),
  ];
}
