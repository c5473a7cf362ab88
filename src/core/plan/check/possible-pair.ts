// Globs indexed by their literal folder prefix, so that only possible pairs are compared: two globs can overlap only
// when the literal prefix of one is a prefix of the other's.

import { readGlob } from './glob-overlap.ts';
import type { Glob, Segment } from './glob-overlap.ts';

export interface OwnedGlob {
  readonly owner: number;
  readonly glob: Glob;
}

interface GlobFolder {
  readonly globs: OwnedGlob[];
  readonly folders: Map<string, GlobFolder>;
}

/** Calls `compare` for each two globs of different owners that could overlap, until it returns a stop. */
export function eachPossiblePair(
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
