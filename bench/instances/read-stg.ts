// Standard Task Graph files: the number of tasks, then one line `id time predecessors…` per task and two more for a
// source and a sink of no time. Comments begin with `#`, and newer files have none.

import { unreadable, type Read } from './instance.ts';

/** Lays the tasks of the file out on `machines` machines that are all alike. */
export function readStg(text: string, machines: number): Read {
  const rows = text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')
    .map((line) => line.split(/\s+/).map(Number));
  const [first, ...tasks] = rows;
  if (first === undefined) return unreadable('The file is empty.');
  if (rows.flat().some((value) => !Number.isFinite(value)))
    return unreadable('A line holds something that is not a number.');
  const announced = first[0] ?? 0;
  // Some writers count the two dummies among the tasks and some do not.
  if (tasks.length !== announced + 2 && tasks.length !== announced) {
    return unreadable(`The file announces ${announced} tasks and holds ${tasks.length} lines of them.`);
  }
  return laidOut(tasks, machines);
}

function laidOut(tasks: readonly (readonly number[])[], machines: number): Read {
  const place = new Map(tasks.map(([id], index) => [id ?? -1, index]));
  const successors: number[][] = tasks.map(() => []);
  for (const [index, [id, , count, ...predecessors]] of tasks.entries()) {
    if (predecessors.length !== (count ?? 0))
      return unreadable(`Task ${id} announces ${count} predecessors and names ${predecessors.length}.`);
    for (const predecessor of predecessors) {
      const list = successors[place.get(predecessor) ?? -1];
      if (list === undefined) return unreadable(`Task ${id} waits for task ${predecessor}, which is not in the file.`);
      list.push(index);
    }
  }
  const activities = tasks.map(([, time], index) => ({
    durationMs: time ?? 0,
    successors: successors[index] ?? [],
    // The two dummies take no time, so no machine is theirs.
    demands: (time ?? 0) > 0 ? [{ pool: 0, tokens: 1 }] : [],
  }));
  return { type: 'given', given: { activities, capacity: [machines] } };
}
