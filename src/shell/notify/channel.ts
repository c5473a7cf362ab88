// A channel for notifications, and the simplest one: the bell of the terminal.
import { notificationText, type RunNotification } from '../../core/view/run/notification.ts';
import { capture, type CaptureEnd } from '../exec/capture.ts';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cleanLine, shorten } from '../../core/view/draw/label.ts';

export interface Channel {
  /** For sentences: `The webhook https://hooks.example.com/…`. */
  readonly name: string;
  /** Returns within the channel's own time limits, and soon after the signal is aborted. It never throws. */
  readonly deliver: (notification: RunNotification, signal: AbortSignal) => Promise<Delivery>;
}

/** The message of `failed` continues a sentence that begins with the channel's name. */
export type Delivery = { readonly type: 'replied' } | { readonly type: 'failed'; readonly message: string };

export const DELIVERED: Delivery = { type: 'replied' };

const BELL = '\u0007';

export interface Ringing {
  readonly isTTY?: boolean | undefined;
  readonly write: (text: string) => unknown;
}

/** Rings on the first stream that is a terminal; a run in the background has none. */
export const bell = (streams: readonly Ringing[]): Channel => ({
  name: 'The bell',
  deliver: () => {
    streams.find(({ isTTY }) => isTTY === true)?.write(BELL);
    return Promise.resolve(DELIVERED);
  },
});

// Starts the program of a channel with a time limit. The program's whole process group is ended at the limit, and when
// this process is killed.

interface ChannelProgram {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly input: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

const OUTPUT_BYTES_MAX = 2_000;
const STDERR_SHOWN_MAX = 200;

export async function startProgram(request: ChannelProgram): Promise<Delivery> {
  const { argv, limitMs: timeoutMs, ...options } = request;
  const limits = { timeoutMs, keptBytesMax: OUTPUT_BYTES_MAX };
  const { end, stderr } = await capture(argv, { ...options, ...limits, group: 'leave', isTied: true });
  if (end.type === 'exited' && end.code === 0) return DELIVERED;
  const lastLine = stderr.toString('utf8').trim().split('\n').at(-1)?.trim().slice(0, STDERR_SHOWN_MAX) ?? '';
  return { type: 'failed', message: messageOf(end, { lastLine, timeoutMs }) };
}

interface About {
  readonly lastLine: string;
  readonly timeoutMs: number;
}

function messageOf(end: CaptureEnd, { lastLine, timeoutMs }: About): string {
  switch (end.type) {
    case 'exited':
      return withLine(`ended with exit code ${end.code}`, lastLine);
    case 'killed':
      return withLine(`was ended by ${end.signal}`, lastLine);
    case 'timeout':
      return `was ended: it took longer than ${timeoutMs / 1000} s.`;
    case 'aborted':
      return 'was ended, because the run is over and it was not.';
    case 'unstarted':
      return `could not be started: ${end.message}.`;
  }
}

const withLine = (how: string, lastLine: string): string => (lastLine === '' ? `${how}.` : `${how}: ${lastLine}`);

// A command of the user: it gets the notification as JSON on standard input and in environment variables.

interface CommandGiven {
  readonly command: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly limitMs?: number;
}

const COMMAND_LIMIT_MS = 30_000;

export const command = ({ command: line, cwd, environment, limitMs = COMMAND_LIMIT_MS }: CommandGiven): Channel => ({
  name: 'The command of notify',
  deliver: (notification, signal) =>
    startProgram({
      argv: ['/bin/sh', '-c', line],
      cwd,
      environment: { ...environment, ...variablesOf(notification) },
      input: `${notificationText(notification)}\n`,
      limitMs,
      signal,
    }),
});

/** Without the tags of a claim, which would make the command one of the run's own processes. */
function variablesOf({
  run,
  trigger,
  needsPerson,
  task,
  step,
  title,
  text,
}: RunNotification): Readonly<Record<string, string>> {
  return {
    HEDDLE_NOTIFY_RUN: run,
    HEDDLE_NOTIFY_TRIGGER: trigger,
    HEDDLE_NOTIFY_NEEDS_PERSON: String(needsPerson),
    HEDDLE_NOTIFY_TASK: task ?? '',
    HEDDLE_NOTIFY_STEP: step ?? '',
    HEDDLE_NOTIFY_TITLE: withoutNull(title),
    HEDDLE_NOTIFY_TEXT: withoutNull(text),
  };
}

/** An environment variable cannot contain a zero byte. */
const withoutNull = (text: string): string => text.replaceAll('\u0000', '\uFFFD');

// Desktop notifications, through the system's own program.

interface DesktopGiven {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly limitMs?: number;
}

const DESKTOP_LIMIT_MS = 10_000;
const TEXT_MAX = 240;

type Argv = readonly [string, ...string[]];

/** The text reaches these programs as arguments, never as a script or as markup. */
const PROGRAMS: Readonly<Record<string, (notification: RunNotification) => Argv>> = {
  'notify-send': ({ title, text, needsPerson }) => [
    'notify-send',
    '--app-name=Heddle',
    `--urgency=${needsPerson ? 'critical' : 'normal'}`,
    '--',
    cleanLine(title),
    escapeMarkup(shorten(text, TEXT_MAX)),
  ],
  osascript: ({ title, text }) => [
    'osascript',
    '-e',
    'on run argv',
    '-e',
    'display notification (item 2 of argv) with title (item 1 of argv)',
    '-e',
    'end run',
    '--',
    cleanLine(title),
    shorten(text, TEXT_MAX),
  ],
};

const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const desktop = ({ cwd, environment, limitMs = DESKTOP_LIMIT_MS }: DesktopGiven): Channel => ({
  name: 'The desktop',
  deliver: (notification, signal) => {
    const name = Object.keys(PROGRAMS).find((program) => isOnPath(program, environment['PATH']));
    const argv = name === undefined ? undefined : PROGRAMS[name]?.(notification);
    if (argv === undefined)
      return Promise.resolve({
        type: 'failed',
        message: `cannot be told: there is neither ${Object.keys(PROGRAMS).join(' nor ')} on the PATH.`,
      });
    return startProgram({ argv, cwd, environment, input: '', limitMs, signal });
  },
});

function isOnPath(program: string, path: string | undefined): boolean {
  return (path ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== '';
    } catch {
      // Not in this folder.
      return false;
    }
  });
}
