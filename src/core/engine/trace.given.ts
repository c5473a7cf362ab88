// Events as short lines, for tests that compare whole traces.
import type { RunEvent } from './event.ts';

export function lineOf(event: RunEvent): string {
  const parts = [event.type, nameOf(event)];
  if (event.type === 'tasks.revived') parts.push(event.tasks.join(' '));
  if ('attempt' in event) parts.push(`#${event.attempt}`);
  if ('round' in event) parts.push(`round ${event.round}`);
  if ('redo' in event) parts.push(`redo ${event.redo}`);
  if ('ending' in event) parts.push(event.ending);
  if ('reason' in event && event.reason !== undefined) parts.push(`(${event.reason})`);
  if ('cause' in event && event.cause !== undefined) parts.push(`by ${event.cause}`);
  if ('counted' in event && !event.counted) parts.push('uncounted');
  return parts.filter((part) => part !== '').join(' ');
}

function nameOf(event: RunEvent): string {
  if ('pool' in event && !('task' in event)) return event.pool ?? '';
  if (!('task' in event)) return '';
  return 'step' in event && event.step !== 'main' ? `${event.task}/${event.step}` : event.task;
}
