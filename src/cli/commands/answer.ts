import type { Command } from '../../core/engine/command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { Failure } from '../../app/failure.ts';
import { replyTo } from '../../app/run/reply-to.ts';
import { chooseRun } from '../../app/choose-run.ts';
import { rightCall } from '../run/right-call.ts';
import { repliedText } from '../text/command-reply-text.ts';
import { hasCoordinator } from '../../app/has-coordinator.ts';
import { mustNotBeNested } from '../../app/nested.ts';
import { openHere } from '../../app/open-project.ts';
import type { Terminal } from '../terminal.ts';
import { post } from './resume.ts';

export interface Answering {
  readonly task: string;
  readonly words: readonly string[];
  readonly flags: { readonly run: string | undefined; readonly step: string | undefined; readonly json: boolean };
}

/** `heddle answer TASK TEXT`: words for an agent that has asked for them; it goes on with its turn. */
export async function answer(terminal: Terminal, { task, words, flags }: Answering): Promise<ExitCode> {
  mustNotBeNested();
  const text = words.join(' ').trim();
  if (text === '')
    throw new Failure(`What should ${task} be told? Write it after the task: heddle answer ${task} "…".`);
  const open = openHere('control');
  const { store } = open;
  const record = chooseRun(store, flags.run);
  const command: Command = { type: 'answer', task, step: flags.step, text };
  const isUp = hasCoordinator(open, record);
  // A call that is wrong is refused at once.
  rightCall(store, record, [command]);
  const id = post(open, record, command);
  const replied = isUp ? await replyTo(store, id) : undefined;
  const says =
    replied === undefined
      ? `Noted. No coordinator is up; heddle resume ${record.run} takes it to the agent.`
      : repliedText(replied);
  const reply = replied?.type === 'replied' ? replied.reply : undefined;
  terminal.out(flags.json ? JSON.stringify({ run: record.run, task, hasCoordinator: isUp, says, reply }) : says);
  store.close();
  return EXIT.done;
}
