// Hands an amendment that somebody agreed to over to the run, and says what became of it.
import type { AmendCommand } from '../../core/engine/command.ts';
import { type RunRecord, openProject, type OpenProject } from '../../app/open-project.ts';
import type { ExitCode } from '../exit-code.ts';
import { replyTo, type Replied } from '../../app/run/reply-to.ts';
import { attach, startDetached } from '../observe/attach.ts';
import { eventsFrom } from '../../app/fold-run.ts';
import { hasCoordinator } from '../../app/has-coordinator.ts';
import type { Terminal } from '../terminal.ts';
import { repliedText } from '../text/command-reply-text.ts';
import { post } from '../../app/run/resume.ts';
import { amendAtOnce } from '../../app/run/amend-at-once.ts';
import type { Shown } from '../text/amendment-text.ts';

export interface Submitting {
  readonly record: RunRecord;
  readonly shown: Shown;
  readonly flags: { readonly detach: boolean; readonly plain: boolean; readonly json: boolean };
}

export interface Submitted {
  readonly says: string;
  readonly replied: Replied;
  readonly isDone: boolean;
  /** What was shown is not so any more. */
  readonly hasMovedOn: boolean;
  /** How the run ended that was carried on here, or that it was put into the background; undefined where neither was. */
  readonly exit?: ExitCode;
}

/** How a run that was carried on ended, or what its coordinator said. */
export async function submit(
  terminal: Terminal,
  open: OpenProject,
  { record, shown, flags }: Submitting,
): Promise<ExitCode | Submitted> {
  const { changed, expects, position, stage, isAtWork } = shown;
  const command: AmendCommand = { type: 'amend', ...changed, expects };
  const id = post(open, record, command);
  if (hasCoordinator(open, record))
    return submitted(open, { record, position, replied: await replyTo(open.store, id) });
  // Nothing begins in a run that is paused, so nobody is needed who would start it.
  if (stage === 'paused' && !isAtWork) {
    await amendAtOnce(open, record);
    const { says, ...how } = submitted(open, { record, position, replied: await replyTo(open.store, id) });
    return { ...how, says: `${says} The run is paused; heddle resume ${record.run} goes on.` };
  }
  if (!flags.json) return await carryOn(terminal, open, { record, flags });
  // One answer is promised, so the events of the run are not told beside it.
  const exit = await carryOn({ ...terminal, out: () => {} }, open, { record, flags });
  const again = openProject('read');
  const told = submitted(again, { record, position, replied: await replyTo(again.store, id) });
  again.store.close();
  return { ...told, exit };
}

async function carryOn(
  terminal: Terminal,
  open: OpenProject,
  { record, flags }: Pick<Submitting, 'record' | 'flags'>,
): Promise<ExitCode> {
  if (flags.detach) return await startDetached(terminal, open, record);
  const { json, plain } = flags;
  return await attach(terminal, open, { record, flags: { json, plain, waitMs: undefined, takeOver: false } });
}

function submitted(
  { store }: OpenProject,
  { record, position, replied }: { readonly record: RunRecord; readonly position: number; readonly replied: Replied },
): Submitted {
  const { events } = eventsFrom(store, record.run, position);
  const isDone = events.some(({ type }) => type === 'plan.amending' || type === 'plan.amended');
  const notes = replied.type === 'replied' ? replied.reply.notes : [];
  const hasMovedOn = notes.some(({ code }) => code === 'amend.outdated');
  return { says: repliedText(replied), replied, isDone, hasMovedOn };
}
