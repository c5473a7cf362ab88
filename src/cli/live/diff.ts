// What a task has changed, in the pager of the person.
import { factsOf } from '../../core/engine/facts.ts';
import { runInForeground } from '../../shell/exec/run-in-foreground.ts';
import type { RunRecord } from '../../shell/ports.ts';
import { Failure } from '../../app/failure.ts';
import { openRunInGit } from '../../app/git/open-run.ts';
import { taskOf } from '../../app/fold-run.ts';
import type { OpenProject } from '../../app/open-project.ts';
import type { Terminal } from '../terminal.ts';
import { mergesOn, runBranchOf } from '../../app/git-parts.ts';

/** The arguments of git that show it. Fails in words when there is nothing to show. */
export async function diffOf(open: OpenProject, record: RunRecord, path: string): Promise<readonly string[]> {
  const { folded, base, ground } = await openRunInGit(open, record, { settings: {}, mends: false });
  const { repository } = ground;
  const { tip } = factsOf(folded.state, taskOf(folded, path).index);
  if (tip === undefined || tip === base) throw new Failure(`${path} has committed nothing yet.`);
  const diff = ['--git-dir', repository.gitDir, 'diff', '--no-ext-diff', '--stat', '--patch'];
  const branch = await repository.read(runBranchOf(record.run));
  const merges = branch === undefined ? [] : await mergesOn(ground, { tip: branch, base });
  const merged = merges.findLast(({ task }) => task === path);
  if (merged !== undefined) return [...diff, `${merged.commit}^1`, merged.commit];
  // What it began with has been merged before, so it is on the run branch too.
  return [...diff, `${branch ?? base}...${tip}`];
}

/** Until the person leaves the pager. */
export async function showDiff(args: readonly string[], { colour }: Pick<Terminal, 'colour'>): Promise<void> {
  const settings = ['--paginate', '-c', `color.diff=${colour ? 'always' : 'never'}`];
  // A diff that fits the screen is to stay on it all the same.
  const environment = { ...process.env, LESS: process.env['LESS'] ?? 'R' };
  await runInForeground(['git', ...settings, ...args], { environment });
}
