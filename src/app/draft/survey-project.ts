// Surveys a repository for a drafting: its tools and checks, its files and imports, its latest commits.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectFacts, ScriptFact } from '../../core/draft/project-facts.ts';
import { captureNow } from '../../shell/exec/capture-now.ts';
import { survey } from '../../shell/survey/survey.ts';
import { detect, type Detected } from '../onboarding/detect.ts';
import { nameFor } from '../onboarding/onboard.ts';
import { fieldsOf } from '../onboarding/toolchain.ts';

export interface SurveyedProject {
  readonly facts: ProjectFacts;
  readonly detected: Detected;
}

/** `agents` are the kinds that a plan may name. */
export function surveyProject(root: string, agents: readonly string[]): SurveyedProject {
  const detected = detect(root);
  const surveyed = detected.isEmpty ? undefined : survey(['.'], root);
  // A tree without a file to read, as one with only a licence, is as empty as one without any.
  const [files, leftOut] = surveyed?.type === 'surveyed' ? [surveyed.files, surveyed.leftOut.length] : [[], 0];
  const facts: ProjectFacts = {
    name: nameFor(root),
    isEmpty: detected.isEmpty || files.length === 0,
    tools: [...detected.projects, ...detected.others].map(({ tool, folder }) => ({ tool, folder })),
    check: detected.check,
    setup: detected.setup,
    packages: detected.packages,
    packageCheck: detected.packageCheck,
    scripts: scriptsIn(root, [
      '',
      ...detected.packages,
      ...[...detected.projects, ...detected.others].map(({ folder }) => folder),
    ]),
    files,
    leftOut,
    ...historyOf(root),
    agents,
  };
  return { facts, detected };
}

/** Undefined where no package.json is. */
function scriptsIn(root: string, folders: readonly string[]): readonly ScriptFact[] | undefined {
  const found = [...new Set(folders)].filter((folder) => existsSync(join(root, folder, 'package.json')));
  if (found.length === 0) return undefined;
  return found.flatMap((folder) =>
    Object.entries(scriptsOf(join(root, folder, 'package.json'))).map(([name, run]) => ({
      folder,
      name,
      run: String(run),
    })),
  );
}

function scriptsOf(file: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(fieldsOf(JSON.parse(readFileSync(file, 'utf8')))['scripts']);
  } catch {
    // A file that is no JSON has no scripts that could be called.
    return {};
  }
}

const COMMITS_MAX = 200;
const SUBJECTS_MAX = 10;
const OFTEN_MAX = 12;
const SUBJECT_LENGTH_MAX = 120;
/** Between commits; no subject and no path has it. */
const MARK = '\u001E';

function historyOf(root: string): Pick<ProjectFacts, 'commits' | 'changedOften'> {
  const format = `--format=${MARK}%s`;
  const { code, stdout } = captureNow(
    ['git', '-c', 'core.quotePath=false', 'log', `--max-count=${COMMITS_MAX}`, '--no-merges', '--name-only', format],
    { cwd: root },
  );
  if (code !== 0) return { commits: [], changedOften: [] };
  const commits = stdout.split(MARK).slice(1);
  const counts = new Map<string, number>();
  for (const commit of commits)
    for (const path of commit.split('\n').slice(1)) if (path !== '') counts.set(path, (counts.get(path) ?? 0) + 1);
  const often = [...counts].filter(([path, count]) => count > 1 && existsSync(join(root, path)));
  return {
    commits: commits.slice(0, SUBJECTS_MAX).map((commit) => (commit.split('\n')[0] ?? '').slice(0, SUBJECT_LENGTH_MAX)),
    changedOften: often
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, OFTEN_MAX)
      .map(([path]) => path),
  };
}
