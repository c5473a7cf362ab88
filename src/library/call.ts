// Shared by the functions of the library: locating a project, and returning refusals.
import { openProject, type OpenProject } from '../app/open-project.ts';
import { findProject } from '../app/project.ts';
import { Refused } from '../app/refused.ts';
import type { Refusal } from '../core/view/text/refusal.ts';

/** The caller must change something first. `refusal.code` is the cause. */
export interface RefusedResult {
  readonly type: 'refused';
  readonly refusal: Refusal;
}

/** Where a project is; by default the current folder. */
export interface InFolder {
  readonly folder?: string;
}

/** Names a run of a project. */
export interface OfRun extends InFolder {
  /** The latest by default. */
  readonly run?: string;
}

export const projectOf = ({ folder }: InFolder): ReturnType<typeof findProject> => findProject(folder);

export async function refusable<Result>(work: () => Promise<Result>): Promise<Result | RefusedResult> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof Refused) return { type: 'refused', refusal: cause.refusal };
    // Everything else is a bug of ours, or of the embedding program.
    throw cause;
  }
}

/** The store is open only while the work lasts. */
export async function withStore<Result>(
  request: InFolder,
  purpose: 'read' | 'control',
  work: (open: OpenProject) => Promise<Result>,
): Promise<Result> {
  const open = openProject(purpose, projectOf(request));
  try {
    return await work(open);
  } finally {
    open.store.close();
  }
}
