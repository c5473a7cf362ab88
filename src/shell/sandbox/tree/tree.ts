// How a place gets its files: the port that overlay, snapshot and checkout implement. One contract suite tests all.
import type { PlacePaths } from './place-paths.ts';
import type { OverlayMount, MaybeFailure } from '../disk/mounts.ts';
import type { Touched } from './touched.ts';

/** How a sandbox gets its files. */
export type TreeKind = 'overlay' | 'snapshot' | 'checkout' | 'none';

export interface Tree {
  readonly kind: TreeKind;
  /** Fills an empty place with the tree of a commit, and a matching git directory. */
  readonly populate: (request: FillRequest) => Promise<MaybeFailure>;
  /** Takes the files out of a place in which no program runs, to be reused or deleted. */
  readonly retire: (place: PlacePaths) => Promise<void>;
  /** The overlay that programs see as the tree, each mount with a work folder of its own; undefined for plain files. */
  readonly overlayOf: (place: PlacePaths) => OverlayMount | undefined;
  /** The folder of files that programs made, while no program runs in the place. */
  readonly writtenIn: (place: PlacePaths) => string;
  /** Paths that may differ from the original content; undefined where only examining every file would tell. */
  readonly touched: (place: PlacePaths) => Promise<Touched | undefined>;
}

export interface FillRequest {
  readonly place: PlacePaths;
  readonly commit: string;
  /** The commit's tree. */
  readonly tree: string;
  readonly branch: string;
  /** Additional files, and patterns that hide them from git. */
  readonly layer: LayerFiles | undefined;
  /** Whether changes in it will be committed. */
  readonly isForWork: boolean;
}

export interface LayerFiles {
  readonly name: string;
  readonly files: string;
  /** Patterns of git's exclude files. */
  readonly excludes: readonly string[];
}
