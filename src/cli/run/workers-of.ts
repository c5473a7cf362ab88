// Whether those who are said to be at work are there, as their notes show it.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { claimsOfHosts } from '../../core/engine/hosts/desk.ts';
import type { ClaimRef } from '../../core/engine/hosts/assignment.ts';
import type { State } from '../../core/engine/state.ts';
import { ATTEMPT_FILES, attemptFolder, attemptNote } from '../../shell/attempt-folder.ts';
import { isAlive } from '../../shell/process.ts';
import type { Process, RunRecord } from '../../shell/ports.ts';
import type { Project } from '../project.ts';
import { CLOCK } from '../wire.ts';

export interface WorkerStatus extends ClaimRef {
  readonly pid: number | undefined;
  readonly is: 'alive' | 'silent' | 'dead' | 'starting';
  readonly says: string;
}

/** Silent for this long, a worker is worth a word; it is not ended for it. */
const SILENT_MS = 30_000;

export function workersOf({ home }: Project, { run }: RunRecord, state: State): readonly WorkerStatus[] {
  return claimsOfHosts(state).map((claim) => ({ ...claim, ...standing(attemptFolder(home, run, claim)) }));
}

function standing(folder: string): Pick<WorkerStatus, 'pid' | 'is' | 'says'> {
  const worker = workerIn(folder);
  if (worker === undefined) return { pid: undefined, is: 'starting', says: 'no worker has it yet' };
  const { pid } = worker;
  if (!isAlive(worker)) return { pid, is: 'dead', says: `its worker ${pid} is gone; a resume will notice` };
  const silentMs = CLOCK.now() - (changedAt(join(folder, ATTEMPT_FILES.beat)) ?? CLOCK.now());
  const seconds = Math.round(silentMs / 1000);
  if (silentMs < SILENT_MS) return { pid, is: 'alive', says: 'at work' };
  return {
    pid,
    is: 'silent',
    says: `its worker ${pid} has been silent for ${seconds} s; it is there and is left alone`,
  };
}

function workerIn(folder: string): Process | undefined {
  try {
    const note: unknown = JSON.parse(readFileSync(attemptNote(folder), 'utf8').split('\n', 1)[0] ?? '');
    if (typeof note !== 'object' || note === null || !('pid' in note) || !('startedAt' in note)) return undefined;
    return { pid: Number(note.pid), startedAt: String(note.startedAt) };
  } catch {
    return undefined;
  }
}

const changedAt = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
