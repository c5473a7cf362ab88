import type { Command } from '../../core/engine/command.ts';
import type { RunRecord } from '../../shell/ports.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { Failure } from '../../app/failure.ts';
import { attend, attendDetached, attendFromAfar, type AttendFlags } from '../run/attend.ts';
import type { DryRun } from '../../app/run/dry-run.ts';
import { rightCall } from '../run/right-call.ts';
import { repliedText, replyText } from '../text/command-reply-text.ts';
import { hasCoordinator } from '../../app/has-coordinator.ts';
import { mustBeSilent } from '../run/must-be-silent.ts';
import { mustNotBeNested } from '../../app/nested.ts';
import { arePricesRight } from '../run/prices.ts';
import { openHere, type OpenProject } from '../../app/open-project.ts';
import { runAndTasks } from '../../app/run-and-tasks.ts';
import type { Terminal } from '../terminal.ts';
import { replyTo } from '../../app/run/reply-to.ts';

export interface ResumeFlags extends AttendFlags {
  readonly detach: boolean;
  readonly run: string | undefined;
}

/** `heddle resume` and `heddle retry`: what makes a run go on, whether or not its coordinator is up. */
export async function resume(
  terminal: Terminal,
  type: 'resume' | 'retry',
  { words, flags }: { readonly words: readonly string[]; readonly flags: ResumeFlags },
): Promise<ExitCode> {
  mustNotBeNested();
  const open = openHere('control');
  const { record, tasks } = runAndTasks(open.store, words, flags.run);
  return await goOnWith(terminal, open, { record, command: { type, tasks }, flags });
}

/** Posts what makes a run go on, and stays with it until it is over. */
export async function goOnWith(terminal: Terminal, open: OpenProject, asked: Asked): Promise<ExitCode> {
  if (asked.flags.takeOver) await mustBeSilent(terminal, open, asked.record);
  const isUp = !asked.flags.takeOver && hasCoordinator(open, asked.record);
  return isUp ? await askCoordinator(terminal, open, asked) : await takeUp(terminal, open, asked);
}

export interface Asked {
  readonly record: RunRecord;
  readonly command: Command;
  readonly flags: ResumeFlags;
}

async function askCoordinator(terminal: Terminal, open: OpenProject, asked: Asked): Promise<ExitCode> {
  const { record, command, flags } = asked;
  // It tells a wrong call from a right one; what becomes of a right one the coordinator says.
  if (!isOfWholeRun(command)) rightCall(open.store, record, [command]);
  terminal.err(repliedText(await replyTo(open.store, post(open, record, command))));
  if (!flags.detach) return await attendFromAfar(terminal, open, { record, flags });
  open.store.close();
  return EXIT.done;
}

const isOfWholeRun = (command: Command): boolean => 'tasks' in command && command.tasks.length === 0;

/** Nobody carries the run out, so whoever wants it to go on does. */
async function takeUp(terminal: Terminal, open: OpenProject, asked: Asked): Promise<ExitCode> {
  if (!arePricesRight(terminal)) {
    open.store.close();
    return EXIT.wrong;
  }
  const { record, command, flags } = asked;
  const { stage, isIdle, reply } = rightCall(open.store, record, [command]);
  const isOfRun = command.type === 'resume' && isOfWholeRun(command);
  const isOver = stage === 'ended' && isIdle;
  if (stage === 'paused' && !isOfRun) return stayPaused(terminal, open, { ...asked, isIdle, reply });
  if (isOver || (isIdle && !isOfRun)) terminal.err(replyText(reply));
  if (!isOver) post(open, record, command);
  if (!flags.detach) return await attend(terminal, open, { record, flags });
  if (!isOver) return await attendDetached(terminal, open, record);
  open.store.close();
  return EXIT.done;
}

/** A coordinator would be up for nothing: the run stays paused, whatever becomes of some of its tasks. */
function stayPaused(
  terminal: Terminal,
  open: OpenProject,
  { record, command, isIdle, reply }: Asked & Pick<DryRun, 'isIdle' | 'reply'>,
): ExitCode {
  if (isIdle) throw new Failure(replyText(reply));
  post(open, record, command);
  open.store.close();
  terminal.out(`${replyText(reply)} The run is paused; heddle resume ${record.run} goes on.`);
  return EXIT.waiting;
}

export function post({ store }: OpenProject, { run }: RunRecord, command: Command): number {
  const posted = store.post(run, command);
  if (posted.type === 'failed') throw new Failure(posted.message);
  return posted.id;
}
