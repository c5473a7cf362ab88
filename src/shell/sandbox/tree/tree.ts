// How a place gets its files: the port that overlay, snapshot and checkout fill. One contract suite runs over all.
import type { PlacePaths } from './place-paths.ts';
import type { TreeKind } from '../sandbox.ts';
import type { OverlayLayers, Trouble } from '../disk/mounts.ts';
import type { Touched } from './touched.ts';

export interface Tree {
  readonly kind: TreeKind;
  /** Gives a place that has none a tree of a commit, and a git directory that agrees with it. */
  readonly populate: (request: FillRequest) => Promise<Trouble>;
  /** Makes the files visible again where a restart of the machine hid them. */
  readonly mount: (place: PlacePaths) => Promise<Trouble>;
  /** So that nothing is mounted in it; the files stay. */
  readonly unmount: (place: PlacePaths) => Promise<Trouble>;
  /** Takes the files out of a place that sleeps, to be used again or thrown away. */
  readonly retire: (place: PlacePaths) => Promise<void>;
  /** What is to be mounted inside, where that cannot be done outside. */
  readonly overlayOf: (place: PlacePaths) => OverlayLayers | undefined;
  /** Where files that programs made are found while the place sleeps. */
  readonly writtenIn: (place: PlacePaths) => string;
  /** What may differ from what it was filled with; undefined where only looking at every file would tell. */
  readonly touched: (place: PlacePaths) => Promise<Touched | undefined>;
}

export interface FillRequest {
  readonly place: PlacePaths;
  readonly commit: string;
  /** The commit's tree. */
  readonly tree: string;
  readonly branch: string;
  /** A folder of files to be there besides, and what git shall not see of them. */
  readonly layer: LayerFiles | undefined;
  /** Whether what is made in it will be committed. */
  readonly isForWork: boolean;
}

export interface LayerFiles {
  readonly name: string;
  readonly files: string;
  /** Patterns as git's exclude files have them. */
  readonly excludes: readonly string[];
}
