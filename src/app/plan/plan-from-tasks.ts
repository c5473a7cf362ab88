// Imports a task list of another tool as the text of a plan.
import type { ImportFormat } from '../../core/import/formats.ts';
import { importPlan, type Imported, type ImportOptions } from '../../core/import/import-plan.ts';
import { readSources } from './read-sources.ts';

export interface ImportOrder extends Omit<ImportOptions, 'path'> {
  readonly format: ImportFormat;
  /** A file, a folder that has it, or `-` for standard input. */
  readonly path: string;
}

export type ImportedTasks = Imported & {
  /** The file, as people should see it. */
  readonly named: string;
};

export function planFromTasks({ format, path, ...options }: ImportOrder): ImportedTasks {
  const { sources, named } = readSources(format, path);
  return { ...importPlan(format, sources, { ...options, path: named }), named };
}
