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
  /** What trains have said of the merges they were given, `type task#attempt`. */
  readonly said: Set<string>;
  readonly find: (task: string) => Landed | undefined;
  readonly head: () => string;
  readonly land: (task: string, tip: string | undefined) => Landed;
}

export const BASE = 'base';

export function repository(): Repository {
  const landed: Landed[] = [];
  const head = (): string => landed.at(-1)?.commit ?? BASE;
  return {
    landed,
    said: new Set(),
    head,
    find: (task) => landed.find((each) => each.task === task),
    land: (task, tip) => {
      const added = { task, tip, commit: `merge ${landed.length + 1} of ${task}` };
      landed.push(added);
      return added;
    },
  };
}
