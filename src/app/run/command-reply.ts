// Replies to commands: before they are posted, from the run's logged state, so that an invalid call is refused at once
// with or without a coordinator; and after that, from the coordinator.
import type { Command } from '../../core/engine/command.ts';
import { handle, taskNamesIn } from '../../core/engine/commands/handle.ts';
import type { CommandReply, Replied } from '../../core/engine/commands/reply.ts';
import type { State } from '../../core/engine/state.ts';
import { nearest } from '../../core/plan/language/nearest-name.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import type { Store } from '../../shell/ports/store.ts';
import { Refused } from '../refused.ts';
import { foldRun, type FoldedRun } from '../fold-run.ts';

export interface DryRun {
  readonly stage: State['run']['stage'];
  /** Whether none of the commands has an effect on the run in its current state. */
  readonly isIdle: boolean;
  readonly reply: CommandReply;
}

/** Refuses a wrong call. */
export function mustBeOfUse(store: Store, record: RunRecord, commands: readonly Command[]): DryRun {
  const folded = foldRun(store, record);
  const { state } = folded;
  mustBeTasks(store, folded, commands.flatMap(taskNamesIn));
  const replies = commands.map((command) => ({ command, reply: handle(state, command).reply }));
  const useless = replies.find(({ command, reply }) => !reply.takesEffect && isNeverOfUse(command));
  if (useless !== undefined) throw new Refused({ code: 'of-no-use', reply: useless.reply });
  const takesEffect = replies.some(({ reply }) => reply.takesEffect);
  return {
    stage: state.run.stage,
    isIdle: !takesEffect,
    reply: { takesEffect, notes: replies.flatMap(({ reply }) => reply.notes) },
  };
}

/** Commands that wait in the inbox may still give the others a use; these they cannot help. */
const isNeverOfUse = (command: Command): boolean =>
  !('tasks' in command) || (command.type === 'skip' && command.tasks.length === 0);

function mustBeTasks(store: Store, { compiled, record }: FoldedRun, paths: readonly string[]): void {
  const word = paths.find((path) => !compiled.indexOf.has(path));
  if (word === undefined) return;
  const runs = store.runs().map(({ run }) => run);
  const like = nearest(word, [...compiled.indexOf.keys(), ...runs]);
  throw new Refused({ code: 'word-unknown', run: record.run, word, like });
}

/** A coordinator reads its inbox twice a second; a busy one may take a little longer. */
const REPLIED_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

/** Waits a little for the coordinator's reply to a command. */
export async function awaitReply(store: Store, id: number, hasGone = (): boolean => false): Promise<Replied> {
  for (let waitedMs = 0; waitedMs < REPLIED_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
    if (hasGone()) return { type: 'gone' };
    const reply = store.replyTo(id);
    if (reply !== undefined) return { type: 'replied', reply };
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return { type: 'silent' };
}
