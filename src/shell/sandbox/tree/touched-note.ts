// What is known of what programs have touched in a place since it was filled.
//
// touched-note/N1. The paths that are noted are all by which the index that we commit from may differ from the
//     template: they are noted before it changes, and none is taken off while the place stands.
// touched-note/N2. A mark is noted with the commit that holds all that was there when the mark was taken.
import { existsSync } from 'node:fs';
import { isUntouched } from './touched.ts';
import type { Touched } from './touched.ts';
import { readJson, writeWhole } from '../disk/files.ts';
import { readUses, textsOf } from './place-paths.ts';
import type { PlaceNote, PlacePaths } from './place-paths.ts';

/** Undefined when nobody knows. */
export const touchedBefore = (place: PlacePaths): readonly string[] | undefined =>
  existsSync(place.touched) ? textsOf(fieldOf(place, 'paths')) : readUses(place).changed;

function fieldOf(place: PlacePaths, name: string): unknown {
  const value = readJson(place.touched);
  const fields = new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  return fields.get(name);
}

/** Before git looks at every file: what it finds is known when it has crossed, by `notePaths`. */
export const noteUnknown = (place: PlacePaths): Promise<void> => writeWhole(place.touched, '{}');

/** These are all by which what we commit from differs from the template. */
export const notePaths = (place: PlacePaths, paths: readonly string[]): Promise<void> =>
  writeWhole(place.touched, JSON.stringify({ paths }));

const pathsWith = (place: PlacePaths, { known, fresh, gone }: Touched): readonly string[] => [
  ...new Set([...(touchedBefore(place) ?? []), ...known, ...fresh, ...gone]),
];

/** Before what was touched is committed. */
export const noteTouched = (place: PlacePaths, touched: Touched): Promise<void> =>
  notePaths(place, pathsWith(place, touched));

/** When what was touched is in this commit. */
export const noteCommitted = (place: PlacePaths, touched: Touched, commit: string): Promise<void> =>
  writeWhole(place.touched, JSON.stringify({ paths: pathsWith(place, touched), mark: touched.mark, commit }));

/** Whether the tree is known to hold what the last checkpoint holds. */
export function isAsCommitted(place: PlacePaths, { head }: PlaceNote, touched: Touched): boolean {
  // One that was filled with something else than the template is told apart by its mark alone.
  if (isUntouched(touched)) return true;
  return touched.mark !== undefined && fieldOf(place, 'mark') === touched.mark && fieldOf(place, 'commit') === head;
}
