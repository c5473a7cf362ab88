// The store of a project, by default of the project around the current folder.
import { existsSync } from 'node:fs';
import type { Store } from '../shell/ports/store.ts';
import { Refused } from './refusal.ts';
import { findProject, mustBeWritable, mustHaveRoom, type Project } from './project.ts';
import { excludeFromGit } from './exclude.ts';
import { openProjectStore } from './local-parts.ts';

export type { RunRecord } from '../shell/ports/log.ts';
export type { Store } from '../shell/ports/store.ts';

export interface OpenProject {
  readonly project: Project;
  readonly store: Store;
}

/** `read` and `control` need runs to be there; `write` makes the store. */
export function openProject(purpose: 'read' | 'control' | 'write', project: Project = findProject()): OpenProject {
  mustHaveRoom(project);
  if (purpose !== 'write' && !existsSync(project.home)) throw new Refused({ code: 'no-runs', folder: project.root });
  if (purpose !== 'read') mustBeWritable(project);
  const opened = openProjectStore(project, purpose === 'read' ? 'read' : 'write');
  if (opened.type === 'failed') throw new Refused({ code: 'store', failure: opened.failure });
  if (purpose === 'write') excludeFromGit(project);
  return { project, store: opened.store };
}
