// Log-ins that an agent renews while it works: its copy in the sandbox is then the only one that still holds, because a
// provider takes most tokens for a renewal once. So it is brought back to where it was copied from.
//
// log-in-note/R1. Only values come back: a file of the same form, in which texts and numbers differ. Nothing of it can
//     be more than the user's own program wrote there, such as one more setting.
// log-in-note/R2. What the user's file became meanwhile stays: somebody else has renewed it.
// log-in-note/R3. Nothing outside of the sandbox's own home is read, whatever links a program left there.
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Brought } from './isolation.ts';
import { asideName } from '../disk/files.ts';

export interface LogIn {
  /** The home folder that stands in for the user's own. */
  readonly home: string;
  /** Of those that are copied, the files that hold nothing but what proves who somebody is. */
  readonly files: readonly Brought[];
}

export interface LogInNote {
  /** Says which files were brought back. */
  readonly bringBack: () => readonly string[];
}

/** No such file is this large. */
const BYTES_MAX = 256 * 1024;

/** To be called before the agent starts. */
export function noteLogIn({ home, files }: LogIn): LogInNote {
  const noted = files.map(({ from, to }) => ({ home, from, to, before: readPlain(from) }));
  return { bringBack: () => noted.filter(bringBack).map(({ from }) => from) };
}

interface Bringing extends Brought {
  readonly home: string;
  readonly before: string | undefined;
}

function bringBack({ home, from, to, before }: Bringing): boolean {
  const renewed = isBelow(home, join(home, to)) ? readPlain(join(home, to)) : undefined;
  if (before === undefined || renewed === undefined || renewed === before) return false;
  if (!isOfOneForm(parsed(before), parsed(renewed)) || readPlain(from) !== before) return false;
  return replace(from, renewed);
}

/** Whether a path leads to something below a folder, links followed. */
function isBelow(folder: string, path: string): boolean {
  try {
    return realpathSync(path).startsWith(`${realpathSync(folder)}${sep}`);
  } catch {
    return false;
  }
}

/** Undefined when there is no plain file, or a larger one than any log-in is. */
function readPlain(path: string): string | undefined {
  try {
    // Opening a pipe would wait for somebody to write to it.
    const opened = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = fstatSync(opened);
      return found.isFile() && found.size <= BYTES_MAX ? readFileSync(opened, 'utf8') : undefined;
    } finally {
      closeSync(opened);
    }
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether two values differ in texts and numbers at most. */
function isOfOneForm(one: unknown, other: unknown): boolean {
  if (typeof one !== typeof other || one === undefined) return false;
  if (typeof one === 'string' || typeof one === 'number') return true;
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return one === other;
  const [mine, others] = [Object.entries(one), new Map(Object.entries(other))];
  if (Array.isArray(one) !== Array.isArray(other) || mine.length !== others.size) return false;
  return mine.every(([key, value]) => others.has(key) && isOfOneForm(value, others.get(key)));
}

/** Whole or not at all, and readable by whom it was readable before. */
function replace(link: string, text: string): boolean {
  let aside: string | undefined;
  try {
    // Where users keep the file elsewhere and link to it, it stays there.
    const path = realpathSync(link);
    aside = `${path}.${asideName()}`;
    writeFileSync(aside, text, { mode: statSync(path).mode & MODE_BITS, flag: 'wx' });
    renameSync(aside, path);
    return true;
  } catch {
    // A disk that is full or a folder that may not be written to costs the log-in and not the work.
    if (aside !== undefined) rmSync(aside, { force: true });
    return false;
  }
}

const MODE_BITS = 0o777;
