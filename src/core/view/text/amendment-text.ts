// The effect of an amendment on a task or on the plan, in words.
import type { ChangeCause, PlanNote, TaskChange } from '../../engine/plan-changes.ts';
import { enumerated } from './count-text.ts';

/** Of more, the whole run is named. */
const RETRIED_MAX = 4;

/** A raised budget resets no failed task, nor does any other change to the plan around a task. */
export function stillFailedText(run: string, stillFailed: readonly string[]): string {
  const count = stillFailed.length;
  if (count === 0) return '';
  const named = count > RETRIED_MAX ? '' : ` ${stillFailed.join(' ')}`;
  const who = count === 1 ? 'One task stays' : `${count} tasks stay`;
  return `${who} failed; heddle retry ${run}${named} runs ${count === 1 ? 'it' : 'them'} again.`;
}

export function planNoteText(note: PlanNote): string {
  switch (note.type) {
    case 'drains':
      return `${note.held} are held now; it drains to ${note.to}`;
    case 'spent':
      return `${note.spent} is spent already, so no agent starts any more`;
  }
}

/** The state of a task, and the reason for the effect on it. */
export function changeText({ does, because, standing }: TaskChange): string {
  const stands = standingText(standing, does === 'keep' ? 'goes on' : 'is stopped');
  switch (because?.type) {
    case undefined:
      return stands;
    case 'added':
      return neededText(because.needs);
    case 'removed':
      return `gone from the plan; ${stands}`;
    case 'reopened':
      return 'open again for what changes in it';
    case 'reassigned':
      return standingText(standing, 'is begun again by another agent');
    case 'pooled':
      return standingText(standing, 'is begun again, so that it ends with its lease of the pool');
    case 'settings':
      return `${stands}; its ${enumerated(because.parts)} changed`;
    case 'redefined':
    case 'used':
    case 'around':
      return does === 'keep' ? `not begun; ${causeText(because)}` : `${causeText(because)}; ${stands}`;
  }
}

function causeText(because: Extract<ChangeCause, { type: 'redefined' | 'used' | 'around' }>): string {
  switch (because.type) {
    case 'redefined':
      return `its ${enumerated(because.parts)} changed`;
    case 'used':
      return `it went on from ${because.by}, which begins anew`;
    case 'around':
      return `${because.by} around it begins anew`;
  }
}

/** `meets` is the effect on running work. */
function standingText(standing: TaskChange['standing'], meets: string): string {
  switch (standing?.type) {
    case undefined:
      return '';
    case 'ended': {
      const { ending, reason } = standing;
      return reason === undefined || reason === ending ? ending : `${ending} (${reason})`;
    }
    case 'not begun':
      return 'not begun';
    case 'running':
      return `its work ${meets}`;
    case 'begun':
      return 'begun, nothing running';
  }
}

function neededText(needs: readonly string[]): string {
  if (needs.length === 0) return 'can start at once';
  return needs.length > 3
    ? `needs ${needs.slice(0, 2).join(', ')} and ${needs.length - 2} more`
    : `needs ${needs.join(', ')}`;
}
