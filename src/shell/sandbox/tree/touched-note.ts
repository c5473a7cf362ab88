// Records the paths that programs have touched in a place since it was filled.
//
// touched-note/N1. The recorded paths are all in which Heddle's commit index may differ from the template: they are
//     recorded before it changes, and none is removed while the place exists.
// touched-note/N2. A mark is recorded with the commit that contains everything present when the mark was taken.
import { existsSync } from 'node:fs';
import { isUntouched } from './touched.ts';
import type { Touched } from './touched.ts';
import { readJsonFile, writeWhole } from '../disk/files.ts';
import { readUses, textsOf } from './place-paths.ts';
import type { PlaceNote, PlacePaths } from './place-paths.ts';

/** Undefined when unknown. */
export const touchedBefore = (place: PlacePaths): readonly string[] | undefined =>
  existsSync(place.touched) ? textsOf(fieldOf(place, 'paths')) : readUses(place).changed;

/** Undefined when none was recorded. */
export function markBefore(place: PlacePaths): string | undefined {
  const mark = fieldOf(place, 'mark');
  return typeof mark === 'string' ? mark : undefined;
}

function fieldOf(place: PlacePaths, name: string): unknown {
  const value = readJsonFile(place.touched);
  const fields = new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  return fields.get(name);
}

/** Called before git examines every file; `notePaths` records the result after the import. */
export const noteUnknown = (place: PlacePaths): Promise<void> => writeWhole(place.touched, '{}');

/** All paths in which Heddle's commit index differs from the template. */
export const notePaths = (place: PlacePaths, paths: readonly string[]): Promise<void> =>
  writeWhole(place.touched, JSON.stringify({ paths }));

const pathsWith = (place: PlacePaths, { known, fresh, gone }: Touched): readonly string[] => [
  ...new Set([...(touchedBefore(place) ?? []), ...known, ...fresh, ...gone]),
];

/** Called before touched paths are committed. */
export const noteTouched = (place: PlacePaths, touched: Touched): Promise<void> =>
  notePaths(place, pathsWith(place, touched));

/** Called when the touched paths are in this commit. */
export const noteCommitted = (place: PlacePaths, touched: Touched, commit: string): Promise<void> =>
  writeWhole(place.touched, JSON.stringify({ paths: pathsWith(place, touched), mark: touched.mark, commit }));

/** Whether the tree is known to equal the last checkpoint. */
export function isAsCommitted(place: PlacePaths, { head }: PlaceNote, touched: Touched): boolean {
  // A place that was filled with something else than the template is recognised by its mark alone.
  if (isUntouched(touched)) return true;
  return touched.mark !== undefined && markBefore(place) === touched.mark && fieldOf(place, 'commit') === head;
}
