// A command of the user: it gets the notification as JSON on standard input and in environment variables.
import { noticeText, type Notice } from '../../core/view/run/notification.ts';
import { startProgram, type Channel } from './channel.ts';

export interface CommandGiven {
  readonly command: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly limitMs?: number;
}

const LIMIT_MS = 30_000;

export const command = ({ command: line, cwd, environment, limitMs = LIMIT_MS }: CommandGiven): Channel => ({
  name: 'The command of notify',
  tell: (notice, signal) =>
    startProgram({
      argv: ['/bin/sh', '-c', line],
      cwd,
      environment: { ...environment, ...variablesOf(notice) },
      input: `${noticeText(notice)}\n`,
      limitMs,
      signal,
    }),
});

/** Without the tags of a claim, which would make the command one of the run's own processes. */
function variablesOf({
  run,
  occasion,
  needsPerson,
  task,
  step,
  title,
  text,
}: Notice): Readonly<Record<string, string>> {
  return {
    HEDDLE_NOTIFY_RUN: run,
    HEDDLE_NOTIFY_OCCASION: occasion,
    HEDDLE_NOTIFY_NEEDS_PERSON: String(needsPerson),
    HEDDLE_NOTIFY_TASK: task ?? '',
    HEDDLE_NOTIFY_STEP: step ?? '',
    HEDDLE_NOTIFY_TITLE: withoutNull(title),
    HEDDLE_NOTIFY_TEXT: withoutNull(text),
  };
}

/** An environment variable cannot contain a zero byte. */
const withoutNull = (text: string): string => text.replaceAll('\u0000', '\uFFFD');
