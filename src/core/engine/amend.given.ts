// Amends the plan of a run in a test, as a person does after seeing the changes.
import { compile } from '../compile/compile.ts';
import type { AmendCommand } from './command.ts';
import { regrow } from './decide/regrow.ts';
import { compiled, type Run, type RunOptions } from './run.given.ts';
import { amendmentOf } from './amendment.ts';
import { expectedOf } from './decide/decide-amend.ts';

export type ChangedOptions = Pick<RunOptions, 'plan' | 'tree'>;

export function amendTo(run: Run, tasks: string, options: ChangedOptions = {}): AmendCommand {
  const changed = compile(regrow(run.state(), compiled(tasks, options).plan));
  const expects = expectedOf(run.state(), amendmentOf(run.state(), changed));
  return { type: 'amend', plan: changed.plan, priorities: { tasks: [], holds: [] }, expects };
}

export const amendIn = (run: Run, tasks: string, options: ChangedOptions = {}): readonly string[] =>
  run.hears(amendTo(run, tasks, options));
