// Counts and bounded lists in sentences.

/** The first of a long list, and how many are left out. */
export function firstOf<Item>(
  items: readonly Item[],
  most: number,
): { readonly shown: readonly Item[]; readonly more: number } {
  return items.length <= most
    ? { shown: items, more: 0 }
    : { shown: items.slice(0, most - 1), more: items.length - most + 1 };
}

export const plural = (count: number, word: string): string =>
  `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;

/** Names of a list beyond this many are counted instead. */
const NAMES_MAX = 5;

/** `a, b and c`. */
export function enumerated(names: readonly string[]): string {
  const { shown, more } = firstOf(names, NAMES_MAX);
  const parts = more === 0 ? shown : [...shown, `${more} more`];
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;
}
