// Events as short lines, for tests that compare whole traces.
import type { ClaimEvent, RunEvent } from './event.ts';

export function lineOf(event: RunEvent): string {
  const parts = [event.type, nameOf(event)];
  if (event.type === 'task.reset') parts.push(event.tasks.join(' '));
  if (event.type === 'task.lost') parts.push(event.tasks.map(({ task }) => task).join(' '));
  if ('work' in event && event.work !== 'step') parts.push(event.work);
  if ('reserve' in event || event.type === 'claim.preempting') parts.push(...attemptOf(event));
  if ('round' in event) parts.push(`round ${event.round}`);
  if ('redo' in event && event.redo !== undefined) parts.push(`redo ${event.redo}`);
  if ('ending' in event) parts.push(event.ending ?? 'again');
  if ('reason' in event && event.reason !== undefined) parts.push(`(${event.reason})`);
  if ('cause' in event && event.cause !== undefined) parts.push(`by ${event.cause}`);
  if ('counted' in event && !event.counted) parts.push('uncounted');
  return parts.filter((part) => part !== '').join(' ');
}

/** The attempts of checks and merges can be counted in the trace. */
const attemptOf = ({ work, attempt }: ClaimEvent): readonly string[] =>
  work === 'step' || work === 'resolve' ? [`#${attempt}`] : [];

function nameOf(event: RunEvent): string {
  if ('pool' in event && !('task' in event)) return event.pool ?? '';
  if (!('task' in event)) return '';
  const step = 'step' in event ? event.step : undefined;
  const isOfTask = 'work' in event && event.work === 'resolve';
  return step === undefined || step === 'main' || isOfTask ? event.task : `${event.task}/${step}`;
}
