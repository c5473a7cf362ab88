// How a place gets its files: the port that overlay, snapshot and checkout implement. One contract suite tests all.
import type { PlacePaths } from './place-paths.ts';
import type { TreeKind } from '../sandbox.ts';
import type { OverlayLayers, Trouble } from '../disk/mounts.ts';
import type { Touched } from './touched.ts';

export interface Tree {
  readonly kind: TreeKind;
  /** Fills an empty place with the tree of a commit, and a matching git directory. */
  readonly populate: (request: FillRequest) => Promise<Trouble>;
  /** Mounts the files again after a restart of the machine. */
  readonly mount: (place: PlacePaths) => Promise<Trouble>;
  /** Unmounts everything in the place; the files stay. */
  readonly unmount: (place: PlacePaths) => Promise<Trouble>;
  /** Takes the files out of an unmounted place, to be reused or deleted. */
  readonly retire: (place: PlacePaths) => Promise<void>;
  /** The layers to mount inside, where mounting outside is not possible. */
  readonly overlayOf: (place: PlacePaths) => OverlayLayers | undefined;
  /** The folder of files that programs made, while the place is unmounted. */
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
