// Projects for tests of the web server: over the store in memory and the store on disk, with runs that are written event by
// event or coordinated in this process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startOf } from '../../core/engine/apply/fold.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import { given, type RunOptions } from '../../core/engine/run.given.ts';
import { thisProcess } from '../../shell/exec/process.ts';
import type { LocalLog, RunRecord } from '../../shell/ports/log.ts';
import type { Store } from '../../shell/ports/store.ts';
import { emptyMemory, memoryStore, type StoreMemory } from '../../shell/store/memory-store.ts';
import { openStore } from '../../shell/store/open-store.ts';
import { CLOCK } from '../local-parts.ts';
import { coordinate } from '../run/coordinate.ts';
import type { OpenProject } from '../open-project.ts';
import { openFoldReads, type AskFolds } from './fold-reads.ts';
import { servedProject, type ServedProject } from './served-project.ts';

export interface GivenProject {
  readonly served: ServedProject;
  readonly root: string;
  readonly store: Store;
}

function givenRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'heddle-web-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

export function projectInMemory(memory: StoreMemory = emptyMemory()): GivenProject {
  const root = givenRoot();
  const project = { root, home: join(root, '.heddle') };
  const store = memoryStore(memory, { clock: CLOCK, process: thisProcess() });
  const open = (): OpenProject => ({ project, store });
  const reads = openFoldReads();
  // In this thread: no other one sees this memory.
  const ask: AskFolds = async (name, args) => await reads[name](open(), args);
  const served = { ...servedProject(project), identity: () => 'memory', open, ask };
  return { served, root, store };
}

export function projectOnDisk(): GivenProject {
  const root = givenRoot();
  const project = { root, home: join(root, '.heddle') };
  const opened = openStore(project.home, { mode: 'write', clock: CLOCK });
  if (opened.type === 'failed') throw new Error(opened.failure.code);
  onTestFinished(() => opened.store.close());
  return { served: servedProject(project), root, store: opened.store };
}

/** The events of a run in memory, for a store. */
export const eventsOf = (tasks: string, options?: RunOptions): readonly RunEvent[] => given(tasks, options).log;

/** A run with the first event of its log. */
export function givenRun({ store }: GivenProject, events: readonly RunEvent[], name = 'given'): RunRecord {
  const record = { createdAt: 1_700_000_000_000, name, file: 'plan.yaml', source: 'tasks: {}\n' };
  const created = store.create(record, startOf(events));
  if (created.type === 'failed') throw new Error(created.failure.code);
  return created.record;
}

export interface Writer {
  readonly append: LocalLog['append'];
  readonly release: () => void;
}

/** This process as the coordinator of a run. */
export function ownGivenRun({ store }: GivenProject, { run }: RunRecord): Writer {
  const owned = store.own(run, { takesOver: true });
  if (owned.type !== 'owned') throw new Error(JSON.stringify(owned));
  onTestFinished(() => owned.release());
  return { append: owned.log.append, release: owned.release };
}

/** A real coordinator in this process, until the run is over. */
export async function coordinateHere({ root, store }: GivenProject, record: RunRecord): Promise<void> {
  await coordinate({
    project: { root, home: join(root, '.heddle') },
    store,
    record,
    compiled: undefined,
    observer: { onStart: () => undefined, onEvents: () => undefined, onNote: () => undefined },
    takesOver: false,
    waitMs: Infinity,
  });
}
