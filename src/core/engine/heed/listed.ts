// Names in a sentence.

/** Names of a list beyond this many are counted instead. */
const NAMES_MAX = 5;

export function listed(names: readonly string[]): string {
  const rest = names.length - NAMES_MAX + 1;
  const shown = names.length > NAMES_MAX ? [...names.slice(0, NAMES_MAX - 1), `${rest} more`] : names;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`;
}

/** A verb that agrees with how many there are. */
export const areOf = (count: number): string => (count === 1 ? 'is' : 'are');

export const stepsOf = (count: number): string => (count === 1 ? 'one step' : `${count} steps`);
