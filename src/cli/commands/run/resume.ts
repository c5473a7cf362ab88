import type { Command } from '../../../core/engine/command.ts';
import type { RunRecord } from '../../../shell/ports.ts';
import { EXIT, type ExitCode } from '../../exit-code.ts';
import { Failure } from '../../failure.ts';
import { attend, attendDetached, attendFromAfar, type AttendFlags } from '../../run/attend/attend.ts';
import { foretell } from '../../run/foretell.ts';
import { hasCoordinator } from '../../run/has-coordinator.ts';
import { mustNotBeNested } from '../../run/start/nested.ts';
import { openHere, type OpenProject } from '../../run/open-store.ts';
import { runAndTasks } from '../../run/run-and-tasks.ts';
import type { Terminal } from '../../terminal.ts';
import { answerTo } from '../../run/attend/answer-to.ts';

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
  const isUp = !flags.takeOver && hasCoordinator(open, record);
  const idle = isUp && tasks.length === 0 ? undefined : foretell(open.store, record, [{ type, tasks }]);
  if (idle !== undefined && !isUp) return await tellEnded(terminal, open, { record, flags, idle });
  const id = post(open, record, { type, tasks });
  if (!isUp) {
    return flags.detach
      ? await attendDetached(terminal, open, record)
      : await attend(terminal, open, { record, flags });
  }
  terminal.err(await answerTo(open.store, id));
  if (!flags.detach) return await attendFromAfar(terminal, open, { record, flags });
  open.store.close();
  return EXIT.done;
}

interface Ended {
  readonly record: RunRecord;
  readonly flags: ResumeFlags;
  readonly idle: string;
}

/** A coordinator is up all the same, for what may be left in the inbox, and tells how the run ended. */
async function tellEnded(terminal: Terminal, open: OpenProject, { record, flags, idle }: Ended): Promise<ExitCode> {
  terminal.err(idle);
  if (!flags.detach) return await attend(terminal, open, { record, flags });
  open.store.close();
  return EXIT.done;
}

export function post({ store }: OpenProject, { run }: RunRecord, command: Command): number {
  const posted = store.post(run, command);
  if (posted.type === 'failed') throw new Failure(posted.message);
  return posted.id;
}
