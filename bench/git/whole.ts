// All that git costs in a run of many tasks at once: a place for each, a commit of what was made there, the merge of all,
// and the places gone again. What the tasks do themselves is not counted.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { REFS } from '../../src/shell/git/store/ref-names.ts';
import type { Repository } from '../../src/shell/git/repository.ts';
import type { Sandboxes } from '../../src/shell/sandbox/sandboxes.ts';
import { timed } from './print-figures.ts';
import { git, gitAtOnce } from './sample-project.ts';
import type { Project } from './sample-project.ts';

export interface OpenIntegration {
  readonly repository: Repository;
  readonly sandboxes: Sandboxes;
}

const FILES_OF_TASK = 8;
const AT = Date.UTC(2026, 0, 1);
const RUN = 'whole';

/** Files of the task's own, and one more. */
function work(
  folder: string,
  { paths }: Project,
  { task, count }: { readonly task: number; readonly count: number },
): void {
  const own = Math.max(1, Math.floor(paths.length / count));
  for (let index = 0; index < FILES_OF_TASK - 1; index += 1) {
    const path = paths[task * own + ((index * 7) % own)];
    if (path !== undefined) appendFileSync(join(folder, path), `// task ${task}\n`);
  }
  const more = join(folder, 'added', `by-${task}`);
  mkdirSync(dirname(more), { recursive: true });
  writeFileSync(more, `${task}\n`);
}

export async function ourRun(
  { repository, sandboxes }: OpenIntegration,
  project: Project,
  count: number,
): Promise<number> {
  const { base } = project;
  const names = Array.from({ length: count }, (_, task) => `t${task}`);
  const opened = await timed(() =>
    Promise.all(names.map((task) => sandboxes.open({ run: RUN, task, base, from: undefined, at: AT }))),
  );
  const made = opened.value.map((one) => {
    if (one.type === 'failed') throw new Error(one.failure.code);
    return one.sandbox;
  });
  for (const [task, { folder }] of made.entries()) work(folder, project, { task, count });
  const rest = await timed(async () => {
    const kept = await Promise.all(
      made.map((sandbox, task) =>
        sandbox.checkpoint({
          message: `Work ${task}\n`,
          at: AT,
          ref: REFS.checkpoint(RUN, { task: `t${task}`, step: 'work', attempt: 1 }),
        }),
      ),
    );
    const links = kept.map((one, task) => {
      if (one.type !== 'committed') throw new Error(JSON.stringify(one));
      return { tip: one.commit, message: `Merge ${task}` };
    });
    const merged = await repository.mergeAll({ base, links, at: AT, usesResolutions: false });
    if (merged.type !== 'merged') throw new Error(JSON.stringify(merged));
    await repository.swap({ ref: REFS.runBranch(RUN), from: undefined, to: merged.commit });
    await Promise.all(made.map((sandbox) => sandbox.destroy()));
  });
  return opened.ms + rest.ms;
}

/** Worktrees one after the other, because git fails otherwise; commits in parallel; merges in series on one branch. */
export async function rawRun(project: Project, count: number): Promise<number> {
  const { root, folder, base } = project;
  const places = Array.from({ length: count }, (_, task) => join(root, `raw${task}`));
  const made = await timed(async () => {
    for (const [task, place] of places.entries()) {
      git(folder, 'worktree', 'add', '-q', '--no-track', '-b', `raw-${task}`, place, base);
    }
  });
  for (const [task, place] of places.entries()) work(place, project, { task, count });
  const rest = await timed(async () => {
    await Promise.all(
      places.map(async (place, task) => {
        await gitAtOnce(place, 'add', '-A');
        await gitAtOnce(place, 'commit', '-qm', `Work ${task}`);
      }),
    );
    const target = join(root, 'raw-target');
    git(folder, 'worktree', 'add', '-q', '--detach', target, base);
    for (const task of places.keys()) git(target, 'merge', '-q', '--no-ff', '--no-edit', `raw-${task}`);
    for (const place of [...places, target]) git(folder, 'worktree', 'remove', '--force', place);
  });
  return made.ms + rest.ms;
}
