// Desktop notifications, through the system's own program.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Notice } from '../../core/view/run/notification.ts';
import { cleanLine, shorten } from '../../core/view/draw/label.ts';
import { startProgram, type Channel } from './channel.ts';

export interface DesktopGiven {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly limitMs?: number;
}

const LIMIT_MS = 10_000;
const TEXT_MAX = 240;

type Argv = readonly [string, ...string[]];

/** The text reaches these programs as arguments, never as a script or as markup. */
const PROGRAMS: Readonly<Record<string, (notice: Notice) => Argv>> = {
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

export const desktop = ({ cwd, environment, limitMs = LIMIT_MS }: DesktopGiven): Channel => ({
  name: 'The desktop',
  tell: (notice, signal) => {
    const name = Object.keys(PROGRAMS).find((program) => isOnPath(program, environment['PATH']));
    const argv = name === undefined ? undefined : PROGRAMS[name]?.(notice);
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
