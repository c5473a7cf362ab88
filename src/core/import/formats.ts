// The formats that a plan can be made of.

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

/** Those whose files say how far each item is, in a place where that can be said anew. */
export const WRITTEN_BACK: readonly ImportFormat[] = ['spec-kit', 'task-master', 'gsd', 'markdown'];
