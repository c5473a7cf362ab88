// What commands would do to a run as its log has it, known before they are posted: a wrong call is refused at once and
// with exit code 2, whether or not a coordinator is there to say so.
import type { Command } from '../../core/engine/command.ts';
import { handle, namesIn } from '../../core/engine/commands/handle.ts';
import type { CommandReply } from '../../core/engine/commands/reply.ts';
import type { State } from '../../core/engine/state.ts';
import { nearest } from '../../core/plan/language/nearest-name.ts';
import type { RunRecord, Store } from '../../shell/ports.ts';
import { foldRun, type FoldedRun } from '../fold-run.ts';

export interface DryRun {
  readonly type: 'dry run';
  readonly stage: State['run']['stage'];
  /** Whether the run as it stands has no use for any of the commands. */
  readonly isIdle: boolean;
  readonly reply: CommandReply;
}

export type WrongCall =
  /** `nearest` is a task or a run with a similar name. */
  | {
      readonly type: 'unknown task';
      readonly run: string;
      readonly task: string;
      readonly nearest: string | undefined;
    }
  | { readonly type: 'no use'; readonly reply: CommandReply };

export function dryRun(store: Store, record: RunRecord, commands: readonly Command[]): DryRun | WrongCall {
  const folded = foldRun(store, record);
  const { state } = folded;
  const unknown = unknownTask(store, folded, commands.flatMap(namesIn));
  if (unknown !== undefined) return unknown;
  const replies = commands.map((command) => ({ command, reply: handle(state, command).reply }));
  const useless = replies.find(({ command, reply }) => !reply.takesEffect && isNeverOfUse(command));
  if (useless !== undefined) return { type: 'no use', reply: useless.reply };
  const takesEffect = replies.some(({ reply }) => reply.takesEffect);
  return {
    type: 'dry run',
    stage: state.run.stage,
    isIdle: !takesEffect,
    reply: { takesEffect, notes: replies.flatMap(({ reply }) => reply.notes) },
  };
}

/** Commands that wait in the inbox may still give the others a use; these they cannot help. */
const isNeverOfUse = (command: Command): boolean =>
  !('tasks' in command) || (command.type === 'skip' && command.tasks.length === 0);

function unknownTask(store: Store, { compiled, record }: FoldedRun, paths: readonly string[]): WrongCall | undefined {
  const task = paths.find((path) => !compiled.indexOf.has(path));
  if (task === undefined) return undefined;
  const runs = store.runs().map(({ run }) => run);
  return { type: 'unknown task', run: record.run, task, nearest: nearest(task, [...compiled.indexOf.keys(), ...runs]) };
}
