// Whether those who are said to be at work are there, as their notes show it.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { claimsOfHosts } from '../../core/engine/owed/owed.ts';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { State } from '../../core/engine/state.ts';
import { ATTEMPT_FILES, attemptFolder } from '../../shell/host/attempt-folder.ts';
import { isAlive } from '../../shell/exec/process.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import type { Project } from '../project.ts';
import { CLOCK, workerOf } from '../local-parts.ts';

export interface WorkerStatus extends ClaimRef {
  readonly pid: number | undefined;
  readonly is: 'alive' | 'silent' | 'dead' | 'starting';
  readonly says: string;
}

/** Silent for this long, a worker is worth a word; it is not ended for it. */
const SILENT_MS = 30_000;

export function workersOf(project: Project, { run }: RunRecord, state: State): readonly WorkerStatus[] {
  return claimsOfHosts(state).map((claim) => ({
    ...claim,
    ...standing(workerOf(project, run, claim), attemptFolder(project.home, run, claim)),
  }));
}

function standing(read: ReturnType<typeof workerOf>, folder: string): Pick<WorkerStatus, 'pid' | 'is' | 'says'> {
  if (read.type !== 'attempt') return { pid: undefined, is: 'starting', says: 'no worker has it yet' };
  const { pid } = read.attempt;
  if (!isAlive(read.attempt)) return { pid, is: 'dead', says: `its worker ${pid} is gone; a resume will notice` };
  const silentMs = CLOCK.now() - (changedAt(join(folder, ATTEMPT_FILES.heartbeat)) ?? CLOCK.now());
  const seconds = Math.round(silentMs / 1000);
  if (silentMs < SILENT_MS) return { pid, is: 'alive', says: 'at work' };
  return {
    pid,
    is: 'silent',
    says: `its worker ${pid} has been silent for ${seconds} s; it is there and is left alone`,
  };
}

const changedAt = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
