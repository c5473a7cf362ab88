// A manual checkout: a plain checkout beside the sandbox of a task, where a person reads its work or resolves its conflict.
//
// manual-checkout/Y1. It is a sandbox like any other: nothing in it is removed that no ref keeps (P4).
import type { CompiledTask } from '../../core/compile/compiled.ts';
import { factsOf } from '../../core/engine/facts.ts';
import type { State } from '../../core/engine/state.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { Refused } from '../refused.ts';
import { taskOf } from '../fold-run.ts';
import type { OpenProject } from '../open-project.ts';
import { sandboxesApart, type Apart } from '../git-parts.ts';
import { openRunInGit, type RunInGit } from './open-run.ts';
import { manualCheckoutName } from '../sandbox-parts.ts';
import type { Sandbox } from '../../shell/sandbox/sandbox.ts';

type ConflictCheckout = Omit<Extract<Awaited<ReturnType<Apart['openConflict']>>, { type: 'opened' }>, 'type'>;

export type ManualCheckout =
  | ({ readonly type: 'conflict' } & ConflictCheckout)
  /** No conflict waits for a person; it is there to be looked at. */
  | { readonly type: 'work'; readonly sandbox: Sandbox };

/** Opening it again keeps its content, as long as the task has made no progress. */
export async function openManualCheckout(open: OpenProject, record: RunRecord, path: string): Promise<ManualCheckout> {
  const how = { settings: { tree: 'checkout', isolation: 'none' }, repairs: true } as const;
  const inGit = await openRunInGit(open, record, how);
  const task = taskOf(inGit.folded, path);
  const { tip, conflict } = factsOf(inGit.folded.state, task.index);
  if (tip === undefined) throw nothingYet(inGit, task);
  if (conflict?.onto === undefined || !waitsForPerson(inGit.folded.state, task)) return openWork(inGit, task, tip);
  const at = inGit.folded.state.run.now;
  const apart = sandboxesApart(inGit.integration, manualCheckoutName);
  const opened = await apart.openConflict(record.run, { task: path, tip, onto: conflict.onto, at });
  if (opened.type === 'failed') throw new Refused({ code: 'git', failure: opened.failure });
  return { ...opened, type: 'conflict' };
}

export function waitsForPerson({ questions }: State, { task, index }: CompiledTask): boolean {
  const isAsked = [...questions.values()].some((question) => question.task === index && question.step === undefined);
  return isAsked && task.type === 'work';
}

async function openWork(
  { folded, base, integration }: RunInGit,
  { task }: CompiledTask,
  tip: string,
): Promise<ManualCheckout> {
  const { run } = folded.record;
  const options = { run, task: task.path, base, from: tip, at: folded.state.run.now };
  const opened = await sandboxesApart(integration, manualCheckoutName).open(options);
  if (opened.type === 'failed') throw new Refused({ code: 'git', failure: opened.failure });
  return { type: 'work', sandbox: opened.sandbox };
}

function nothingYet({ folded }: RunInGit, { task, children }: CompiledTask): Refused {
  if (children.length > 0 || task.type !== 'work')
    return new Refused({ code: 'makes-no-commits', task: task.path, type: task.type });
  return new Refused({ code: 'nothing-committed', run: folded.record.run, task: task.path });
}
