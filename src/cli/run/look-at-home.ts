// What earlier runs and killed processes left in Heddle's folder.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../../shell/exec/process.ts';
import { Failure } from '../../app/failure.ts';
import type { Project } from '../../app/project.ts';
import { foldRun } from '../../app/fold-run.ts';
import { hasCoordinator } from '../../app/has-coordinator.ts';
import { workersOf, type WorkerStatus } from '../../app/read/workers-of.ts';
import type { OpenProject } from '../../app/open-project.ts';
import { mountsBelow, type Found } from '../../app/git-parts.ts';
import { openProjectStore } from '../../app/local-parts.ts';
import { plural } from '../text/rows.ts';
import { groundFor } from '../../app/git/everything.ts';
import { lookAtRepository } from '../../app/git/look-at-repository.ts';
import { good, type Remark } from '../../app/git/remark.ts';

export interface AtHome {
  readonly remarks: readonly Remark[];
  /** Sandboxes that no run wants any more. */
  readonly unwanted: readonly Found[];
  readonly open: OpenProject | undefined;
}

export async function lookAtHome(project: Project): Promise<AtHome> {
  if (!existsSync(project.home))
    return { remarks: [good('store', 'Nothing has run here yet.')], unwanted: [], open: undefined };
  const opened = openProjectStore(project, 'read');
  if (opened.type === 'failed') {
    const remedy = 'What could be read of it was kept beside it; move the store away to start afresh.';
    return { remarks: [{ about: 'store', is: 'bad', says: opened.message, remedy }], unwanted: [], open: undefined };
  }
  const open = { project, store: opened.store };
  const runs = lookAtRuns(open);
  const isGoing = runs.some(({ isUp }) => isUp);
  const found = existsSync(join(project.home, 'sandboxes')) ? await sandboxesOf(open) : [];
  const wanted = new Set(runs.filter(({ isWanted }) => isWanted).map(({ run }) => run));
  const unwanted = found.filter(({ run }) => !wanted.has(run));
  const remarks = [
    good('store', `${plural(runs.length, 'run')}, ${plural(runs.filter(({ isUp }) => isUp).length, 'coordinator')} up`),
    ...lookAtRepository(project),
    ...runs.flatMap(({ remark }) => remark ?? []),
    ...runs.flatMap(({ workers }) => workers),
    ...lookAtSandboxes(unwanted),
    ...lookAtMounts(project, found),
    ...lookAtPorts(project),
    ...(isGoing ? [] : lookAtLeftovers(project)),
    ...lookAtLandings(project),
  ];
  return { remarks, unwanted, open };
}

interface RunLook {
  readonly run: string;
  readonly isUp: boolean;
  /** Its sandboxes may be gone on with. */
  readonly isWanted: boolean;
  readonly remark: Remark | undefined;
  /** Of workers that want a look. */
  readonly workers: readonly Remark[];
}

function lookAtRuns(open: OpenProject): readonly RunLook[] {
  return open.store.runs().map((record): RunLook => {
    const { run } = record;
    const isUp = hasCoordinator(open, record);
    try {
      const { state } = foldRun(open.store, record);
      const isOver = state.run.stage === 'ended';
      const isLeft = !isUp && !isOver;
      const remark: Remark | undefined = isLeft
        ? {
            about: 'runs',
            is: 'odd',
            says: `${run} has not ended, and no coordinator is up.`,
            remedy: `heddle resume ${run} goes on, heddle cancel ${run} ends it.`,
          }
        : undefined;
      const workers = lookAtWorkers({ run, isUp }, workersOf(open.project, record, state));
      return { run, isUp, isWanted: !isOver || isUp, remark, workers };
    } catch (cause) {
      if (!(cause instanceof Failure)) throw cause;
      const remark = {
        about: 'store',
        is: 'bad',
        says: cause.message,
        remedy: `heddle recover ${run} lists what it made.`,
      } as const;
      return { run, isUp, isWanted: true, remark, workers: [] };
    }
  });
}

/** Those at work for nobody, and those that a coordinator has not heard of for long. */
function lookAtWorkers(
  { run, isUp }: { readonly run: string; readonly isUp: boolean },
  workers: readonly WorkerStatus[],
): readonly Remark[] {
  const silent = workers.filter(({ is }) => is === 'silent');
  const orphans = isUp ? [] : workers.filter(({ is }) => is === 'alive' || is === 'silent');
  const named = (some: readonly WorkerStatus[]): string =>
    some.map(({ task, pid }) => `${task} (process ${pid})`).join(', ');
  const odd = (says: string, remedy: string): Remark => ({ about: 'workers', is: 'odd', says, remedy });
  return [
    ...(orphans.length === 0
      ? []
      : [
          odd(
            `At work for ${run}, which no coordinator carries out: ${named(orphans)}`,
            `heddle resume ${run} takes them over, heddle cancel ${run} ends them.`,
          ),
        ]),
    ...(isUp && silent.length > 0
      ? [
          odd(
            `Silent in ${run}: ${named(silent)}`,
            `Look at heddle logs, and end them with heddle cancel ${run} TASK when they hang.`,
          ),
        ]
      : []),
  ];
}

const sandboxesOf = async (open: OpenProject): Promise<readonly Found[]> =>
  (await groundFor(open, undefined)).sandboxes.find();

const FIX = 'heddle doctor --fix keeps what is in them behind refs and removes them.';
const NAMED_MAX = 5;

function lookAtSandboxes(unwanted: readonly Found[]): readonly Remark[] {
  if (unwanted.length === 0) return [];
  const names = unwanted.slice(0, NAMED_MAX).map(({ run, task }) => `${run}/${task}`);
  const more = unwanted.length > NAMED_MAX ? ` and ${unwanted.length - NAMED_MAX} more` : '';
  const says = `Sandboxes of runs that have ended: ${names.join(', ')}${more}`;
  return [{ about: 'left over', is: 'odd', says, remedy: FIX }];
}

/** Something is mounted that no sandbox has. */
function lookAtMounts({ home }: Project, found: readonly Found[]): readonly Remark[] {
  const known = new Set(found.map(({ folder }) => join(folder, 'tree')));
  const candidates = join(home, 'candidates');
  const orphans = mountsBelow(home).filter((point) => !known.has(point) && !point.startsWith(`${candidates}/`));
  return orphans.map((point) => ({
    about: 'left over',
    is: 'odd',
    says: `${point} is mounted, and no sandbox is known there.`,
    remedy: `umount ${point}`,
  }));
}

/** A lease names the place that has the port. */
function lookAtPorts({ home }: Project): readonly Remark[] {
  const leaked = entriesIn(join(home, 'ports')).filter((port) => !existsSync(readIfThere(join(home, 'ports', port))));
  if (leaked.length === 0) return [];
  const says = `${plural(leaked.length, 'port')} of sandboxes that are gone: ${leaked.join(', ')}`;
  return [
    { about: 'left over', is: 'odd', says, remedy: 'heddle doctor --fix gives them back; so does the next run.' },
  ];
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It was given back while we looked.
    return file;
  }
}

/** Only where nobody is at work can these be told from what is being made. */
function lookAtLeftovers({ home }: Project): readonly Remark[] {
  const candidates = entriesIn(join(home, 'candidates'));
  const locks = entriesIn(join(home, 'repo.git'), { recursive: true }).filter((name) => name.endsWith('.lock'));
  const remedy = 'heddle doctor --fix removes them; so does the next run.';
  return [
    ...(candidates.length === 0 ? [] : [`${plural(candidates.length, 'tree')} of checks that were killed`]),
    ...(locks.length === 0
      ? []
      : [`${plural(locks.length, 'lock')} in ${join(home, 'repo.git')}: ${locks.join(', ')}`]),
  ].map((says) => ({ about: 'left over', is: 'odd', says, remedy }));
}

function entriesIn(folder: string, options: { readonly recursive: boolean } = { recursive: false }): readonly string[] {
  return existsSync(folder) ? readdirSync(folder, { ...options, encoding: 'utf8' }) : [];
}

/** A landing that was killed says so in a note that it left. */
function lookAtLandings({ home }: Project): readonly Remark[] {
  return entriesIn(home)
    .filter((name) => /^landing-[\da-f]+\.json$/.test(name))
    .flatMap((name): readonly Remark[] => {
      const note: unknown = JSON.parse(readFileSync(join(home, name), 'utf8'));
      if (typeof note !== 'object' || note === null || !('by' in note && 'ref' in note)) return [];
      const by = note.by;
      const isGoing =
        typeof by === 'object' && by !== null && 'pid' in by && 'startedAt' in by
          ? isAlive({ pid: Number(by.pid), startedAt: String(by.startedAt) })
          : false;
      if (isGoing) return [];
      const says = `A landing on ${String(note.ref)} was killed before it was done.`;
      return [{ about: 'left over', is: 'odd', says, remedy: 'heddle land mends it and lands again.' }];
    });
}
