// One place on the disk: a sandbox, a candidate, or where set-up runs. Which folders it has, and what its notes say.
//
// place-paths/L1. `note.json` is written last and goes away with the place, so a place without one holds nobody's work.
// place-paths/L2. Programs inside may write to the tree, `git`, `tmp` and a home alone; all else in the place is ours
//     and can be trusted.
import { join } from 'node:path';
import { readJsonFile, writeWhole } from '../disk/files.ts';

export interface PlacePaths {
  readonly root: string;
  readonly tree: string;
  /** The git directory that programs inside use, and may damage. */
  readonly git: string;
  /** The git directory from which Heddle commits; no other program writes to it. */
  readonly keep: string;
  /** The index as it was when the tree was filled. */
  readonly index: string;
  readonly upper: string;
  readonly work: string;
  readonly temporary: string;
  /** Home folders of the place's own, one for each kind of agent, so that none sees the log-in of another. */
  readonly homes: string;
  readonly note: string;
  readonly uses: string;
  /** Records the paths that programs have touched. */
  readonly touched: string;
}

export const placeAt = (root: string): PlacePaths => ({
  root,
  tree: join(root, 'tree'),
  git: join(root, 'git'),
  keep: join(root, 'keep'),
  index: join(root, 'index'),
  upper: join(root, 'upper'),
  work: join(root, 'work'),
  temporary: join(root, 'tmp'),
  homes: join(root, 'home'),
  note: join(root, 'note.json'),
  uses: join(root, 'uses.json'),
  touched: join(root, 'touched.json'),
});

/** The note of a sandbox. */
export interface PlaceNote {
  readonly run: string;
  readonly task: string;
  readonly kind: string;
  /** The commit that it was made from. */
  readonly base: string;
  /** The last checkpoint, or the commit that it was made from. */
  readonly head: string;
  readonly at: number;
  /** `filling` during a reset: all previous content is safe, and the place is filled again from `head`. */
  readonly state: 'ready' | 'filling';
  readonly ports: readonly number[];
  /** Which life of its task it serves; undefined is the first. */
  readonly life?: number | undefined;
}

/** Templates and layers that a place uses, written before it is filled, so that they are not removed meanwhile. */
export interface PlaceUses {
  readonly template: string | undefined;
  readonly layer: string | undefined;
  /** Paths that the place was given otherwise than the template has them; undefined when nobody knows. */
  readonly changed: readonly string[] | undefined;
}

export const writeNote = (place: PlacePaths, note: PlaceNote): Promise<void> =>
  writeWhole(place.note, `${JSON.stringify(note)}\n`);

/** Undefined when there is no readable note. */
export function readNote(place: PlacePaths): PlaceNote | undefined {
  const value = readJsonFile(place.note);
  return isNote(value) ? value : undefined;
}

function isNote(value: unknown): value is PlaceNote {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  const areTexts = ['run', 'task', 'kind', 'base', 'head', 'state'].every((key) => typeof fields.get(key) === 'string');
  return areTexts && typeof fields.get('at') === 'number' && Array.isArray(fields.get('ports'));
}

export const writeUses = (place: PlacePaths, uses: PlaceUses): Promise<void> =>
  writeWhole(place.uses, `${JSON.stringify(uses)}\n`);

export function readUses(place: PlacePaths): PlaceUses {
  const value = readJsonFile(place.uses);
  const fields = new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const textAt = (key: string): string | undefined => {
    const text = fields.get(key);
    return typeof text === 'string' ? text : undefined;
  };
  return { template: textAt('template'), layer: textAt('layer'), changed: textsOf(fields.get('changed')) };
}

/** Undefined for anything but a list of texts. */
export const textsOf = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined;

/** The branch of the tree, as programs inside see it. */
export const branchOf = ({ run, task }: Pick<PlaceNote, 'run' | 'task'>): string => `heddle/${run}/${task}`;
