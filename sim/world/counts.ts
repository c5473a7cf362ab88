// What happened in a world, counted by name: a world in which nothing happens proves nothing.
export interface Counts {
  readonly add: (name: string, by?: number) => void;
  readonly of: (name: string) => number;
  readonly all: () => Readonly<Record<string, number>>;
}

export function counting(): Counts {
  const counts = new Map<string, number>();
  return {
    add: (name, by = 1) => void counts.set(name, (counts.get(name) ?? 0) + by),
    of: (name) => counts.get(name) ?? 0,
    all: () => Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

export function sumOf(counts: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const sum = counting();
  for (const each of counts) for (const [name, count] of Object.entries(each)) sum.add(name, count);
  return sum.all();
}
