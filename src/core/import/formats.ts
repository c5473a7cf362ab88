// The formats that can be imported as a plan.

export const IMPORT_FORMATS = [
  'spec-kit',
  'task-master',
  'beads',
  'gsd',
  'brunch',
  'ail',
  'markdown',
  'github',
] as const;

export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** Formats whose files hold a status for each item that can be updated. */
export const WRITTEN_BACK: readonly ImportFormat[] = ['spec-kit', 'task-master', 'gsd', 'markdown'];
