// The run branch, which outlives every coordinator: what was merged, in order. A commit is a name that follows from what
// is under it and what was merged, so that doing it again gives the same.
export interface Landed {
  readonly task: string;
  readonly tip: string | undefined;
  readonly commit: string;
}

export interface Repository {
  /** In the order in which they were merged. */
  readonly landed: readonly Landed[];
  /** What merge queues have reported of their requests, `type claim`. */
  readonly reported: Set<string>;
  /** Gives the right to move the run branch to one more queue, and takes it from the one before. */
  readonly takeFence: () => number;
  readonly fence: () => number;
  readonly find: (task: string) => Landed | undefined;
  readonly head: () => string;
  readonly land: (task: string, tip: string | undefined) => Landed;
}

export const BASE = 'base';

export function repository(): Repository {
  const landed: Landed[] = [];
  let fence = 0;
  const head = (): string => landed.at(-1)?.commit ?? BASE;
  return {
    landed,
    reported: new Set(),
    takeFence: () => (fence += 1),
    fence: () => fence,
    head,
    find: (task) => landed.find((each) => each.task === task),
    land: (task, tip) => {
      const added = { task, tip, commit: `merge ${landed.length + 1} of ${task}` };
      landed.push(added);
      return added;
    },
  };
}
