// Says that a server of a project is up, for other processes: the file has no secret.
//
// serve-note/N1. Of two servers that start at the same moment one has the file. That of a dead process is taken away.
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { number, object, text, WRONG } from '../core/plan/json-fields.ts';
import { isAlive, thisProcess } from '../shell/exec/process.ts';
import type { Project } from './project.ts';
import { Refused } from './refused.ts';
import { readHomeFile, writeHomeFile } from './home-file.ts';

export interface ServeNote {
  readonly pid: number;
  /** In the system's own form; tells the process from a later one with the same pid. */
  readonly startedAt: string;
  readonly since: number;
  readonly version: string;
  /** Without a token; empty until the server listens. */
  readonly url: string;
}

const fileIn = (home: string): string => join(home, 'serve.json');

/** The living server of a project. */
export function livingServe({ home }: Pick<Project, 'home'>): ServeNote | undefined {
  const note = noteIn(fileIn(home));
  return note !== undefined && isAlive(note) ? note : undefined;
}

function noteIn(file: string): ServeNote | undefined {
  const read = readHomeFile(file);
  const note = read.type === 'read' ? noteField(read.value) : WRONG;
  return note === WRONG ? undefined : note;
}

const noteField = object<ServeNote>({ pid: number, startedAt: text, since: number, version: text, url: text });

export interface OwnNote {
  /** Once the server listens. */
  readonly tell: (url: string) => void;
  readonly remove: () => void;
}

/** Makes this process the one server of a project, or refuses. */
export function takeServe({ home }: Pick<Project, 'home'>, given: Pick<ServeNote, 'since' | 'version'>): OwnNote {
  const note: ServeNote = { ...thisProcess(), ...given, url: '' };
  const file = fileIn(home);
  do {
    const other = noteIn(file);
    if (other !== undefined && isAlive(other))
      throw new Refused({ code: 'serve-running', pid: other.pid, url: other.url });
    removeDead(file);
  } while (!hasPut(file, note));
  return {
    tell: (url) => writeHomeFile(file, { ...note, url }),
    remove: () => {
      if (noteIn(file)?.pid === process.pid) rmSync(file, { force: true });
    },
  };
}

/** Another process may have taken the place of the dead one since the file was read: its file is put back. */
function removeDead(file: string): void {
  if (!existsSync(file)) return;
  const grave = `${file}.${process.pid}.dead`;
  renameSync(file, grave);
  const found = noteIn(grave);
  if (found !== undefined && isAlive(found)) hasLinked(grave, file);
  rmSync(grave, { force: true });
}

function hasPut(file: string, note: ServeNote): boolean {
  const aside = `${file}.${process.pid}.taking`;
  writeHomeFile(aside, note);
  const isThere = hasLinked(aside, file);
  rmSync(aside, { force: true });
  return isThere;
}

/** A link, unlike a rename, never replaces the file of another process. */
function hasLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false;
    throw cause;
  }
}
