// Says which engine keeps the runs of a project, and what is wrong with it: for `heddle status`, and for the next server.
import { join } from 'node:path';
import { maybe, object, oneOf, text, WRONG } from '../core/plan/json-fields.ts';
import type { EngineFault } from '../core/protocol/store-failure.ts';
import type { Project } from './project.ts';
import type { RunRecord } from '../shell/ports/log.ts';
import { Refused } from './refused.ts';
import { readHomeFile, writeHomeFile } from './home-file.ts';

export interface EngineNote {
  /** The name of this machine's copy of the runs, by which its commands are told from those of others. */
  readonly name: string;
  /** Without a password. */
  readonly engine: string;
  /** As the server last saw it; undefined when all was well. */
  readonly trouble: NotedFailure | undefined;
}

interface NotedFailure {
  readonly why: EngineFault;
  readonly cause: string;
}

/** The log of a run on an engine is written by servers alone: what is here is a copy, and another server may go on with it. */
export function mustBeKeptHere(
  project: Pick<Project, 'home'>,
  { run, purpose }: Pick<RunRecord, 'run' | 'purpose'>,
): void {
  const engine = engineKeeping(project, { purpose });
  if (engine !== undefined) throw new Refused({ code: 'engine-keeps', run, engine });
}

/** The engine whose servers write the log of a run; undefined for one that is kept on this machine alone, as a drafting is. */
export const engineKeeping = (
  project: Pick<Project, 'home'>,
  { purpose }: Pick<RunRecord, 'purpose'>,
): string | undefined => (purpose === 'draft' ? undefined : readEngineNote(project)?.engine);

/** For a server without an engine. */
export function mustHaveNoEngine(project: Pick<Project, 'home'>): void {
  const note = readEngineNote(project);
  if (note !== undefined) throw new Refused({ code: 'engine-left', engine: note.engine, file: fileIn(project.home) });
}

const fileIn = (home: string): string => join(home, 'engine.json');

const noteField = object<EngineNote>({
  name: text,
  engine: text,
  trouble: maybe(
    object<NotedFailure>({
      why: oneOf<EngineFault>({
        away: true,
        unanswered: true,
        'read-only': true,
        full: true,
        newer: true,
        refused: true,
      }),
      cause: text,
    }),
  ),
});

/** Undefined where runs are kept on this machine alone. */
export function readEngineNote({ home }: Pick<Project, 'home'>): EngineNote | undefined {
  const read = readHomeFile(fileIn(home));
  const note = read.type === 'read' ? noteField(read.value) : WRONG;
  return note === WRONG ? undefined : note;
}

export const writeEngineNote = ({ home }: Pick<Project, 'home'>, note: EngineNote): void =>
  writeHomeFile(fileIn(home), note);
