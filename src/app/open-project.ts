// The store of the project that a command stands in.
import { existsSync } from 'node:fs';
import type { Store } from '../shell/ports.ts';
import { Failure } from './failure.ts';
import { findProject, mustHaveRoom, type Project } from './project.ts';
import { excludeFromGit } from './exclude.ts';
import { openProjectStore } from './local-parts.ts';

export interface OpenProject {
  readonly project: Project;
  readonly store: Store;
}

/** `read` and `control` need runs to be there; `write` makes the store. */
export function openHere(purpose: 'read' | 'control' | 'write'): OpenProject {
  const project = findProject();
  mustHaveRoom(project);
  if (purpose !== 'write' && !existsSync(project.home))
    throw new Failure(`There is no run in ${project.root} yet. Start one with heddle run plan.yaml.`);
  const opened = openProjectStore(project, purpose === 'read' ? 'read' : 'write');
  if (opened.type === 'failed') throw new Failure(opened.message);
  if (purpose === 'write') excludeFromGit(project);
  return { project, store: opened.store };
}
