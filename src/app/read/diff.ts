// The diff of a task: the arguments for git, and its text.
import { factsOf } from '../../core/engine/facts.ts';
import { capture } from '../../shell/exec/capture.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { taskOf } from '../fold-run.ts';
import { openRunInGit } from '../git/open-run.ts';
import type { OpenProject } from '../open-project.ts';
import { Refused } from '../refusal.ts';
import { REFS } from '../../shell/git/store/ref-names.ts';
import { historyIn } from '../../shell/merge/merge-history.ts';

export async function diffOf(open: OpenProject, record: RunRecord, path: string): Promise<readonly string[]> {
  const { folded, base, ground } = await openRunInGit(open, record, { settings: {}, mends: false });
  const { repository } = ground;
  const { tip } = factsOf(folded.state, taskOf(folded, path).index);
  if (tip === undefined || tip === base) throw new Refused({ code: 'nothing-committed', run: record.run, task: path });
  const diff = ['--git-dir', repository.gitDir, 'diff', '--no-ext-diff', '--stat', '--patch'];
  const branch = await repository.read(REFS.runBranch(record.run));
  const merges = branch === undefined ? [] : await historyIn(repository).at(branch, base);
  const merged = merges.findLast(({ task }) => task === path);
  if (merged !== undefined) return [...diff, `${merged.commit}^1`, merged.commit];
  // The base of the task was merged before, so it is on the run branch too.
  return [...diff, `${branch ?? base}...${tip}`];
}

const DIFF_MS_MAX = 600_000;
const DIFF_BYTES_MAX = 256 * 1024 * 1024;

/** The diff as text; P11: cut after so many bytes. */
export async function readDiff(open: OpenProject, record: RunRecord, path: string): Promise<string> {
  const words = await diffOf(open, record, path);
  const options = { cwd: open.project.root, timeoutMs: DIFF_MS_MAX, keptBytesMax: DIFF_BYTES_MAX };
  const { end, stdout, stderr } = await capture(['git', ...words], options);
  if (end.type === 'exited' && end.code === 0) return stdout.toString('utf8');
  throw new Refused({ code: 'git', message: stderr.toString('utf8').trim() });
}
