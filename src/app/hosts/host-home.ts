// The folder of a host program for one server: files of its claims, its repository, its sandboxes.
//
// host-home/H1. One program at a time uses a home. That of a program that has died is taken over.
// host-home/H2. Runs of different projects may have one name: a home belongs to one server and one token.
import { createHash, randomUUID } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeOwnersFolder } from '../../shell/exec/owners-folder.ts';
import { isAlive, thisProcess } from '../../shell/exec/process.ts';
import { readJson } from '../../shell/host/read-json.ts';
import { isObject, listOf, text, WRONG } from '../../core/plan/json-fields.ts';
import { readHomeFile, writeHomeFile } from '../home-file.ts';
import { Refused } from '../refused.ts';

export interface HostHomeOptions {
  readonly url: URL;
  readonly token: string;
  /** Undefined chooses one below the user's own. */
  readonly named: string | undefined;
}

export interface HostHome {
  readonly folder: string;
  /** The name of this program, and those of programs that died here: the server may believe that one of them is there. */
  readonly instance: string;
  readonly follows: readonly string[];
  readonly release: () => void;
}

const IN_USE = 'host.json';
const PROGRAMS = 'programs.json';
/** A host that dies more often than this before the server hears of it waits for a lease. */
const PROGRAMS_MAX = 30;
const HASH_LENGTH = 8;

export function takeHostHome(options: HostHomeOptions): HostHome {
  const folder = options.named === undefined ? defaultHome(options) : resolve(options.named);
  try {
    makeOwnersFolder(folder);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Refused({ code: 'folder-unusable', folder, message }, { cause });
  }
  const file = join(folder, IN_USE);
  while (!hasPut(file)) {
    const other = ownerIn(file);
    if (other !== undefined && isAlive(other)) throw new Refused({ code: 'host-home-taken', folder, pid: other.pid });
    rmSync(file, { force: true });
  }
  return { folder, ...enterProgram(folder), release: () => rmSync(file, { force: true }) };
}

/** With its own name in the list, before the server hears of it. */
function enterProgram(folder: string): Pick<HostHome, 'instance' | 'follows'> {
  const file = join(folder, PROGRAMS);
  const read = readHomeFile(file);
  const known = read.type === 'read' ? namesField(read.value) : WRONG;
  const follows = known === WRONG ? [] : known.slice(-PROGRAMS_MAX);
  const instance = randomUUID();
  writeHomeFile(file, [...follows, instance]);
  return { instance, follows };
}

const namesField = listOf(text);

const defaultHome = (options: HostHomeOptions): string => join(homedir(), '.heddle-host', homeName(options));

export function homeName({ url, token }: Pick<HostHomeOptions, 'url' | 'token'>): string {
  const hash = createHash('sha256').update(token).digest('hex').slice(0, HASH_LENGTH);
  return `${url.host.replace(/[^\w.-]/g, '-')}-${hash}`;
}

/** A link, unlike a rename, never replaces the file of another program. */
function hasPut(file: string): boolean {
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, JSON.stringify(thisProcess()));
  try {
    linkSync(aside, file);
    return true;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false;
    throw cause;
  } finally {
    rmSync(aside, { force: true });
  }
}

function ownerIn(file: string): { readonly pid: number; readonly startedAt: string } | undefined {
  const read = readJson(file);
  const { pid, startedAt } = read.type === 'value' && isObject(read.value) ? read.value : {};
  return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : undefined;
}
