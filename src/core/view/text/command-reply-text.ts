// The sentence for a command's reply: the only place where replies become words.
import type { AmendRefusal } from '../../engine/amendment.ts';
import type { ExpectedChanges } from '../../engine/command.ts';
import type { CommandReply, OfQuestion, Replied, ReplyNote } from '../../engine/commands/reply.ts';
import { enumerated } from './count-text.ts';
import { nameOf } from './run-names.ts';

export function repliedText(replied: Replied): string {
  switch (replied.type) {
    case 'replied':
      return replyText(replied.reply);
    case 'silent':
      return (
        'The coordinator has not handled it yet; it will as soon as it can. ' +
        'If it stays silent, heddle resume --take-over goes on in its place.'
      );
    case 'gone':
      return '';
  }
}

export function replyText({ notes }: CommandReply): string {
  const isQuestion = notes.some((note) => note.code === 'task.unknown' && note.nearest !== undefined);
  return `${notes.map((note) => textOf(note.code, note)).join('; ')}${isQuestion ? '?' : '.'}`;
}

type Code = ReplyNote['code'];
type NoteOf = { readonly [Each in Code]: ReplyNote & { readonly code: Each } };

const textOf = <Each extends Code>(code: Each, note: NoteOf[Each]): string => TEXTS[code](note);

/** Without a full stop. */
export const amendRefusalText = (refusal: AmendRefusal): string => textOf(refusal.code, refusal);

const TEXTS: { readonly [Each in Code]: (note: NoteOf[Each]) => string } = {
  'task.unknown': ({ task, nearest }) =>
    nearest === undefined ? `The plan has no task ${task}` : `The plan has no task ${task}; did you mean ${nearest}`,
  'command.unknown': () => 'Refused: it was written by a newer Heddle than the one that runs this plan',

  'run.ended': () => 'The run has ended',
  'run.ended.retry': () => 'The run has ended; retry runs again what failed in it',
  'run.paused': () => 'The run is paused: running steps finish, and nothing else starts',
  'run.paused.already': () => 'The run is paused already',
  'run.paused.idle': () => 'The run is paused; nothing was running that could be stopped',
  'run.stopped': ({ claims }) =>
    `The run is paused, and ${running(claims)} ${areOf(claims)} stopped until it is resumed`,
  'run.stopped.already': () => 'The run is paused already, and nothing is running that is not being stopped',
  'run.active': () => 'Nothing to resume: the run is active and no task is paused',
  'run.cancelled': () => 'The run is cancelled: what is running is ended, and nothing else starts',
  'run.ending.already': () => 'All of the run is being ended already',
  'run.nothing-failed': () => 'Nothing has failed or was cancelled',
  'run.resumed': ({ tasks }) => `The run goes on${tasks.length === 0 ? '' : `, and ${enumerated(tasks)} with it`}`,
  'tasks.resumed': ({ tasks }) => `The run goes on with ${enumerated(tasks)}`,
  'tasks.reset': ({ tasks }) => `${enumerated(tasks)} ${tasks.length === 1 ? 'runs' : 'run'} again`,
  'tasks.reset.also': ({ tasks }) => `with it ${enumerated(tasks)}`,
  'skip.names-no-task': () => 'Name the tasks to skip; cancel ends the whole run',

  'task.ended': ({ task, ending }) => `${task} has ended (${ending})`,
  'task.cancelled': ({ task }) => `${task} is cancelled`,
  'task.ending.already': ({ task }) => `${task} is being ended already`,
  'task.skipped': ({ task }) => `${task} is skipped`,
  'task.paused': ({ task }) => `${task} is paused: its running steps finish, and nothing else of it starts`,
  'task.paused.already': ({ task }) => `${task} is paused already`,
  'task.paused.by-subplan': ({ task, subplan }) => `${task} is paused by its subplan; resume ${subplan}`,
  'task.stopped': ({ task, claims }) => `${task} is paused, and ${running(claims)} of it ${areOf(claims)} stopped`,
  'task.resumed': ({ task, isRunPaused }) => `${task} is resumed${isRunPaused ? ', but the run is paused' : ''}`,
  'task.not-paused': ({ task, isRunPaused }) =>
    `${task} is not paused${isRunPaused ? ', but the run is paused; resume the run' : ''}`,
  'task.reset': ({ task }) => `${task} runs again`,
  'task.retried': ({ task }) => `${task} is tried again`,
  'task.backoff-skipped': ({ task }) => `${task}: backoff skipped, retrying now`,

  'retry.used': ({ task, by }) => `${task} cannot run again: ${by} has gone on without it`,
  'retry.raced': ({ task, by }) => `${task} cannot run again: the race for ${by} is decided`,
  'retry.needs': ({ task, by }) => `${task} cannot run again before ${by}; retry ${by}`,
  'retry.ended-well': ({ task, ending }) => `${task} is ${ending}; only what failed or was cancelled runs again`,
  'retry.not-failed': ({ task }) => `${task} has not failed`,
  'retry.still-ending': ({ task }) => `${task} is still being ended; retry it after that`,

  'question.approved': (note) => `${nameOf(note)} is approved`,
  'question.rejected': (note) => `${nameOf(note)} is rejected`,
  'question.answered': (note) => `${nameOf(note)} has the answer`,
  'question.wants-text': (note) =>
    `${nameOf(note)} wants words, not a yes: heddle answer ${note.task} "…"; or heddle reject ${note.task}`,
  'question.wants-yes-or-no': (note) => `${nameOf(note)} asks for a yes or a no: heddle approve or reject`,
  'question.none': (note) => `${nameOf(note)} asks nothing${othersText(note.others)}`,
  'question.outdated': (note) =>
    `${nameOf(note)} asks something else by now, and this was no answer to it: read it first`,
  'question.several': ({ task, steps }) => `${task} asks about ${enumerated(steps)}; name the step`,
  'permission.decided': (note) => `${nameOf(note)} ${DECIDED[note.decision]}`,
  'permission.wants-yes-or-no': (note) =>
    `${nameOf(note)} asks for a permission, and “${shortened(note.text)}” is neither yes nor no: heddle answer ${note.task} yes, no or always, with any words after it`,
  'conflict.unresolved': ({ task }) =>
    `${task} has a conflict that is not resolved: heddle open ${task}, resolve it, then heddle merge ${task}; or heddle reject ${task}`,
  'conflict.resolved': ({ task }) => `${task} is checked and merged again`,
  'conflict.none': ({ task }) => `${task} has no conflict that waits for a person`,

  'task.rolled-back': ({ task, step, tasks }) =>
    `${task} goes back to before its step ${step}${tasks.length === 0 ? '' : `; with it ${enumerated(tasks)}`}`,
  'rollback.in-place': () => 'The run works in place, so there is nothing to go back to',
  'rollback.no-such-step': ({ task, step }) => `${task} has no step ${step}`,
  'rollback.not-open': ({ task }) => `${task} has not begun`,
  'rollback.done': ({ task }) => `${task} is done and stays as it is`,
  'rollback.running': ({ task }) => `${task} is running; stop it first`,
  'rollback.not-begun': ({ task, step }) => `The step ${step} of ${task} has not begun`,
  'rollback.unfinished': ({ task, step, earlier }) =>
    `The step ${earlier} of ${task}, before ${step}, has not ended well; go back to that`,
  'rollback.beside': ({ task, step, earlier }) =>
    `The step ${earlier} of ${task} may have run beside ${step}; go back to that`,

  'plan.amended': ({ claims, ...changes }) =>
    `The plan is amended: ${amendedText(changes)}${claims === 0 ? '' : `; ${running(claims)} ${areOf(claims)} stopped first`}`,
  'amend.outdated': ({ actual, shown }) =>
    `The run has moved on since the changes were shown, and nothing was done: ${outdatedText(actual, shown)}`,
  'amend.pending': () => 'Another amendment of the run is still being made',
  'amend.base': ({ before, after }) => `The run started from ${before}; another base (${after}) takes another run`,
  'amend.tree': ({ before }) =>
    `The trees of sandboxes are settled when a run starts; put sandbox.tree back to ${before}`,
  'amend.isolation': ({ before }) => `Isolation is settled when a run starts; put sandbox.isolation back to ${before}`,
  'amend.inputs': ({ names }) => `Inputs are given when a run starts, and this one was not given ${names.join(', ')}`,
  'amend.done.removed': ({ task }) => orphanText(task, 'gone from the plan'),
  'amend.done.redefined': ({ task, parts }) => orphanText(task, `its ${enumerated(parts)} changed`),
  'amend.done.used': ({ task, by }) =>
    `${task} is done on top of ${by}, which would begin anew: that would orphan its work`,
  'amend.merging': ({ task }) => `${task} is being merged right now; amend again when that is over`,
};

const DECIDED = {
  yes: 'may do it',
  no: 'may not, and goes on without it',
  always: 'may do it, in all its later turns too',
} as const;

function othersText(others: readonly OfQuestion[]): string {
  if (others.length === 0) return '';
  return `; ${enumerated(others.map(nameOf))} ${others.length === 1 ? 'does' : 'do'}`;
}

const orphanText = (task: string, why: string): string =>
  `${task} is done, and ${why}: that would orphan its work. Put it back as it was, or add a task that follows it`;

function amendedText({ restarted, added, cancelled }: ExpectedChanges): string {
  const parts = [
    restarted.length === 0 ? undefined : `${enumerated(restarted)} begin${restarted.length === 1 ? 's' : ''} anew`,
    added.length === 0 ? undefined : `${enumerated(added)} ${areOf(added.length)} added`,
    cancelled.length === 0 ? undefined : `${enumerated(cancelled)} ${areOf(cancelled.length)} cancelled`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'every task is kept' : parts.join('; ');
}

function outdatedText(actual: ExpectedChanges, shown: ExpectedChanges): string {
  const verbs = { restarted: 'begin anew', added: 'be added', cancelled: 'be cancelled' } as const;
  const parts = (['restarted', 'added', 'cancelled'] as const).flatMap((verb) => {
    const [more, fewer] = [without(actual[verb], shown[verb]), without(shown[verb], actual[verb])];
    return [
      ...(more.length === 0 ? [] : [`${enumerated(more)} would ${verbs[verb]} too`]),
      ...(fewer.length === 0 ? [] : [`${enumerated(fewer)} would not ${verbs[verb]} any more`]),
    ];
  });
  return parts.join('; ');
}

const without = (all: readonly string[], others: readonly string[]): readonly string[] =>
  all.filter((each) => !others.includes(each));

const WORDS_SHOWN_MAX = 40;

const shortened = (text: string): string =>
  text.length > WORDS_SHOWN_MAX ? `${text.slice(0, WORDS_SHOWN_MAX)}…` : text;

/** A verb that agrees with how many there are. */
const areOf = (count: number): string => (count === 1 ? 'is' : 'are');

const running = (count: number): string => (count === 1 ? 'one running step' : `${count} running steps`);
