// Whether the workers of running claims are alive, as their attempt files show it.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { claimsOf } from '../../core/engine/owed/owed.ts';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { Spend } from '../../core/protocol/result.ts';
import type { State } from '../../core/engine/state.ts';
import { ATTEMPT_FILES, attemptFolder } from '../../shell/host/attempt-folder.ts';
import { readLiveSpend } from '../../shell/host/read-attempt.ts';
import { isAlive } from '../../shell/exec/process.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import type { Project } from '../project.ts';
import { CLOCK, workerOf } from '../local-parts.ts';

export interface WorkerStatus extends ClaimRef {
  readonly pid: number | undefined;
  readonly is: 'alive' | 'silent' | 'dead' | 'starting';
  /** Since its last heartbeat. */
  readonly silentMs: number;
}

/** A worker without a heartbeat for this long is reported; it is not ended for it. */
const SILENT_MS = 15_000;

export function workersOf(project: Project, { run }: RunRecord, state: State): readonly WorkerStatus[] {
  // Merges have no worker of their own.
  const claims = claimsOf(state).filter(({ work }) => work !== 'merge');
  return claims.map((claim) => ({
    ...claim,
    ...lifeOf(workerOf(project, run, claim), attemptFolder(project.home, run, claim)),
  }));
}

function lifeOf(read: ReturnType<typeof workerOf>, folder: string): Pick<WorkerStatus, 'pid' | 'is' | 'silentMs'> {
  if (read.type !== 'attempt') return { pid: undefined, is: 'starting', silentMs: 0 };
  const { pid } = read.attempt;
  const now = CLOCK.now();
  const silentMs = now - (changedAt(join(folder, ATTEMPT_FILES.heartbeat)) ?? now);
  if (!isAlive(read.attempt)) return { pid, is: 'dead', silentMs };
  return { pid, is: silentMs < SILENT_MS ? 'alive' : 'silent', silentMs };
}

/** The cost of a running claim so far, as its worker reports it. */
export const spentSoFar =
  ({ home }: Pick<Project, 'home'>, run: string) =>
  (claim: ClaimRef): Spend | undefined =>
    readLiveSpend(attemptFolder(home, run, claim));

const changedAt = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
