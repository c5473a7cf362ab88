// One row per event of interest. The log has the others.
import { formatDuration, formatMoment, formatMoney } from '../chart/format.ts';
import { sandboxesText } from '../../engine/events/event-fields.ts';
import type { Progress } from '../run/progress.ts';
import { reasonOf } from '../run/reason-text.ts';
import { quoted, type Style, type TextRow } from './styled-text.ts';
import { waitingText } from './place-text.ts';
import { nameOf } from './run-names.ts';

const TIME_COLUMNS = 7;

/** The time since the start of the run, and what happened; undefined for an event of no interest. */
export function progressRow(progress: Progress, { startedAt }: { readonly startedAt: number }): TextRow | undefined {
  const pieces = piecesOf(progress);
  if (pieces === undefined) return undefined;
  const time = formatDuration(Math.max(0, progress.at - startedAt)).padStart(TIME_COLUMNS);
  return [['quiet', time], '  ', ...pieces];
}

function piecesOf(progress: Progress): TextRow | undefined {
  const step = progress.work === 'resolve' ? undefined : progress.step;
  const name = progress.task === undefined ? '' : nameOf({ task: progress.task, step });
  return LINES[progress.type]?.(progress, name);
}

/** The words for the kinds of work of a claim. */
function claimOf(progress: Progress, name: string): TextRow | undefined {
  if (progress.unbegunOn !== undefined) return unbegunOf(progress, claimName(name, progress.work), progress.unbegunOn);
  switch (progress.work) {
    case 'step':
      return stepOf(progress, name);
    case 'check':
      return checkOf(progress, name);
    case 'merge':
      return mergeOf(progress, name);
    case 'resolve':
      return resolveOf(progress, name);
    case undefined:
      return undefined;
  }
}

function stepOf(progress: Progress, name: string): TextRow | undefined {
  if (progress.type === 'claim.made') return startOf(progress, name);
  if (progress.type === 'claim.returned') return backOf(progress, name);
  if (progress.type === 'claim.asked') return [['warn', `${name} asks`], askedOf(progress)];
  return progress.step === 'main' || progress.to === 'done' ? undefined : endOf(progress, name);
}

function movedOf({ conversation, host, work }: Progress, name: string): TextRow | undefined {
  // Of a claim that waited, and now runs beside the coordinator, that it started was said before.
  if (conversation === undefined)
    return host === undefined ? undefined : [`${claimName(name, work)} runs on ${quoted(host)}`];
  const where = host === undefined ? 'the machine of the coordinator' : quoted(host);
  if (conversation === 'carried') return [`${name} takes its conversation along to ${where}`];
  return [['warn', `${name} begins a new conversation on ${where}`], ': the one before it is on another machine'];
}

const claimName = (name: string, work: Progress['work']): string =>
  work === undefined || work === 'step' ? name : `${name} ${work}`;

function unbegunOf({ cause }: Progress, name: string, host: string): TextRow {
  return [['warn', `${name} is for another host`], `: ${quoted(host)} could not run it`, said(cause)];
}

const said = (cause: string | undefined): string => (cause === undefined ? '' : `: ${quoted(cause)}`);

/** That a host is full is no news. */
function waitingOf({ waitsFor, work }: Progress, name: string): TextRow | undefined {
  if (waitsFor === undefined || waitsFor === 'room') return undefined;
  return [['warn', `${claimName(name, work)} waits for a host`], `: ${waitingText(waitsFor)}`];
}

function checkOf(progress: Progress, name: string): TextRow | undefined {
  if (progress.type === 'claim.returned') return [['warn', `${name} is checked again`], `: ${why(progress)}`];
  return progress.redo !== undefined
    ? [['warn', `${name} goes back to its agent`], after(progress), ': its check failed']
    : undefined;
}

function mergeOf(progress: Progress, name: string): TextRow | undefined {
  if (progress.redo !== undefined)
    return [['warn', `${name} goes back to its agent`], after(progress), ': the check failed after merging'];
  return progress.paths === undefined ? undefined : [['warn', `${name} conflicts`], ` in ${progress.paths.join(', ')}`];
}

function resolveOf(progress: Progress, name: string): TextRow | undefined {
  if (progress.type === 'claim.made') return [`${name}: its agent resolves the conflict`, ...attemptOf(progress)];
  if (progress.type === 'claim.asked')
    return [['warn', `${name} asks`], `: its agent could not resolve the conflict; ${byHand(progress)}`];
  return progress.type === 'claim.ended' ? fitsAgain(progress, name) : undefined;
}

const byHand = ({ task = '' }: Progress): string => `heddle merge ${task}`;

function fitsAgain(progress: Progress, name: string): TextRow {
  return [`${name}: conflict resolved`, after(progress)];
}

/** A subplan that is skipped ends later, when its tasks have. */
function endUnlessOpen(progress: Progress, name: string): TextRow | undefined {
  return progress.to === 'open' ? undefined : endOf(progress, name);
}

type Line = (progress: Progress, name: string) => TextRow | undefined;

/** A row for each type of event; undefined for events without a line. */
const LINES: Readonly<Record<Progress['type'], Line | undefined>> = {
  'run.started': ({ run }) => [['strong', `${run} started`]],
  'run.paused': ({ cause }) => [
    ['warn', 'paused: running steps finish, nothing else starts'],
    cause === undefined ? '' : `, because ${quoted(cause)}`,
  ],
  'run.resumed': () => ['resumed'],
  'run.sandboxed': ({ sandboxes }) =>
    sandboxes === undefined ? undefined : [['warn', `sandboxes from here on: ${sandboxesText(sandboxes)}`]],
  'run.ended': ({ run }) => [['strong', `${run} ended`]],
  'task.reset': ({ tasks = [] }) => [`${tasks.join(', ')} tried again`],
  'task.lost': ({ tasks = [] }) => [
    ['bad', `${tasks.join(', ')} failed`],
    ': merged work is gone from .heddle/repo.git; heddle retry does it again',
  ],
  'plan.amending': () => ['the plan is being amended: what does not fit the changed one is stopped first'],
  'plan.amended': (progress) => [['strong', 'plan amended'], amendedOf(progress)],
  'plan.grown': ({ amended }) => [['strong', 'plan grown'], `: ${countOf(amended?.added ?? [])}`],
  'pool.closed': (progress) => [
    ['warn', `pool ${progress.pool ?? ''} closed${restOf(progress)}: its account is at its limit`],
  ],
  'pool.opened': ({ pool = '' }) => [`pool ${pool} open again`],
  'pool.throttled': ({ pool = '', limit = 0 }) => [
    ['warn', `pool ${pool} throttled to ${limit}: its provider is overloaded`],
  ],
  'pool.restored': ({ pool = '', limit = 0 }) => [`pool ${pool} restored to ${limit}`],
  'claim.made': claimOf,
  'claim.returned': claimOf,
  'claim.asked': claimOf,
  'claim.ended': claimOf,
  'claim.waiting': waitingOf,
  'claim.placed': movedOf,
  'claim.raised': undefined,
  'claim.preempting': undefined,
  'claim.cancelling': undefined,
  'claim.answered': undefined,
  'task.opened': ({ to, task = '' }, name) =>
    to === 'asking' ? [['warn', `${name} asks`], `: heddle approve ${task}, or reject`] : undefined,
  'task.gated': ({ task = '' }, name) => [['warn', `${name} asks`], `: heddle approve ${task}, or reject`],
  'task.escalated': (progress, name) => [['warn', `${name} asks`], `: ${why(progress)}; ${byHand(progress)}`],
  'task.resolved': fitsAgain,
  'task.rolledBack': (_, name) => [`${name} rolled back`],
  'task.paused': (_, name) => [`${name} paused: nothing of it starts`],
  'task.released': (_, name) => [`${name} released`],
  'task.skipped': (progress, name) => (progress.reason === 'no_item' ? undefined : endUnlessOpen(progress, name)),
  'task.ended': endUnlessOpen,
  'task.cancelling': undefined,
  'task.repeated': undefined,
  'task.queued': undefined,
  'step.skipped': undefined,
  'step.joined': undefined,
  'step.gated': (progress, name) => [['warn', `${name} asks`], askedOf(progress)],
  'step.rejoined': undefined,
};

const countOf = (added: readonly string[]): string =>
  added.length === 0 ? 'there is nothing to do' : `${added.join(', ')} added`;

function amendedOf({ amended }: Progress): string {
  const { restarted = [], added = [], cancelled = [] } = amended ?? {};
  const parts = [
    ['restarted', restarted],
    ['added', added],
    ['cancelled', cancelled],
  ] as const;
  const said = parts.flatMap(([verb, tasks]) => (tasks.length === 0 ? [] : [`${tasks.join(', ')} ${verb}`]));
  return said.length === 0 ? ': every task is kept' : `: ${said.join('; ')}`;
}

const STYLE_OF: Readonly<Record<string, Style>> = { done: 'good', failed: 'bad', cancelled: 'warn', skipped: 'quiet' };

function endOf(progress: Progress, name: string): TextRow {
  const { to = 'done', reason, spend } = progress;
  const cost = spend?.usd === undefined || spend.usd === 0 ? '' : ` for ${formatMoney(spend.usd)}`;
  const because = reason === undefined || why(progress) === to ? '' : `: ${why(progress)}`;
  return [[STYLE_OF[to] ?? 'good', `${name} ${to}`], `${after(progress)}${cost}${because}`];
}

function startOf(progress: Progress, name: string): TextRow {
  const by = progress.agent === undefined ? '' : ` by ${progress.agent}`;
  return [`${name} started${by}`, ...attemptOf(progress)];
}

function backOf(progress: Progress, name: string): TextRow {
  if (progress.reason === 'failed') return [['warn', `${name} failed`], after(progress), againOf(progress)];
  // By a person, a stop of the run or an amendment: whether it begins again is theirs to say.
  if (progress.reason === 'cancelled') return [['warn', `${name} stopped`], after(progress)];
  return [['warn', `${name} goes back`], after(progress), `: ${why(progress)}`, againOf(progress)];
}

function askedOf({ task = '', step, question, permission }: Progress): string {
  const flag = step === undefined || step === 'main' ? '' : ` --step ${step}`;
  if (question === undefined) return `: heddle approve ${task}, reject or retry`;
  const words = permission === undefined ? '"…"' : 'yes, no or always';
  return `: ${quoted(question)}  heddle answer ${task}${flag} ${words}`;
}

const why = ({ reason, cause }: Progress): string => quoted(reasonOf(reason, cause));

const after = ({ ms }: Progress): string => (ms === undefined ? '' : ` after ${formatMoment(ms)}`);

const attemptOf = ({ attempt = 1 }: Progress): TextRow => (attempt > 1 ? [['quiet', `, attempt ${attempt}`]] : []);

const againOf = ({ until, at }: Progress): string =>
  until === undefined || until <= at ? '; tried again' : `; tried again in ${formatMoment(until - at)}`;

/** The length of the backoff, where there is one. */
const restOf = ({ until, at }: Progress): string =>
  until === undefined || until <= at ? '' : ` for ${formatMoment(until - at)}`;
