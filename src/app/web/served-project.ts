// The projects that a web server shows: the project around a folder, or every project with runs below a folder.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { storeFilesAt, STORE_FILE } from '../../shell/store/store-files.ts';
import { openProject, type OpenProject } from '../open-project.ts';
import type { Project } from '../project.ts';
import type { AskFolds } from './fold-reads.ts';
import { FOLD_THREAD } from './fold-thread.ts';

export interface ServedProject {
  /** Short, stable, safe in a path. */
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  /** The caller closes the store. */
  readonly open: (purpose: 'read' | 'control') => OpenProject;
  /** Reads whole logs, beside the caller. */
  readonly ask: AskFolds;
  /** Changes when another file takes the place of the store. */
  readonly identity: () => string | undefined;
}

const ID_LENGTH = 12;

export const servedProject = (project: Project): ServedProject => ({
  id: createHash('sha256').update(project.root).digest('base64url').slice(0, ID_LENGTH),
  name: basename(project.root),
  folder: project.root,
  open: (purpose) => openProject(purpose, project),
  ask: FOLD_THREAD.ask(project),
  identity: () => storeFilesAt(storeOf(project.home)).store,
});

const HOME = '.heddle';
const storeOf = (home: string): string => join(home, STORE_FILE);

/** Deeper folders are rarely projects, and a home folder holds very many. */
const LEVELS_MAX = 6;
const FOLDERS_MAX = 50_000;
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', 'target', 'dist', 'build', 'venv']);

/** Every project at or below a folder that has a store. P11: a search that grows too wide ends early. */
export function projectsBelow(root: string): readonly Project[] {
  const found: Project[] = [];
  let folders: readonly string[] = [resolve(root)];
  let seen = 0;
  for (let level = 0; level <= LEVELS_MAX && folders.length > 0; level += 1) {
    const below: string[] = [];
    for (const folder of folders) {
      seen += 1;
      if (seen > FOLDERS_MAX) return found;
      const home = join(folder, HOME);
      if (existsSync(storeOf(home))) found.push({ root: folder, home });
      below.push(...foldersIn(folder));
    }
    folders = below;
  }
  return found;
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED.has(entry.name))
      .map(({ name }) => join(folder, name));
  } catch {
    // A folder that may not be read, or is gone, shows no projects.
    return [];
  }
}
