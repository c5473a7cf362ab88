// Inside a step of a run, only the step's own task can be read: an agent must not watch, steer or answer its own run.
import { nested } from '../../app/project.ts';
import type { McpContext } from './mcp-context.ts';

export interface GivenTask {
  readonly run?: string | undefined;
  readonly task?: string | undefined;
}

export interface NamedTask {
  readonly run: string | undefined;
  readonly task: string;
}

/** Refuses every other task there. */
export function mustBeOwn({ own }: McpContext, { run, task }: GivenTask): NamedTask {
  if (own === undefined) return { run, task: task ?? '' };
  const isOther = (run !== undefined && run !== own.run) || (task !== undefined && task !== own.task);
  if (isOther || own.task === undefined) throw nested(own);
  return { run: own.run, task: own.task };
}
