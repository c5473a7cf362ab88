// Findings about leftovers of earlier runs and killed processes in Heddle's folder.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { captureNow } from '../../shell/exec/capture-now.ts';
import { isAlive, isFrozen } from '../../shell/exec/process.ts';
import { Refused } from '../refused.ts';
import type { Project } from '../project.ts';
import { foldRun } from '../fold-run.ts';
import { hasCoordinator, type OpenProject } from '../open-project.ts';
import { workersOf, type WorkerStatus } from '../read/read-status.ts';
import { openProjectStore } from '../local-parts.ts';
import { integrationFor } from '../git/produced.ts';
import type { Finding, NamedWorker } from './finding.ts';
import type { FoundSandbox } from '../../shell/sandbox/sandbox.ts';

export interface AtHome {
  readonly findings: readonly Finding[];
  /** Sandboxes that no run wants any more. */
  readonly unwanted: readonly FoundSandbox[];
  readonly open: OpenProject | undefined;
}

export async function homeFindings(project: Project): Promise<AtHome> {
  if (!existsSync(project.home))
    return { findings: [{ level: 'good', code: 'nothing-ran' }], unwanted: [], open: undefined };
  const opened = openProjectStore(project, 'read');
  if (opened.type === 'failed') {
    const unreadable: Finding = { level: 'bad', code: 'store-unreadable', failure: opened.failure };
    return { findings: [unreadable], unwanted: [], open: undefined };
  }
  const open = { project, store: opened.store };
  const runs = runFindings(open);
  const isGoing = runs.some(({ isUp }) => isUp);
  const found = existsSync(join(project.home, 'sandboxes')) ? await sandboxesOf(open) : [];
  const wanted = new Set(runs.filter(({ isWanted }) => isWanted).map(({ run }) => run));
  const unwanted = found.filter(({ run }) => !wanted.has(run));
  const findings: readonly Finding[] = [
    { level: 'good', code: 'store', runs: runs.length, coordinators: runs.filter(({ isUp }) => isUp).length },
    ...repositoryFindings(project),
    ...runs.flatMap(({ finding }) => finding ?? []),
    ...runs.flatMap(({ workers }) => workers),
    ...sandboxFindings(unwanted),
    ...portFindings(project),
    ...(isGoing ? [] : leftoverFindings(project)),
    ...landingFindings(project),
  ];
  return { findings, unwanted, open };
}

interface RunFound {
  readonly run: string;
  readonly isUp: boolean;
  /** The run can resume in its sandboxes. */
  readonly isWanted: boolean;
  readonly finding: Finding | undefined;
  /** Workers that need attention. */
  readonly workers: readonly Finding[];
}

function runFindings(open: OpenProject): readonly RunFound[] {
  return open.store.runs().map((record): RunFound => {
    const { run } = record;
    const isUp = hasCoordinator(open, record);
    try {
      const { state } = foldRun(open.store, record);
      const isOver = state.run.stage === 'ended';
      const isLeft = !isUp && !isOver;
      const finding: Finding | undefined = isLeft ? { level: 'odd', code: 'run-without-coordinator', run } : undefined;
      const workers = workerFindings({ run, isUp }, workersOf(open.project, record, state));
      return { run, isUp, isWanted: !isOver || isUp, finding, workers };
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause;
      const finding = { level: 'bad', code: 'run-unreadable', run, refusal: cause.refusal } as const;
      return { run, isUp, isWanted: true, finding, workers: [] };
    }
  });
}

/** Workers of a run without a coordinator, and workers without a recent heartbeat. */
function workerFindings(
  { run, isUp }: { readonly run: string; readonly isUp: boolean },
  workers: readonly WorkerStatus[],
): readonly Finding[] {
  const silent = workers.filter(({ is }) => is === 'silent');
  const orphans = isUp ? [] : workers.filter(({ is }) => is === 'alive' || is === 'silent');
  const named = (some: readonly WorkerStatus[]): readonly NamedWorker[] =>
    some.map(({ task, pid, silentMs }) => ({ task, pid, silentMs, isFrozen: pid !== undefined && isFrozen(pid) }));
  if (orphans.length > 0) return [{ level: 'odd', code: 'workers-without-coordinator', run, workers: named(orphans) }];
  return isUp && silent.length > 0 ? [{ level: 'odd', code: 'workers-silent', run, workers: named(silent) }] : [];
}

const sandboxesOf = async (open: OpenProject): Promise<readonly FoundSandbox[]> =>
  (await integrationFor(open, undefined)).sandboxes.find();

function sandboxFindings(unwanted: readonly FoundSandbox[]): readonly Finding[] {
  if (unwanted.length === 0) return [];
  return [{ level: 'odd', code: 'sandboxes-left', sandboxes: unwanted.map(({ run, task }) => ({ run, task })) }];
}

/** A lease names the place that has the port. */
function portFindings({ home }: Project): readonly Finding[] {
  const leaked = entriesIn(join(home, 'ports')).filter((port) => !existsSync(readIfThere(join(home, 'ports', port))));
  if (leaked.length === 0) return [];
  return [{ level: 'odd', code: 'ports-left', ports: leaked }];
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It was given back while we looked.
    return file;
  }
}

/** Only while nothing is running: a leftover looks the same as a file that is being written. */
function leftoverFindings({ home }: Project): readonly Finding[] {
  const folder = join(home, 'repo.git');
  const count = entriesIn(join(home, 'candidates')).length;
  const locks = entriesIn(folder, { recursive: true }).filter((name) => name.endsWith('.lock'));
  return [
    ...(count === 0 ? [] : [{ level: 'odd', code: 'candidates-left', count } as const]),
    ...(locks.length === 0 ? [] : [{ level: 'odd', code: 'locks-left', folder, locks } as const]),
  ];
}

function entriesIn(folder: string, options: { readonly recursive: boolean } = { recursive: false }): readonly string[] {
  return existsSync(folder) ? readdirSync(folder, { ...options, encoding: 'utf8' }) : [];
}

/** A killed landing leaves a note. */
function landingFindings({ home }: Project): readonly Finding[] {
  return entriesIn(home)
    .filter((name) => /^landing-[\da-f]+\.json$/.test(name))
    .flatMap((name): readonly Finding[] => {
      const note: unknown = JSON.parse(readFileSync(join(home, name), 'utf8'));
      if (typeof note !== 'object' || note === null || !('by' in note && 'ref' in note)) return [];
      const by = note.by;
      const isGoing =
        typeof by === 'object' && by !== null && 'pid' in by && 'startedAt' in by
          ? isAlive({ pid: Number(by.pid), startedAt: String(by.startedAt) })
          : false;
      if (isGoing) return [];
      return [{ level: 'odd', code: 'landing-killed', ref: String(note.ref) }];
    });
}

const WITHIN_MS = 10_000;

/** Nothing where it is well, or not there yet. */
function repositoryFindings({ home }: Project): readonly Finding[] {
  const folder = join(home, 'repo.git');
  if (!existsSync(folder)) return [];
  // Only a repository that git can open lists its refs.
  const words = ['git', '--git-dir', folder, 'for-each-ref', '--count=1'];
  const { code, stderr, error } = captureNow(words, { timeoutMs: WITHIN_MS });
  if (error !== undefined || code === 0) return [];
  return [{ level: 'bad', code: 'repository-unreadable', folder, stderr: stderr.trim().split('\n')[0] ?? '' }];
}
