// What a person sees while an agent drafts: one line for each thing that takes a while.
import type { Drafting } from '../../app/draft/drafting.ts';
import type { Observer } from '../../app/run/observer.ts';
import { BASELINE_STEP, DRAFT_STEP } from '../../core/draft/drafting-plan.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { noteText } from '../text/note-text.ts';

export function draftingObserver(terminal: Terminal, drafting: Drafting): Observer {
  return {
    onStart: () => undefined,
    onEvents: (events) => {
      for (const event of events) {
        const line = lineOf(event, drafting);
        if (line !== undefined) terminal.err(line);
      }
    },
    onNote: (note) => {
      if (note.code !== 'sandboxes' && note.code !== 'cleaned-up') terminal.err(noteText(note));
    },
  };
}

function lineOf(event: RunEvent, { settings, judging }: Drafting): string | undefined {
  if (event.type === 'claim.made' && event.step === BASELINE_STEP)
    return `Runs ${judging.facts.check?.run ?? 'the check'} once, to know whether it passes; --no-tests leaves that out.`;
  if (event.type === 'claim.made' && event.step === DRAFT_STEP) return `${settings.agent} drafts …`;
  if (event.type !== 'claim.returned' || event.step !== DRAFT_STEP || event.reason === 'cancelled') return undefined;
  const until = event.until > event.at ? `, again at ${new Date(event.until).toLocaleTimeString('en-GB')}` : '';
  return `${settings.agent}: ${event.message ?? event.reason}${until}.`;
}
