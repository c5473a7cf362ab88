// The files of an import: the named file, the usual file of a folder, or all files that belong to it.
import { readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ImportFormat } from '../../core/import/formats.ts';
import type { SourceText } from '../../core/import/outline/outline.ts';
import { Refused } from '../refused.ts';
import { isFolder, isThere, readText, sentBelow } from './read-file.ts';
import { importPlan, type Imported, type ImportOptions } from '../../core/import/import-plan.ts';

export interface Sources {
  readonly sources: readonly SourceText[];
  /** As people should see it. */
  readonly named: string;
}

/** Where each tool keeps its file, the first that is there. */
const USUAL: Readonly<Record<ImportFormat, readonly string[]>> = {
  'spec-kit': ['tasks.md'],
  'task-master': ['.taskmaster/tasks/tasks.json', 'tasks/tasks.json', 'tasks.json'],
  beads: ['.beads/issues.jsonl', 'issues.jsonl', '.beads/beads.jsonl'],
  gsd: [],
  brunch: ['plan.yaml'],
  ail: ['.ail.yaml', '.ail/default.yaml'],
  markdown: ['TODO.md', 'todo.md', 'tasks.md'],
  github: ['issues.json'],
};

const FILES_MAX = 5000;
const DEPTH_MAX = 8;
const OF_GSD = /(?:^|-)ROADMAP\.md$|^[ST]\d+-PLAN\.md$/i;

export function readSources(format: ImportFormat, path: string): Sources {
  if (path === '-') return { sources: [{ path: 'standard input', text: readText('-') }], named: 'standard input' };
  if (format === 'gsd') return { sources: gsdFiles(path).map(readSource), named: path };
  const file = isFolder(path) ? usualIn(format, path) : path;
  return { sources: [readSource(file)], named: file };
}

const readSource = (path: string): SourceText => ({ path, text: readText(path) });

function usualIn(format: ImportFormat, folder: string): string {
  const found = USUAL[format].map((name) => join(folder, name)).find(isThere);
  if (found !== undefined) return found;
  throw new Refused({ code: 'no-usual-file', folder, names: USUAL[format] });
}

/** A folder with everything below it; for a roadmap or the plan of a slice, everything below its folder. */
function gsdFiles(path: string): readonly string[] {
  if (isFolder(path)) {
    const found = below(isFolder(join(path, '.gsd')) ? join(path, '.gsd') : path, 0);
    if (found.length === 0) throw new Refused({ code: 'no-gsd-plan', folder: path });
    return found;
  }
  const isPart = /^T\d+-PLAN\.md$/i.test(basename(path)) || !OF_GSD.test(basename(path));
  const others = isPart ? [] : below(dirname(path), 0).filter((file) => resolve(file) !== resolve(path));
  return [path, ...others];
}

function below(folder: string, depth: number): readonly string[] {
  const sent = sentBelow(folder);
  if (sent !== undefined) return sent.filter((file) => OF_GSD.test(basename(file)));
  const found: string[] = [];
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((left, right) =>
    left.name < right.name ? -1 : 1,
  );
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile() && OF_GSD.test(entry.name)) found.push(path);
    if (entry.isDirectory() && depth < DEPTH_MAX && entry.name !== 'node_modules' && entry.name !== '.git')
      found.push(...below(path, depth + 1));
    if (found.length > FILES_MAX) throw new Refused({ code: 'too-many-plans', folder, filesMax: FILES_MAX });
  }
  return found;
}

/** The files that an import of this path may read; a file of another kind is itself. */
export function filesBelow(path: string): readonly string[] {
  const usual = Object.values(USUAL).flat();
  const inFolder = isFolder(path) ? usual.map((name) => join(path, name)).filter(isThere) : [path];
  const folder = isFolder(path) ? path : dirname(path);
  const parts = isFolder(path) || OF_GSD.test(basename(path)) ? below(folder, 0) : [];
  return [...new Set([...inFolder, ...parts])];
}

export interface ImportFilesRequest extends Omit<ImportOptions, 'path'> {
  readonly format: ImportFormat;
  /** A file, a folder that has it, or `-` for standard input. */
  readonly path: string;
}

/** The plan that a task list became, and what of the list could not be kept. */
export type ImportedTasks = Imported & {
  /** The file, as people should see it. */
  readonly named: string;
};

/** Imports a task list of another tool as the text of a plan. */
export function planFromTasks({ format, path, ...options }: ImportFilesRequest): ImportedTasks {
  const { sources, named } = readSources(format, path);
  return { ...importPlan(format, sources, { ...options, path: named }), named };
}
