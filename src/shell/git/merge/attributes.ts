// Makes merges in memory respect the `.gitattributes` of the tree that is merged onto, as a merge in a checkout does. A
// bare repository cannot read them, so the attribute files alone are written to a folder that stands in for the
// checkout. They can only name git's built-in drivers (`union`, `binary`): Heddle configures no others.
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { partsOf } from '../run/git.ts';
import type { Git } from '../run/git.ts';
import { asideOf } from '../store/leftovers.ts';
import type { Objects } from '../store/objects.ts';

/** Path to blob id of every attribute file of a tree. */
type Listing = ReadonlyMap<string, string>;

export interface MergeAttributes {
  /** The folder that stands in for a checkout of this commit; undefined when no attribute affects merging. */
  readonly folderFor: (commit: string) => Promise<string | undefined>;
  /** Whether all tips have the same attributes as the base. */
  readonly areKept: (base: string, tips: readonly string[]) => Promise<boolean>;
  /** Records that a commit has the same attributes as another, which saves reading them. */
  readonly inherit: (from: string, to: string) => void;
}

/** Listings cached in memory. */
const KEPT_MAX = 1_000;
export const isAttributes = (path: string): boolean => /(^|\/)\.gitattributes$/.test(path);
const BEARS_ON_MERGING = /merge|binary|conflict-marker-size/;

interface World {
  readonly git: Git;
  readonly objects: Objects;
  /** Holds such folders, by content. */
  readonly folder: string;
}

/** Caches results, but not failures, so that a failed lookup is repeated. */
const keptIn =
  <Value>(kept: Map<string, Promise<Value>>) =>
  async (key: string, value: Promise<Value>): Promise<Value> => {
    if (kept.size > KEPT_MAX) kept.clear();
    kept.set(key, value);
    try {
      return await value;
    } catch (cause) {
      kept.delete(key);
      throw cause;
    }
  };

export function attributesIn(world: World): MergeAttributes {
  const listings = new Map<string, Promise<Listing>>();
  const folders = new Map<string, Promise<string | undefined>>();
  const keepListing = keptIn(listings);
  const keepFolder = keptIn(folders);
  const listAll = (commit: string): Promise<Listing> =>
    listAfter(world.git, { known: emptyTree(commit), listing: EMPTY, commit });
  const list = async (commit: string): Promise<Listing> => {
    const [known] = [...listings].slice(-1);
    if (known === undefined) return listAll(commit);
    // The known commit may be gone, where somebody removed the repository.
    return listAfter(world.git, { known: known[0], listing: known[1], commit }).catch(() => listAll(commit));
  };
  const listingOf = (commit: string): Promise<Listing> => listings.get(commit) ?? keepListing(commit, list(commit));
  return {
    folderFor: async (commit) => {
      const listing = await listingOf(commit);
      const key = createHash('sha256')
        .update(JSON.stringify([...listing]))
        .digest('hex');
      return folders.get(key) ?? keepFolder(key, makeFolder(world, listing, key));
    },
    areKept: async (base, tips) => areKept(world.git, base, tips),
    inherit: (from, to) => {
      const listing = listings.get(from);
      if (listing !== undefined) listings.set(to, listing);
    },
  };
}

const FILES = ':(glob)**/.gitattributes';

async function areKept(git: Git, base: string, tips: readonly string[]): Promise<boolean> {
  const input = tips.map((tip) => `${tip} ${base}\n`).join('');
  const args = ['diff-tree', '--stdin', '--no-commit-id', '-r', '--name-only', '--no-renames', '--', FILES];
  return (await git.must(args, { input })).length === 0;
}

const EMPTY: Promise<Listing> = Promise.resolve(new Map());

/** The empty tree, which git knows without storing it; its id has the length of the repository's ids. */
const emptyTree = (commit: string): string =>
  commit.length === 64
    ? '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'
    : '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

interface After {
  readonly known: string;
  readonly listing: Promise<Listing>;
  readonly commit: string;
}

/** Git searches for the files: listing a large tree takes as long as a merge. */
async function listAfter(git: Git, { known, listing, commit }: After): Promise<Listing> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', known, commit, '--', FILES];
  const parts = partsOf(await git.must(args));
  const after = new Map(await listing);
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [, mode = '', , blob = ''] = (parts[index] ?? '').split(' ');
    const path = parts[index + 1] ?? '';
    if (mode.startsWith('100')) after.set(path, blob);
    else after.delete(path);
  }
  return new Map([...after].sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function makeFolder({ objects, folder }: World, listing: Listing, key: string): Promise<string | undefined> {
  const safe = [...listing].filter(([path]) => !path.split('/').includes('..'));
  const files = await Promise.all(safe.map(async ([path, blob]) => ({ path, content: await objects.contentOf(blob) })));
  if (!files.some(({ content }) => BEARS_ON_MERGING.test(content.toString('latin1')))) return undefined;
  const made = join(folder, key);
  if (existsSync(made)) return made;
  const aside = asideOf(made);
  for (const { path, content } of files) {
    await mkdir(join(aside, dirname(path)), { recursive: true });
    await writeFile(join(aside, path), content);
  }
  // Another process may have renamed first; the contents are the same.
  await rename(aside, made).catch(async () => rm(aside, { recursive: true, force: true }));
  return made;
}
