import type { Command } from '../../core/engine/command.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { Failure } from '../../app/failure.ts';
import { replyTo, type Replied } from '../../app/run/reply-to.ts';
import { attend } from '../run/attend.ts';
import { foldRun } from '../../app/fold-run.ts';
import { rightCall } from '../run/right-call.ts';
import { repliedText, replyText } from '../text/command-reply-text.ts';
import { hasCoordinator } from '../../app/has-coordinator.ts';
import { mustNotBeNested } from '../../app/nested.ts';
import { openHere, type OpenProject } from '../../app/open-project.ts';
import { runAndTasks, type RunAndTasks } from '../../app/run-and-tasks.ts';
import type { Terminal } from '../terminal.ts';
import { post } from './resume.ts';

export interface ControlFlags {
  readonly run: string | undefined;
  readonly step: string | undefined;
  readonly json: boolean;
}

export type ControlWord = 'pause' | 'stop' | 'cancel' | 'skip' | 'approve' | 'reject';

interface Control {
  readonly word: ControlWord;
  readonly words: readonly string[];
  readonly flags: ControlFlags;
}

/** `heddle pause`, `stop`, `cancel`, `skip`, `approve`, `reject`: at once, or when a coordinator is next up. */
export async function control(terminal: Terminal, { word, words, flags }: Control): Promise<ExitCode> {
  mustNotBeNested();
  const open = openHere('control');
  const { store } = open;
  const about = runAndTasks(store, words, flags.run);
  const { record } = about;
  const commands = commandsFor(open, about, { word, step: flags.step });
  const isUp = hasCoordinator(open, record);
  const dry = isUp && isForAll(word, about) ? undefined : rightCall(store, record, commands);
  if (!isUp && dry?.stage === 'ended' && dry.isIdle) return print(terminal, open, replyText(dry.reply));
  const ids = commands.map((command) => post(open, record, command));
  if (isUp) {
    for (const id of ids) printReply(terminal, await replyTo(store, id), flags);
  } else if (isForAll(word, about)) {
    // Whoever is still at work was left behind by a coordinator that died, and nothing can be claimed in the meantime.
    return await attend(terminal, open, {
      record,
      flags: { json: flags.json, plain: false, waitMs: 0, takeOver: false },
    });
  } else {
    terminal.out(`Noted. No coordinator is up; it takes effect with heddle resume ${record.run}.`);
  }
  store.close();
  return EXIT.done;
}

function printReply(terminal: Terminal, replied: Replied, { json }: ControlFlags): void {
  terminal.out(json ? JSON.stringify(replied) : repliedText(replied));
}

function print(terminal: Terminal, { store }: OpenProject, text: string): ExitCode {
  store.close();
  terminal.out(text);
  return EXIT.done;
}

const isForAll = (word: ControlWord, { tasks }: RunAndTasks): boolean =>
  tasks.length === 0 && (word === 'stop' || word === 'cancel');

function commandsFor(
  { store }: OpenProject,
  { record, tasks }: RunAndTasks,
  { word, step }: { readonly word: ControlWord; readonly step: string | undefined },
): readonly Command[] {
  if (word !== 'approve' && word !== 'reject') return [{ type: word, tasks }];
  const asked = tasks.length > 0 ? tasks : onlyQuestion(store, record);
  return asked.map((task) => ({ type: word, task, step }));
}

/** With no task named, the one question that is open is meant. */
function onlyQuestion(store: OpenProject['store'], record: RunAndTasks['record']): readonly string[] {
  const { state } = foldRun(store, record);
  const asked = [...state.questions.values()].map(({ task }) => state.compiled.tasks[task]?.task.path ?? '');
  if (asked.length === 1) return asked;
  throw new Failure(
    asked.length === 0
      ? `Nothing in ${record.run} waits for an answer.`
      : `Several questions are open in ${record.run}: ${asked.join(', ')}. Name the one you mean.`,
  );
}
