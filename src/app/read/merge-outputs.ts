// What the checks of merged work printed, by the task that was merged last in what they judged.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../project.ts';
import { headOf, tailOf } from './ends-of-file.ts';
import { MERGE_MARK, tasksOf } from '../report-parts.ts';

/** The latest so many checks of a run are looked at. */
const LOGS_MAX = 500;
/** Each file begins with the commit that was judged and the command. */
const HEAD = /^\[heddle: ([0-9a-f]{40,64}): /;

/** Of each task that is asked for, the output of the latest check of its merge. */
export async function mergeOutputs(
  { home, root }: Project,
  run: string,
  tasks: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (tasks.length === 0) return new Map();
  const folder = join(home, 'runs', run, MERGE_MARK);
  const logs = numbersIn(folder).flatMap((number) => {
    const file = join(folder, `${number}.log`);
    const commit = HEAD.exec(headOf(file) ?? '')?.[1];
    return commit === undefined ? [] : [{ file, commit }];
  });
  const taskOf = await tasksOf({ home, project: root }, [...new Set(logs.map(({ commit }) => commit))]);
  const wanted = new Set(tasks);
  const outputs = new Map<string, string>();
  for (const { file, commit } of logs) {
    const task = taskOf.get(commit);
    if (task === undefined || !wanted.delete(task)) continue;
    const printed = tailOf(file)?.replace(/^\[heddle: [0-9a-f]+: .*\n/, '');
    if (printed !== undefined && printed.trim() !== '') outputs.set(task, printed);
  }
  return outputs;
}

/** The latest first. */
function numbersIn(folder: string): readonly number[] {
  try {
    const numbers = readdirSync(folder).map((name) => Number.parseInt(name, 10));
    return numbers
      .filter(Number.isInteger)
      .toSorted((one, other) => other - one)
      .slice(0, LOGS_MAX);
  } catch {
    // Nothing was checked merged.
    return [];
  }
}
