// What a place gives to programs besides files: its environment, its ports, and how they are started.
import { createHash } from 'node:crypto';
import type { Ground } from '../ground.ts';
import type { Argv, Place } from '../sandbox.ts';
import { wrapInside } from '../tree/inside.ts';
import type { Tree } from '../tree/tree.ts';
import type { PlacePaths } from './place.ts';
import { linkTargets } from './links.ts';

export interface OutfitOrder {
  readonly place: PlacePaths;
  readonly tree: Tree;
  /** Of run and task, or whatever makes it unique. */
  readonly name: string;
  readonly ports: readonly number[];
}

export function outfit(ground: Ground, { place, tree, name, ports }: OutfitOrder): Place {
  const environment = environmentOf({ place, name, ports });
  const links = linkTargets(ground);
  const wrap = (argv: Argv): Argv =>
    wrapInside(ground, argv, {
      place,
      overlay: tree.overlayOf(place),
      writable: links,
      readable: [],
      environment,
      network: ground.network,
    });
  return { folder: place.tree, gitDir: place.git, environment, wrap };
}

interface Naming {
  readonly place: PlacePaths;
  readonly name: string;
  readonly ports: readonly number[];
}

const environmentOf = ({ place, name, ports }: Naming): Readonly<Record<string, string>> => ({
  TMPDIR: place.temporary,
  HEDDLE_SANDBOX: safeName(name),
  ...Object.fromEntries(ports.map((port, index) => [`HEDDLE_PORT_${index}`, String(port)])),
});

const NAME_LENGTH_MAX = 40;

/** For databases and whatever else wants a name of its own: letters, digits and underscores, and no other sandbox's. */
function safeName(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  const readable = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, NAME_LENGTH_MAX);
  return `heddle_${readable}_${digest}`;
}
