// The plan that a revision begins with: a file, and the run that follows it and is not over.
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { foldRun } from '../fold-run.ts';
import { chooseRun, openProject, type RunRecord } from '../open-project.ts';
import { loadPlanText, namedOrUsual, planOf } from '../plan/load-plan.ts';
import { readText } from '../plan/read-file.ts';
import type { Project } from '../project.ts';
import { Refused } from '../refused.ts';

export interface RevisedPlan {
  /** From the project's root. */
  readonly file: string;
  readonly text: string;
  /** The run that the revised plan is for. */
  readonly run: string | undefined;
}

export interface ReviseRequest {
  readonly project: Project;
  /** Undefined is the usual name. */
  readonly file: string | undefined;
  /** The run whose plan is meant; undefined looks for one that follows the file. */
  readonly run: string | undefined;
}

export function planToRevise({ project, file: named, run }: ReviseRequest): RevisedPlan {
  const record = run === undefined ? undefined : recordOf(project, run);
  const file = named ?? (record !== undefined && existsSync(record.file) ? record.file : namedOrUsual(undefined));
  const text = readText(file);
  if (planOf(loadPlanText(text, file, project)) === undefined) throw new Refused({ code: 'revised-plan-wrong', file });
  const follows = record ?? runOf(project, file);
  return { file: relative(project.root, resolve(file)), text, run: follows?.run };
}

function recordOf(project: Project, run: string): RunRecord {
  const { store } = openProject('read', project);
  const record = chooseRun(store, run);
  store.close();
  return record;
}

/** The latest run of the file, unless it is over. */
function runOf(project: Project, file: string): RunRecord | undefined {
  if (!existsSync(project.home)) return undefined;
  const { store } = openProject('read', project);
  const record = store.runs().findLast((each) => each.purpose === undefined && resolve(each.file) === resolve(file));
  const isOver = record === undefined || foldRun(store, record).state.run.stage === 'ended';
  store.close();
  return isOver ? undefined : record;
}
