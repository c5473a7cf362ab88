// PSPLIB single-mode files (`.sm`): a block of successors, a block of durations and requests, and a line of
// availabilities. Jobs are numbered from 1.

import type { Activity } from '../../src/core/schedule/problem.ts';
import { unreadable, type Read } from './instance.ts';

export function readPsplib(text: string): Read {
  const precedence = numbersAfter(text, /^PRECEDENCE RELATIONS/);
  const requests = numbersAfter(text, /^REQUESTS\/DURATIONS/);
  const [capacity] = numbersAfter(text, /^RESOURCE ?AVAILABILITIES/);
  if (precedence.length === 0) return unreadable('The file has no block of precedence relations.');
  if (capacity === undefined) return unreadable('The file has no line of resource availabilities.');
  if (precedence.length !== requests.length) {
    return unreadable(
      `The file has ${precedence.length} lines of successors and ${requests.length} of requests; several modes are not read.`,
    );
  }
  const renewable = Number(/renewable\s*:\s*(\d+)/.exec(text)?.[1] ?? capacity.length);
  const requestsByJob = new Map(requests.map(([job, , durationMs, ...tokens]) => [job, { durationMs, tokens }]));
  const place = new Map(precedence.map(([job], index) => [job, index]));
  const activities: Activity[] = [];
  for (const [job, modes, count, ...successors] of precedence) {
    const asked = requestsByJob.get(job);
    if (asked?.durationMs === undefined) return unreadable(`Job ${job} has no line of requests.`);
    if (modes !== 1) return unreadable(`Job ${job} has ${modes} modes; only one is read.`);
    if (successors.length !== count)
      return unreadable(`Job ${job} announces ${count} successors and names ${successors.length}.`);
    const demands = asked.tokens.slice(0, renewable).map((tokens, pool) => ({ pool, tokens }));
    activities.push({
      durationMs: asked.durationMs,
      successors: successors.map((next) => place.get(next) ?? -1),
      demands,
    });
  }
  return { type: 'given', given: { activities, capacity: capacity.slice(0, renewable) } };
}

/** Lines of numbers from a heading to the next line of stars; column titles and rules are ignored. */
function numbersAfter(text: string, heading: RegExp): readonly (readonly number[])[] {
  const lines = text.split('\n').map((line) => line.trim());
  const from = lines.findIndex((line) => heading.test(line));
  if (from < 0) return [];
  const rest = lines.slice(from + 1);
  const until = rest.findIndex((line) => line.startsWith('***'));
  return rest
    .slice(0, until < 0 ? rest.length : until)
    .filter((line) => /^[\d\s.]+$/.test(line))
    .map((line) => line.split(/\s+/).map(Number));
}
