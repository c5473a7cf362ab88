// Posts commands to a run: pause, stop, cancel, skip, approve, reject, answer. They take effect at once where the run has a
// coordinator, else when it next has one.
import type { Command } from '../../core/engine/command.ts';
import type { CommandReply, Replied } from '../../core/engine/commands/reply.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { foldRun } from '../fold-run.ts';
import { hasCoordinator, type OpenProject } from '../open-project.ts';
import { Refused } from '../refused.ts';
import { awaitReply, mustBeOfUse } from './command-reply.ts';
import { post } from './post-resume.ts';

/** The commands that a run takes. */
export type ControlWord = 'pause' | 'stop' | 'cancel' | 'skip' | 'approve' | 'reject';

export interface PostControlRequest {
  readonly record: RunRecord;
  readonly word: ControlWord;
  /** None means the whole run; for approve and reject, the only open question. */
  readonly tasks: readonly string[];
  readonly step: string | undefined;
}

/** What came of a command. */
export type Controlled =
  /** The coordinator's reply to each command. */
  | { readonly type: 'replied'; readonly replies: readonly Replied[] }
  /** The run has no coordinator; the commands are in its inbox. */
  | { readonly type: 'posted' }
  /** The same for a command that only a coordinator can apply to running steps: the caller becomes the coordinator. */
  | { readonly type: 'vacant' }
  /** The run has ended and has no use for the commands. */
  | { readonly type: 'over'; readonly reply: CommandReply };

export async function postControl(open: OpenProject, request: PostControlRequest): Promise<Controlled> {
  const { record } = request;
  const commands = commandsOf(open, request);
  const isUp = hasCoordinator(open, record);
  const dry = isUp && isForAll(request) ? undefined : mustBeOfUse(open.store, record, commands);
  if (!isUp && dry?.stage === 'ended' && dry.isIdle) return { type: 'over', reply: dry.reply };
  const ids = commands.map((command) => post(open, record, command));
  if (!isUp) return { type: isForAll(request) ? 'vacant' : 'posted' };
  const replies: Replied[] = [];
  for (const id of ids) replies.push(await awaitReply(open.store, id));
  return { type: 'replied', replies };
}

const isForAll = ({ word, tasks }: PostControlRequest): boolean =>
  tasks.length === 0 && (word === 'stop' || word === 'cancel');

function commandsOf({ store }: OpenProject, { record, word, tasks, step }: PostControlRequest): readonly Command[] {
  if (word !== 'approve' && word !== 'reject') return [{ type: word, tasks }];
  const asked = tasks.length > 0 ? tasks : onlyQuestion(store, record);
  return asked.map((task) => ({ type: word, task, step }));
}

/** Without a task, the only open question is meant. */
function onlyQuestion(store: OpenProject['store'], record: RunRecord): readonly string[] {
  const { state } = foldRun(store, record);
  const tasks = [...state.questions.values()].map(({ task }) => state.compiled.tasks[task]?.task.path ?? '');
  if (tasks.length === 1) return tasks;
  throw new Refused(
    tasks.length === 0
      ? { code: 'no-question', run: record.run }
      : { code: 'several-questions', run: record.run, tasks },
  );
}

export interface PostAnswerRequest {
  readonly record: RunRecord;
  readonly task: string;
  readonly step: string | undefined;
  readonly text: string;
}

/** What came of an answer. */
export type PostedAnswer = Extract<Controlled, { type: 'replied' | 'posted' }>;

/** Gives an agent the answer that it asked for. */
export async function postAnswer(
  open: OpenProject,
  { record, task, step, text }: PostAnswerRequest,
): Promise<PostedAnswer> {
  const command: Command = { type: 'answer', task, step, text };
  const isUp = hasCoordinator(open, record);
  // An invalid call is refused at once, with or without a coordinator.
  mustBeOfUse(open.store, record, [command]);
  const id = post(open, record, command);
  return isUp ? { type: 'replied', replies: [await awaitReply(open.store, id)] } : { type: 'posted' };
}

export interface PressRequest {
  readonly record: RunRecord;
  readonly command: Command;
  /** Whether nothing waits for the reply any more. */
  readonly hasGone: () => boolean;
  /** Makes a coordinator in this process read its inbox at once. */
  readonly ring: () => void;
}

/** Runs a key of the live view, by the same commands that the command line posts. */
export async function pressCommand(
  open: OpenProject,
  { record, command, hasGone, ring }: PressRequest,
): Promise<Controlled> {
  const isUp = hasCoordinator(open, record);
  const isOfRun = 'tasks' in command && command.tasks.length === 0;
  // The coordinator may judge otherwise by the time it reads a command of the whole run, so that is left to it.
  const dry = isUp && isOfRun ? undefined : mustBeOfUse(open.store, record, [command]);
  if (dry?.isIdle === true && (isUp || dry.stage === 'ended')) return { type: 'over', reply: dry.reply };
  const id = post(open, record, command);
  ring();
  return isUp ? { type: 'replied', replies: [await awaitReply(open.store, id, hasGone)] } : { type: 'posted' };
}
