// Ids of tasks and steps, which become names of branches and folders.

export const ID_LENGTH_MAX = 64;
/** Letters, digits, `_` and `-`, not beginning with a dash. A dot would look like a path. */
export const ID_PATTERN = '^[A-Za-z0-9_][A-Za-z0-9_-]*$';
const ID = new RegExp(ID_PATTERN);
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i;

/** Whether a text can be the id of a task. */
export const isSafeId = (id: string): boolean => idErrorOf(id) === undefined;

/** Why a text cannot be a branch and folder name; undefined when it can. */
export function idErrorOf(id: string): string | undefined {
  if (id === '') return 'it is empty';
  if (id.length > ID_LENGTH_MAX) return `it has ${id.length} characters, and ${ID_LENGTH_MAX} is the most`;
  if (id.includes('..')) return 'it contains two dots in a row';
  if (/[/\\]/.test(id)) return 'it contains a slash';
  if (id.startsWith('-')) return 'it begins with a dash';
  if (id.startsWith('.')) return 'it begins with a dot';
  if (id.toLowerCase().endsWith('.lock')) return 'it ends in .lock';
  if (id.includes('.')) return 'it contains a dot, which separates a subplan from its tasks';
  if (/\s/.test(id)) return 'it contains a space';
  if (DEVICE.test(id)) return 'Windows keeps this name for a device';
  return ID.test(id) ? undefined : 'it contains something other than letters, digits, _ and -';
}
