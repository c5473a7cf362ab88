import { repliedText, replyText } from '../../core/view/text/command-reply-text.ts';
import type { Command } from '../../core/engine/command.ts';
import {
  chooseRun,
  hasCoordinator,
  openProject,
  runAndTasks,
  type OpenProject,
  type RunRecord,
} from '../../app/open-project.ts';
import { foldRun, taskOf } from '../../app/fold-run.ts';
import { mustNotBeNested } from '../../app/project.ts';
import { Refused } from '../../app/refused.ts';
import { postResume } from '../../app/run/post-resume.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { attach, attachToRunning, startDetached, type AttachFlags } from '../attach/attach.ts';
import { arePricesRight } from '../text/diagnostic-text.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface ResumeFlags extends AttachFlags {
  readonly detach: boolean;
  readonly run: string | undefined;
}

export interface ResumeWords {
  readonly words: readonly string[];
  readonly flags: ResumeFlags;
  /** What the agents of retried tasks are told. */
  readonly tell: string | undefined;
}

/** `heddle resume` and `heddle retry`: resume a run, with or without a coordinator. */
export async function resume(
  terminal: Terminal,
  type: 'resume' | 'retry',
  { words, flags, tell }: ResumeWords,
): Promise<ExitCode> {
  mustNotBeNested();
  const open = openProject('control');
  const { record, tasks } = runAndTasks(open.store, words, flags.run);
  return await resumeWith(terminal, open, {
    record,
    command: type === 'retry' ? { type, tasks, text: tell } : { type, tasks },
    flags,
  });
}

export interface Rollback {
  readonly task: string;
  readonly step: string;
  readonly flags: ResumeFlags;
}

/** `heddle rollback`: back to the checkpoint before a step; that step and all after it run again. */
export async function rollback(terminal: Terminal, { task, step, flags }: Rollback): Promise<ExitCode> {
  mustNotBeNested();
  const open = openProject('control');
  const record = chooseRun(open.store, flags.run);
  const steps = taskOf(foldRun(open.store, record), task).steps.map((each) => each.step.id);
  if (!steps.includes(step)) throw new Refused({ code: 'step-unknown', task, step, steps });
  return await resumeWith(terminal, open, { record, command: { type: 'rollback', task, step }, flags });
}

export interface ResumeWanted {
  readonly record: RunRecord;
  readonly command: Command;
  readonly flags: ResumeFlags;
}

/** Posts the command that resumes a run, and follows the run until it is over. */
export async function resumeWith(terminal: Terminal, open: OpenProject, asked: ResumeWanted): Promise<ExitCode> {
  const { record, command, flags } = asked;
  const { takeOver: takesOver } = flags;
  const isVacant = takesOver || !hasCoordinator(open, record);
  if (isVacant && !arePricesRight(terminal)) {
    open.store.close();
    return EXIT.wrong;
  }
  const resumed = await postResume(open, {
    record,
    command,
    takesOver,
    onWaiting: ({ by, withinMs }) =>
      terminal.err(`Waiting to see whether process ${by.pid} on ${by.host} answers, up to ${withinMs / 1000} s.`),
  });
  switch (resumed.type) {
    case 'asked':
      terminal.err(repliedText(resumed.replied));
      if (!flags.detach) return await attachToRunning(terminal, open, { record, flags });
      break;
    case 'paused':
      open.store.close();
      terminal.out(`${replyText(resumed.reply)} The run is paused; heddle resume ${record.run} goes on.`);
      return EXIT.waiting;
    case 'over':
      terminal.err(replyText(resumed.reply));
      if (!flags.detach) return await attach(terminal, open, { record, flags });
      break;
    case 'vacant':
      if (resumed.reply !== undefined) terminal.err(replyText(resumed.reply));
      return flags.detach
        ? await startDetached(terminal, open, record)
        : await attach(terminal, open, { record, flags });
  }
  open.store.close();
  return EXIT.done;
}
