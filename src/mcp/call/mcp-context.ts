// What all tools, resources and prompts of one server share.
import { openProject, type OpenProject } from '../../app/open-project.ts';
import { stepAround, type Project } from '../../app/project.ts';
import { keepSummaries, type Summaries } from '../../app/web/run-summaries.ts';
import { openConfirmations, type Confirmations } from './confirmation.ts';

export interface McpContext {
  readonly project: Project;
  /** Nothing that changes the world is offered. */
  readonly isReadOnly: boolean;
  /** The step of a run that this process works for: then only its own task can be read. */
  readonly own: ReturnType<typeof stepAround>;
  readonly summaries: Summaries;
  readonly confirmations: Confirmations;
}

export const openContext = (project: Project, isReadOnly: boolean): McpContext => ({
  project,
  isReadOnly,
  own: stepAround(),
  summaries: keepSummaries(),
  confirmations: openConfirmations(),
});

/** The store is open only while the work lasts: a client that stays for days holds nothing. */
export async function withMcpStore<Result>(
  { project }: McpContext,
  purpose: 'read' | 'control',
  work: (open: OpenProject) => Result | Promise<Result>,
): Promise<Result> {
  const open = openProject(purpose, project);
  try {
    return await work(open);
  } finally {
    open.store.close();
  }
}
