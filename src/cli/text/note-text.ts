// Notes about a run while it is coordinated, as sentences.
import { failureText } from '../../core/protocol/sandbox-failure.ts';
import { repositoryNoteText, sandboxRepairText } from './sandbox-repair-text.ts';
import { sandboxesText } from '../../core/engine/events/event-fields.ts';
import type { ObserverNote } from '../../app/run/observer.ts';
import type { UserNotes } from '../../app/sandbox-parts.ts';
import { landingLines } from './landing-text.ts';
import { telemetryText } from './telemetry-text.ts';
import { storeFailureText } from '../../core/view/text/store-failure-text.ts';

export function noteText(note: ObserverNote): string {
  switch (note.code) {
    case 'stopping':
      return 'Stopping: running steps are asked to end. Interrupt once more to end them now.';
    case 'stop-not-posted':
      return `The stop could not be recorded: ${storeFailureText(note.failure)} Running steps are asked to end all the same.`;
    case 'ending-now':
      return 'Ending running steps now.';
    case 'closing':
      return 'The run has ended and is being closed. Interrupt once more to leave now; heddle resume would close it then.';
    case 'landed':
      return landingLines(note.run, note.outcome).join(' ');
    case 'published':
      return `Its result is the branch ${note.branch}.`;
    case 'not-published':
      return `The branch ${note.branch} could not be created in your repository: ${failureText(note.failure)}`;
    case 'sandboxes':
      return `Sandboxes: ${sandboxesText(note.backend)}.`;
    case 'notification-failed':
      return note.message;
    case 'cleaned-up':
      return sandboxRepairText(note.repair);
    case 'telemetry-away':
    case 'telemetry-left':
    case 'telemetry-dropped':
    case 'telemetry-wrong':
    case 'telemetry-unreachable':
    case 'telemetry-failed':
      return telemetryText(note);
  }
}

/** Warnings about the user's repository before a run. */
export function userLines({ remarks, changed, untracked }: UserNotes): readonly string[] {
  const parts = [changed > 0 ? `${changed} changed` : '', untracked > 0 ? `${untracked} untracked` : ''];
  const uncommitted = parts.filter((part) => part !== '').join(' and ');
  const messages = remarks.map(repositoryNoteText);
  return uncommitted === ''
    ? messages
    : [...messages, `Uncommitted files in your checkout (${uncommitted}) are left alone, and no task sees them.`];
}
