// The store of a project, by default of the project around the current folder, and the run in it that a command is about.
import { existsSync } from 'node:fs';
import type { Store } from '../shell/ports/store.ts';
import { Refused } from './refused.ts';
import { findProject, mustBeWritable, mustHaveRoom, excludeFromGit, type Project } from './project.ts';
import { openProjectStore } from './local-parts.ts';
import { isAlive } from '../shell/exec/process.ts';
import type { RunRecord } from '../shell/ports/log.ts';
import { nearest } from '../core/plan/language/nearest-name.ts';

export type { EventText, RunRecord } from '../shell/ports/log.ts';
export type { Store } from '../shell/ports/store.ts';

export interface OpenProject {
  readonly project: Project;
  readonly store: Store;
}

/** `read` and `control` need runs to be there; `write` makes the store. */
export function openProject(purpose: 'read' | 'control' | 'write', project: Project = findProject()): OpenProject {
  mustHaveRoom(project);
  if (purpose !== 'write' && !existsSync(project.home)) throw new Refused({ code: 'no-runs', folder: project.root });
  if (purpose !== 'read') mustBeWritable(project);
  const opened = openProjectStore(project, purpose === 'read' ? 'read' : 'write');
  if (opened.type === 'failed') throw new Refused({ code: 'store', failure: opened.failure });
  if (purpose === 'write') excludeFromGit(project);
  return { project, store: opened.store };
}

/** Whether the run has a living coordinator. */
export function hasCoordinator({ store }: OpenProject, { run }: Pick<RunRecord, 'run'>): boolean {
  const owner = store.ownerOf(run);
  return owner !== undefined && isAlive(owner);
}

/** Whether its coordinator died before it released the run, so that something may be left to do. */
export function isLeftBehind({ store }: OpenProject, { run }: RunRecord): boolean {
  const owner = store.ownerOf(run);
  return owner !== undefined && !isAlive(owner);
}

export interface ChosenRun {
  readonly record: RunRecord;
  /** Undefined when the whole run is meant. */
  readonly task: string | undefined;
}

/** A name of a run, or of a task in the run that is named beside it, else in the latest. */
export function chooseRunOrTask(store: Store, named: string | undefined, run: string | undefined): ChosenRun {
  const isRun = named === undefined || (run === undefined && store.find(named) !== undefined);
  if (isRun) return { record: chooseRun(store, named ?? run), task: undefined };
  return { record: chooseRun(store, run), task: named };
}

/** The run that is named, else the latest. A drafting is meant only by its name, or where there is nothing else. */
export function chooseRun(store: Store, named: string | undefined): RunRecord {
  const record = named === undefined ? latestRun(store) : store.find(named);
  if (record !== undefined) return record;
  const runs = store.runs().map(({ run }) => run);
  if (named === undefined) throw new Refused({ code: 'no-runs', folder: undefined });
  throw new Refused({ code: 'run-unknown', run: named, like: nearest(named, runs), latest: runs.at(-1) });
}

function latestRun(store: Store): RunRecord | undefined {
  const runs = store.runs();
  return runs.findLast(({ purpose }) => purpose === undefined) ?? runs.at(-1);
}

export interface RunAndTasks {
  readonly record: RunRecord;
  readonly tasks: readonly string[];
}

/** The words after a command: a run, tasks of it, or both. A word that is the id of a run means that run. */
export function runAndTasks(store: Store, words: readonly string[], named: string | undefined): RunAndTasks {
  const [first, ...rest] = words;
  const isRun = named === undefined && first !== undefined && store.find(first) !== undefined;
  return isRun ? { record: chooseRun(store, first), tasks: rest } : { record: chooseRun(store, named), tasks: words };
}
