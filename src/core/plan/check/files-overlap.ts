// Finds tasks that may run together and write the same files.
//
// files-overlap/U1. A pair is reported once, with the overlapping globs; not when one task waits for the other, nor
//   when a race keeps only one of them.
// files-overlap/U2. Work is bounded; `isWhole` is false when pairs may be missing.

import { mayOverlap, readGlob, type Glob, type Segment } from './glob-overlap.ts';
import { indexNeeds, type NeedsIndex } from './needs-index.ts';
import { sourceOf, type IndexedTask, type PlanIndex } from './plan-index.ts';
import type { Plan } from '../plan.ts';
import type { ReportFinding } from './plan-finding.ts';

interface WriteOverlap {
  /** Paths of the two tasks, in the order of the plan. */
  readonly tasks: readonly [string, string];
  /** For each of them the glob that meets one of the other's. */
  readonly files: readonly (readonly [string, string])[];
}

export interface Overlaps {
  readonly overlaps: readonly WriteOverlap[];
  readonly isWhole: boolean;
}

const COMPARISONS_MAX = 1_000_000;
const OVERLAPS_MAX = 200;
const FILES_PER_PAIR_MAX = 5;
/** As many warnings as a person would read. */
const WARNINGS_MAX = 20;

export function overlapsOf(plan: Plan): Overlaps {
  return overlapsIn(indexNeeds(plan));
}

interface TaskPair {
  readonly first: number;
  readonly second: number;
  readonly files: [string, string][];
}

function overlapsIn(needs: NeedsIndex): Overlaps {
  const owned = needs.index.tasks.flatMap(({ index, task }) =>
    task.type === 'work' && task.files.length > 0 ? [{ owner: index, files: task.files }] : [],
  );
  const pairs = new Map<string, TaskPair>();
  const races = racesOf(needs);
  let comparisons = 0;
  eachPossiblePair(owned, (one, other) => {
    comparisons += 1;
    if (comparisons > COMPARISONS_MAX || pairs.size >= OVERLAPS_MAX) return 'stop';
    const [first, second] = one.owner < other.owner ? [one, other] : [other, one];
    if (!mayOverlap(first.glob, second.glob)) return 'go on';
    const both = [first.owner, second.owner] as const;
    if (!needs.mayRunTogether(...both) || isSameRace(needs.index, races, both)) return 'go on';
    const pair = pairs.get(both.join()) ?? { first: first.owner, second: second.owner, files: [] };
    pairs.set(both.join(), pair);
    addFiles(pair, [first.glob.text, second.glob.text]);
    return 'go on';
  });
  const overlaps = [...pairs.values()].map((pair) => overlapOf(needs.index, pair));
  return { overlaps, isWhole: comparisons <= COMPARISONS_MAX && pairs.size < OVERLAPS_MAX };
}

function addFiles(pair: TaskPair, files: [string, string]): void {
  const isKnown = pair.files.some(([one, other]) => one === files[0] && other === files[1]);
  if (!isKnown && pair.files.length < FILES_PER_PAIR_MAX) pair.files.push(files);
}

function overlapOf(index: PlanIndex, pair: TaskPair): WriteOverlap {
  const pathOf = (task: number) => index.tasks[task]?.task.path ?? '';
  return { tasks: [pathOf(pair.first), pathOf(pair.second)], files: pair.files };
}

/** For each task, the tasks whose race it runs in. */
function racesOf(needs: NeedsIndex): ReadonlyMap<number, ReadonlySet<number>> {
  const races = new Map<number, Set<number>>();
  for (const at of needs.index.tasks) {
    if (at.task.needs.type !== 'race') continue;
    for (const runner of needs.needs[at.index] ?? []) {
      const own = races.get(runner) ?? new Set();
      races.set(runner, own.add(at.index));
    }
  }
  return races;
}

function isSameRace(
  index: PlanIndex,
  races: ReadonlyMap<number, ReadonlySet<number>>,
  [first, second]: readonly [number, number],
): boolean {
  if (races.size === 0) return false;
  const ofFirst = new Set(withAround(index, first).flatMap((at) => [...(races.get(at) ?? [])]));
  return withAround(index, second).some((at) => [...(races.get(at) ?? [])].some((race) => ofFirst.has(race)));
}

function withAround(index: PlanIndex, task: number): readonly number[] {
  const around: number[] = [];
  for (let at: IndexedTask | undefined = index.tasks[task]; at !== undefined; at = index.tasks[at.parent])
    around.push(at.index);
  return around;
}

export function checkFiles(needs: NeedsIndex, report: ReportFinding): void {
  const { overlaps, isWhole } = overlapsIn(needs);
  const { index } = needs;
  for (const { tasks, files } of overlaps.slice(0, WARNINGS_MAX)) {
    const at = index.tasks[index.byPath.get(tasks[1]) ?? 0];
    if (at === undefined) continue;
    const shown = files
      .map(([one, other]) => (one === other ? `\`${one}\`` : `\`${one}\` and \`${other}\``))
      .join(', ');
    report({
      code: 'write-overlap',
      severity: 'warning',
      path: [...sourceOf(index, at), 'files'],
      message: `\`${tasks[0]}\` and \`${tasks[1]}\` may run together and write the same files: ${shown}.`,
      hint: `Let one need the other, or name narrower files.`,
    });
  }
  if (isWhole && overlaps.length <= WARNINGS_MAX) return;
  const listed = Math.min(WARNINGS_MAX, overlaps.length);
  report({
    code: 'examined-in-part',
    severity: 'warning',
    path: ['tasks'],
    message: isWhole
      ? `${overlaps.length} pairs of tasks may write the same files, and the first ${listed} are listed.`
      : 'So many tasks name the same files that not all pairs of them were compared.',
    hint: 'Mend those first, or name narrower files.',
  });
}

interface OwnedGlob {
  readonly owner: number;
  readonly glob: Glob;
}

interface GlobFolder {
  readonly globs: OwnedGlob[];
  readonly folders: Map<string, GlobFolder>;
}

/** Calls `compare` for each two globs of different owners that could overlap, until it returns a stop. */
function eachPossiblePair(
  owned: readonly { readonly owner: number; readonly files: readonly string[] }[],
  compare: (earlier: OwnedGlob, later: OwnedGlob) => 'go on' | 'stop',
): void {
  const top: GlobFolder = { globs: [], folders: new Map() };
  const globs: OwnedGlob[] = [];
  for (const { owner, files } of owned) {
    for (const file of files) {
      const glob = readGlob(file);
      if (glob === undefined) continue;
      globs.push({ owner, glob });
      for (const choice of glob.choices)
        insert(top, plainBeginning(choice), { owner, glob: { text: file, choices: [choice] } });
    }
  }
  for (const { owner, glob } of globs) {
    for (const choice of glob.choices) {
      const own = { owner, glob: { text: glob.text, choices: [choice] } };
      const { above, here } = along(top, plainBeginning(choice));
      for (const others of above) {
        for (const other of others) if (other.owner !== owner && compare(other, own) === 'stop') return;
      }
      // Two globs in one folder would each find the other, so only the later one compares.
      for (const other of here) if (other.owner < owner && compare(other, own) === 'stop') return;
    }
  }
}

function plainBeginning(segments: readonly Segment[]): readonly string[] {
  const beginning: string[] = [];
  for (const segment of segments) {
    if (segment.type !== 'literal') break;
    beginning.push(segment.text);
  }
  return beginning;
}

function insert(top: GlobFolder, path: readonly string[], glob: OwnedGlob): void {
  let folder = top;
  for (const name of path) {
    const inner = folder.folders.get(name) ?? { globs: [], folders: new Map() };
    folder.folders.set(name, inner);
    folder = inner;
  }
  folder.globs.push(glob);
}

interface AlongPath {
  /** The globs kept in each folder on the way. */
  readonly above: readonly (readonly OwnedGlob[])[];
  /** Those kept at its end. */
  readonly here: readonly OwnedGlob[];
}

function along(top: GlobFolder, path: readonly string[]): AlongPath {
  const above: (readonly OwnedGlob[])[] = [];
  let folder = top;
  for (const name of path) {
    if (folder.globs.length > 0) above.push(folder.globs);
    folder = folder.folders.get(name) ?? { globs: [], folders: new Map() };
  }
  return { above, here: folder.globs };
}
