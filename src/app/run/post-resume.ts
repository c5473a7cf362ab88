// Resumes a run that was paused, stopped or left by its coordinator: resume, retry, rollback, merge.
import type { Command } from '../../core/engine/command.ts';
import type { CommandReply, Replied } from '../../core/engine/commands/reply.ts';
import type { RunRecord, Owner } from '../../shell/ports/log.ts';
import { hasCoordinator, type OpenProject } from '../open-project.ts';
import { Refused } from '../refused.ts';
import { awaitReply, mustBeOfUse } from './command-reply.ts';
import { setTimeout } from 'node:timers/promises';
import { mustBeOwned } from './must-be-owned.ts';

export interface PostResumeRequest {
  readonly record: RunRecord;
  readonly command: Command;
  /** Takes the run from a coordinator that is alive and does not answer. */
  readonly takesOver: boolean;
  readonly onWaiting: OnWaiting;
}

export type Resumed =
  /** The run has a coordinator, and this is its reply; the run can be followed. */
  | { readonly type: 'asked'; readonly replied: Replied }
  /** The command takes effect with the next resume of the whole run, which stays paused. */
  | { readonly type: 'paused'; readonly reply: CommandReply }
  /** The run has ended and has no use for the command. */
  | { readonly type: 'over'; readonly reply: CommandReply }
  /** The run has no coordinator: the caller becomes the coordinator. `reply` says that the command itself changes nothing. */
  | { readonly type: 'vacant'; readonly reply: CommandReply | undefined };

export async function postResume(open: OpenProject, request: PostResumeRequest): Promise<Resumed> {
  const { record, command, takesOver, onWaiting } = request;
  if (takesOver) await awaitSilence(open, record, onWaiting);
  const isUp = !takesOver && hasCoordinator(open, record);
  if (!isUp) return takeUp(open, request);
  // A dry run tells an invalid call from a valid one; the coordinator decides the effect of a valid one.
  if (!isOfWholeRun(command)) mustBeOfUse(open.store, record, [command]);
  return { type: 'asked', replied: await awaitReply(open.store, post(open, record, command)) };
}

const isOfWholeRun = (command: Command): boolean => 'tasks' in command && command.tasks.length === 0;

function takeUp(open: OpenProject, { record, command }: PostResumeRequest): Resumed {
  const { stage, isIdle, reply } = mustBeOfUse(open.store, record, [command]);
  const isOfRun = command.type === 'resume' && isOfWholeRun(command);
  const isOver = stage === 'ended' && isIdle;
  if (stage === 'paused' && !isOfRun) {
    if (isIdle) throw new Refused({ code: 'of-no-use', reply });
    post(open, record, command);
    return { type: 'paused', reply };
  }
  if (isOver) return { type: 'over', reply };
  post(open, record, command);
  return { type: 'vacant', reply: isIdle && !isOfRun ? reply : undefined };
}

/** Writes a command into the run's inbox. */
export function post({ store }: OpenProject, { run }: RunRecord, command: Command): number {
  const posted = store.post(run, command);
  if (posted.type === 'failed') throw new Refused({ code: 'store', failure: posted.failure });
  return posted.id;
}

/** A coordinator writes a heartbeat every five seconds; one that has missed three of them does not answer. */
const SILENT_MS = 15_000;
const LOOK_EVERY_MS = 200;
const SAID_AFTER_POLLS = 5;

/** Called when the wait takes longer than a moment. */
type OnWaiting = (waiting: { readonly by: Owner; readonly withinMs: number }) => void;

/** Throws as soon as the coordinator writes a heartbeat; returns when it has been silent for long enough, or has exited. */
async function awaitSilence({ store }: OpenProject, { run }: RunRecord, onWaiting: OnWaiting): Promise<void> {
  for (let looks = 0, silentBefore = 0; ; looks += 1) {
    const asked = store.own(run, { takesOver: false });
    if (asked.type !== 'refused') {
      mustBeOwned(asked, run);
      asked.release();
      return;
    }
    const { by, silentMs } = asked;
    if (silentMs >= SILENT_MS) return;
    if (silentMs < silentBefore) throw new Refused({ code: 'owner-answers', run, by });
    silentBefore = silentMs;
    if (looks === SAID_AFTER_POLLS) onWaiting({ by, withinMs: SILENT_MS });
    await setTimeout(LOOK_EVERY_MS);
  }
}
