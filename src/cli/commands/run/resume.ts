import type { Command } from '../../../core/engine/command.ts';
import type { RunRecord } from '../../../shell/ports.ts';
import { EXIT, type ExitCode } from '../../exit-code.ts';
import { Failure } from '../../failure.ts';
import { attend, attendDetached, attendFromAfar, type AttendFlags } from '../../run/attend/attend.ts';
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
  const id = post(open, record, { type, tasks });
  if (flags.takeOver || !hasCoordinator(open, record)) {
    return flags.detach
      ? await attendDetached(terminal, open, record)
      : await attend(terminal, open, { record, flags });
  }
  terminal.err(await answerTo(open.store, id));
  if (!flags.detach) return await attendFromAfar(terminal, open, { record, flags });
  open.store.close();
  return EXIT.done;
}

export function post({ store }: OpenProject, { run }: RunRecord, command: Command): number {
  const posted = store.post(run, command);
  if (posted.type === 'failed') throw new Failure(posted.message);
  return posted.id;
}
