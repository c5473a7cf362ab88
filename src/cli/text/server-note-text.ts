// What a server says to the person who started it, as sentences.
import type { CoordinatedOrLeft } from '../../app/run/coordinate.ts';
import type { RunLeft } from '../../app/serve/coordinators.ts';
import type { HostChange } from '../../app/serve/gateway.ts';
import type { ServerNote } from '../../app/serve/server-note.ts';
import { plural } from '../../core/view/text/count-text.ts';
import { refusalText } from '../../core/view/text/refusal-text.ts';
import { transferFailureText } from '../../core/protocol/transfer-failure.ts';
import { storeFailureText } from '../../core/view/text/store-failure-text.ts';
import { noteText } from './note-text.ts';

/** Undefined for what is not worth a line. */
export function serverNoteText(note: ServerNote): string | undefined {
  switch (note.code) {
    case 'taken-up':
      return `${note.run}: taken up.`;
    case 'run-over':
      return overText(note.run, note.over);
    case 'run-failed':
      return `${note.run}: ${failedText(note)} It is tried again.`;
    case 'of-run':
      return `${note.run}: ${noteText(note.note)}`;
    case 'store-away':
      return refusalText(note.refusal);
    case 'engine':
      return note.failure === undefined ? 'The engine is well again.' : storeFailureText(note.failure);
    case 'remote':
      return note.failure === undefined
        ? 'The shared repository is well again.'
        : `${transferFailureText(note.failure).replace(/\.?$/, '.')} Runs wait for it.`;
    case 'host':
      return hostText(note.change);
  }
}

function overText(run: string, over: CoordinatedOrLeft['over']): string | undefined {
  switch (over.type) {
    case 'ended':
      return `${run}: it has ended. heddle report ${run} says how it went.`;
    case 'stopped':
      return `${run}: stopped. heddle resume ${run} goes on.`;
    case 'waiting':
      return `${run}: it waits for a person. heddle status ${run} says for what.`;
    case 'fenced':
      return `${run}: another process has taken it over.`;
    case 'failed':
      return `${run}: ${storeFailureText(over.failure)} It is tried again.`;
    case 'left':
      return undefined;
  }
}

function failedText({ refusal, cause }: Extract<ServerNote, { readonly code: 'run-failed' }>): string {
  if (refusal !== undefined) return refusalText(refusal);
  return `it failed by a bug of ours: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}.`;
}

function hostText(change: HostChange): string | undefined {
  switch (change.type) {
    case 'joined':
      return `Host ${change.host} is here.`;
    case 'left':
      return `Host ${change.host} has left.`;
    case 'refused': {
      const { claim, reported } = change.refused;
      const what = `attempt ${claim.attempt} of ${claim.task}`;
      return `Host ${change.host} reported ${what} of ${change.run} as ${reported}, which it does not hold: refused.`;
    }
    case 'heard':
      return undefined;
  }
}

/** What goes on when the server has ended. */
export function leftLines(left: readonly RunLeft[]): readonly string[] {
  if (left.length === 0) return ['No run was going on.'];
  const lines = left.map(({ run, here, there }) => {
    const parts = [
      ...(here === 0 ? [] : [`${plural(here, 'piece')} of work on this machine`]),
      ...(there === 0 ? [] : [`${plural(there, 'piece')} on other machines`]),
    ];
    return parts.length === 0
      ? `${run} waits.`
      : `${run}: ${parts.join(' and ')} ${here + there === 1 ? 'goes' : 'go'} on.`;
  });
  const isAllHere = left.every(({ there }) => there === 0);
  const next = isAllHere
    ? 'the next heddle serve takes them up, or heddle resume one of them'
    : 'start heddle serve again';
  return [...lines, `Nothing is lost: ${next}.`];
}
