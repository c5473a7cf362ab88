// The items of an outline that a person selected for the plan. The others stay in the outline, so that the path of a task
// does not depend on the selection.

import { idFromWords } from './text-pieces.ts';
import type { Placed, ItemTree } from './place-items.ts';

export interface ItemSelection {
  /** Keys, ids, headings, paths of tasks or numbers of lines; with what is below them. Undefined is everything. */
  readonly only: readonly string[] | undefined;
  /** Leaves out items that somebody has begun. */
  readonly isOpenOnly: boolean;
}

export const EVERYTHING: ItemSelection = { only: undefined, isOpenOnly: false };

export interface SelectedItems {
  readonly isLeftOut: (placed: Placed) => boolean;
  /** Words of the selection that nothing is called. */
  readonly unknown: readonly string[];
}

export function selectItems(tree: ItemTree, { only, isOpenOnly }: ItemSelection): SelectedItems {
  const words = (only ?? []).flatMap((word) => word.split(',')).filter((word) => word.trim() !== '');
  const isNamed = (placed: Placed): boolean =>
    words.some((word) => isCalled(placed, word)) || (placed.parent !== undefined && isNamed(placed.parent));
  return {
    isLeftOut: (placed) => (words.length > 0 && !isNamed(placed)) || (isOpenOnly && placed.item.isBegun === true),
    unknown: words.filter((word) => !tree.all.some((placed) => isCalled(placed, word))),
  };
}

function isCalled({ item, id, path }: Placed, word: string): boolean {
  const wanted = word.trim().toLowerCase();
  // Items of a check list have lines for keys, and issues have numbers behind a sign.
  const key = item.key.toLowerCase().replace(/^(?:#|(?:heading in )?line )/, '');
  const names = [item.key, key, id, item.id, path, item.description ?? ''];
  return names.some((name) => name.toLowerCase() === wanted) || idFromWords(wanted) === id.toLowerCase();
}
