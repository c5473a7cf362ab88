// The diff of a task: the arguments for git, and its text.
import { factsOf } from '../../core/engine/facts.ts';
import { capture } from '../../shell/exec/capture.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { taskOf, type FoldedRun } from '../fold-run.ts';
import { openRunInGit } from '../git/open-run.ts';
import type { OpenProject } from '../open-project.ts';
import { Refused } from '../refused.ts';
import { REFS } from '../../shell/git/store/ref-names.ts';
import { historyIn } from '../../shell/merge/merge-history.ts';

export interface DiffRequest {
  readonly task: string;
  /** Only what this step committed; undefined is all of the task. */
  readonly step?: string | undefined;
  /** Only the names of the files and how many lines changed in each. */
  readonly isStat?: boolean;
}

export async function diffOf(
  open: OpenProject,
  record: RunRecord,
  { task: path, step, isStat = false }: DiffRequest,
): Promise<readonly string[]> {
  const { folded, base, integration } = await openRunInGit(open, record, { settings: {}, repairs: false });
  const { repository } = integration;
  const diffOfStep = step === undefined ? undefined : stepRange(folded, path, step);
  const { tip } = factsOf(folded.state, taskOf(folded, path).index);
  if (tip === undefined || tip === base) throw new Refused({ code: 'nothing-committed', run: record.run, task: path });
  const diff = ['--git-dir', repository.gitDir, 'diff', '--no-ext-diff', '--stat', ...(isStat ? [] : ['--patch'])];
  if (diffOfStep?.before !== undefined) return [...diff, diffOfStep.before, diffOfStep.commit];
  const branch = await repository.read(REFS.runBranch(record.run));
  if (diffOfStep !== undefined) return [...diff, `${branch ?? base}...${diffOfStep.commit}`];
  const merges = branch === undefined ? [] : await historyIn(repository).at(branch, base);
  const merged = merges.findLast(({ task }) => task === path);
  if (merged !== undefined) return [...diff, `${merged.commit}^1`, merged.commit];
  // The base of the task was merged before, so it is on the run branch too.
  return [...diff, `${branch ?? base}...${tip}`];
}

interface StepRange {
  /** The checkpoint before the step; undefined when the step was the first that committed. */
  readonly before: string | undefined;
  readonly commit: string;
}

/** Between the latest checkpoint of a step and the one before it. */
function stepRange(folded: FoldedRun, path: string, step: string): StepRange {
  const { steps } = taskOf(folded, path);
  const ids = steps.map((each) => each.step.id);
  if (!ids.includes(step)) throw new Refused({ code: 'step-unknown', task: path, step, steps: ids });
  const commits = folded.events.flatMap((event) =>
    event.type === 'claim.ended' && event.task === path && event.result?.commit !== undefined
      ? [{ step: event.step, commit: event.result.commit }]
      : [],
  );
  const at = commits.findLastIndex((each) => each.step === step);
  const { commit } = commits[at] ?? {};
  if (commit === undefined) throw new Refused({ code: 'nothing-committed', run: folded.record.run, task: path });
  return { commit, before: commits.slice(0, at).findLast((each) => each.commit !== commit)?.commit };
}

const DIFF_MS_MAX = 600_000;
const DIFF_BYTES_MAX = 256 * 1024 * 1024;

/** The diff as text; P11: cut after so many bytes. */
export async function runDiff(open: OpenProject, record: RunRecord, request: DiffRequest): Promise<string> {
  const words = await diffOf(open, record, request);
  const options = { cwd: open.project.root, timeoutMs: DIFF_MS_MAX, keptBytesMax: DIFF_BYTES_MAX };
  const { end, stdout, stderr } = await capture(['git', ...words], options);
  if (end.type === 'exited' && end.code === 0) return stdout.toString('utf8');
  const failure = {
    code: 'git-failed',
    command: words[0] ?? '',
    gitDir: open.project.root,
    stderr: stderr.toString('utf8').trim(),
  } as const;
  throw new Refused({ code: 'git', failure });
}
