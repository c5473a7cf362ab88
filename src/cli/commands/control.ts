import { repliedText, replyText } from '../../core/view/text/command-reply-text.ts';
import { chooseRun, openProject, runAndTasks } from '../../app/open-project.ts';
import { mustNotBeNested } from '../../app/project.ts';
import { postAnswer, postControl, type ControlWord } from '../../app/run/post-control.ts';
import { EXIT, CommandFailure, type ExitCode } from '../terminal/exit-code.ts';
import { attach } from '../attach/attach.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface ControlFlags {
  readonly run: string | undefined;
  readonly step: string | undefined;
  readonly json: boolean;
}

interface Controlling {
  readonly word: ControlWord;
  readonly words: readonly string[];
  readonly flags: ControlFlags;
}

/** `heddle pause`, `stop`, `cancel`, `skip`, `approve`, `reject`: at once, or when the run next has a coordinator. */
export async function control(terminal: Terminal, { word, words, flags }: Controlling): Promise<ExitCode> {
  mustNotBeNested();
  const open = openProject('control');
  const { record, tasks } = runAndTasks(open.store, words, flags.run);
  const controlled = await postControl(open, { record, word, tasks, step: flags.step });
  switch (controlled.type) {
    case 'over':
      terminal.out(flags.json ? JSON.stringify({ run: record.run, ...controlled }) : replyText(controlled.reply));
      break;
    case 'replied':
      for (const replied of controlled.replies)
        terminal.out(flags.json ? JSON.stringify({ run: record.run, ...replied }) : repliedText(replied));
      break;
    case 'posted':
      terminal.out(`Noted. The run has no coordinator; the command takes effect with heddle resume ${record.run}.`);
      break;
    case 'vacant': {
      // Running steps were left by a coordinator that died, and nothing can be claimed in the meantime.
      const { json } = flags;
      return await attach(terminal, open, { record, flags: { json, plain: false, waitMs: 0, takeOver: false } });
    }
  }
  open.store.close();
  return EXIT.done;
}

export interface Answering {
  readonly task: string;
  readonly words: readonly string[];
  readonly flags: ControlFlags;
}

/** `heddle answer TASK TEXT`: answers an agent's question; the agent continues its turn. */
export async function answerTask(terminal: Terminal, { task, words, flags }: Answering): Promise<ExitCode> {
  mustNotBeNested();
  const text = words.join(' ').trim();
  if (text === '')
    throw new CommandFailure(`What is the answer to ${task}? Write it after the task: heddle answer ${task} "…".`);
  const open = openProject('control');
  const record = chooseRun(open.store, flags.run);
  const answered = await postAnswer(open, { record, task, step: flags.step, text });
  open.store.close();
  const isUp = answered.type === 'replied';
  const says = isUp
    ? answered.replies.map(repliedText).join(' ')
    : `Noted. The run has no coordinator; heddle resume ${record.run} takes the answer to the agent.`;
  const [replied] = isUp ? answered.replies : [];
  const reply = replied?.type === 'replied' ? replied.reply : undefined;
  terminal.out(flags.json ? JSON.stringify({ run: record.run, task, hasCoordinator: isUp, says, reply }) : says);
  return EXIT.done;
}
