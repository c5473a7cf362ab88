// Output of merge checks, by the last merged task of the checked tree.
import { readdirSync, closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../project.ts';
import { tasksOf } from '../git-parts.ts';
import { MERGE_MARK } from '../../shell/merge/run-check.ts';

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

export interface RunningCheck {
  readonly commit: string;
  readonly startedAt: number;
}

/** Merge checks that have not ended: the tree of a check is there as long as it runs. */
export function runningChecks({ home }: Pick<Project, 'home'>, run: string): readonly RunningCheck[] {
  const trees = join(home, 'candidates');
  return namesIn(trees).flatMap((name) => {
    const number = name.startsWith(`${run}.`) ? Number(name.slice(run.length + 1)) : Number.NaN;
    const started = statSync(join(trees, name), { throwIfNoEntry: false });
    if (!Number.isInteger(number) || started === undefined) return [];
    const commit = HEAD.exec(headOf(join(home, 'runs', run, MERGE_MARK, `${number}.log`)) ?? '')?.[1];
    return commit === undefined ? [] : [{ commit, startedAt: started.birthtimeMs }];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing was checked merged.
    return [];
  }
}

/** The latest first. */
function numbersIn(folder: string): readonly number[] {
  return namesIn(folder)
    .map((name) => Number.parseInt(name, 10))
    .filter(Number.isInteger)
    .toSorted((one, other) => other - one)
    .slice(0, LOGS_MAX);
}

const HEAD_BYTES = 256;
const TAIL_BYTES = 16_384;

/** The beginning of a file; undefined when the file is missing. */
const headOf = (file: string): string | undefined => read(file, () => ({ from: 0, bytes: HEAD_BYTES }));

/** The end of a file; undefined when the file is missing or blank. */
function tailOf(file: string): string | undefined {
  const text = read(file, (size) => ({ from: Math.max(0, size - TAIL_BYTES), bytes: TAIL_BYTES }));
  return text === undefined || text.trim() === '' ? undefined : text;
}

function read(
  file: string,
  where: (size: number) => { readonly from: number; readonly bytes: number },
): string | undefined {
  try {
    const opened = openSync(file, 'r');
    try {
      const { from, bytes } = where(fstatSync(opened).size);
      const piece = Buffer.alloc(bytes);
      return piece.subarray(0, readSync(opened, piece, 0, bytes, from)).toString('utf8');
    } finally {
      closeSync(opened);
    }
  } catch {
    // An attempt without output, or with a deleted folder.
    return undefined;
  }
}
