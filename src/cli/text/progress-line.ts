// One calm line per event that people want to hear of, for runs that are piped away. The rest they can read in the log.
import { formatDuration, formatMoment, formatMoney } from '../../core/view/chart/format.ts';
import type { Progress } from '../../core/view/run/progress.ts';
import { reasonOf } from '../../core/view/run/reason-text.ts';
import type { Style } from '../terminal.ts';
import { nameOf } from './names.ts';
import { quoted, rowOf, type Piece, type Screen } from './pieces.ts';

const TIME_COLUMNS = 7;

/** Undefined when the event is not worth a line. Lines are not cut: what is piped away has no width. */
export function progressLine(
  screen: Pick<Screen, 'colour'>,
  progress: Progress,
  { startedAt }: { readonly startedAt: number },
): string | undefined {
  const pieces = piecesOf(progress);
  if (pieces === undefined) return undefined;
  const time = formatDuration(Math.max(0, progress.at - startedAt)).padStart(TIME_COLUMNS);
  return rowOf({ ...screen, width: Infinity }, [['quiet', time], '  ', ...pieces]);
}

function piecesOf(progress: Progress): readonly Piece[] | undefined {
  const name = progress.task === undefined ? '' : nameOf({ task: progress.task, step: progress.step });
  switch (progress.type) {
    case 'run.started':
    case 'run.paused':
    case 'run.resumed':
    case 'run.ended':
    case 'tasks.revived':
    case 'amendment.accepted':
    case 'plan.amended':
    case 'pool.closed':
    case 'pool.opened':
    case 'pool.narrowed':
    case 'pool.widened':
      return WHOLE[progress.type](progress);
    case 'step.claimed':
      return startOf(progress, name);
    case 'step.returned':
      return backOf(progress, name);
    case 'step.asked':
      return [['warn', `${name} asks`], askedOf(progress)];
    case 'task.opened':
      return progress.to === 'asking'
        ? [['warn', `${name} asks`], `: heddle approve ${progress.task ?? ''}, or reject`]
        : undefined;
    case 'step.ended':
      return progress.step === 'main' || progress.to === 'done' ? undefined : endOf(progress, name);
    case 'check.failed':
      return [['warn', `${name} goes back to its agent`], after(progress), ': its check failed'];
    case 'check.returned':
      return [['warn', `${name} is checked again`], `: ${why(progress)}`];
    case 'merge.failed':
    case 'task.conflicted':
    case 'resolve.claimed':
    case 'resolve.ended':
    case 'resolve.dropped':
    case 'task.resolved':
      return fitOf(progress, name);
    case 'task.rolledBack':
      return [`${name} rolled back`];
    case 'task.held':
    case 'task.released':
      return [progress.type === 'task.held' ? `${name} held: nothing of it starts` : `${name} released`];
    case 'task.dropped':
    case 'task.ended':
      return progress.to === 'open' ? undefined : endOf(progress, name);
    case 'task.condemned':
    case 'task.repeated':
    case 'task.queued':
    case 'task.merging':
    case 'task.requeued':
    case 'check.claimed':
    case 'check.passed':
    case 'check.recalled':
    case 'check.condemned':
    case 'merge.condemned':
    case 'resolve.returned':
    case 'resolve.recalled':
    case 'resolve.raised':
    case 'resolve.condemned':
    case 'step.recalled':
    case 'step.raised':
    case 'step.condemned':
    case 'step.dropped':
    case 'step.joined':
    case 'step.answered':
    case 'step.retried':
      return undefined;
  }
}

type OfWhole =
  | 'run.started'
  | 'run.paused'
  | 'run.resumed'
  | 'run.ended'
  | 'tasks.revived'
  | 'amendment.accepted'
  | 'plan.amended'
  | 'pool.closed'
  | 'pool.opened'
  | 'pool.narrowed'
  | 'pool.widened';

/** What is said of the run and of its pools. */
const WHOLE: Readonly<Record<OfWhole, (progress: Progress) => readonly Piece[]>> = {
  'run.started': ({ run }) => [['strong', `${run} started`]],
  'run.paused': ({ cause }) => [
    ['warn', 'paused: what is at work finishes, nothing else starts'],
    cause === undefined ? '' : `, because ${quoted(cause)}`,
  ],
  'run.resumed': () => ['resumed'],
  'run.ended': ({ run }) => [['strong', `${run} ended`]],
  'tasks.revived': ({ tasks = [] }) => [`${tasks.join(', ')} tried again`],
  'amendment.accepted': () => ['the plan is being amended: what does not fit the changed one is stopped first'],
  'plan.amended': (progress) => [['strong', 'plan amended'], amendedOf(progress)],
  'pool.closed': (progress) => [
    ['warn', `pool ${progress.pool ?? ''} closed${restOf(progress)}: its account may not ask more`],
  ],
  'pool.opened': ({ pool = '' }) => [`pool ${pool} open again`],
  'pool.narrowed': ({ pool = '', width = 0 }) => [
    ['warn', `pool ${pool} narrowed to ${width}: its provider is overloaded`],
  ],
  'pool.widened': ({ pool = '', width = 0 }) => [`pool ${pool} widened to ${width}`],
};

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

/** Whether the work of a task fits together with what was merged before it. */
function fitOf(progress: Progress, name: string): readonly Piece[] {
  const byHand = `heddle merge ${progress.task ?? ''}`;
  switch (progress.type) {
    case 'merge.failed':
      return [['warn', `${name} goes back to its agent`], after(progress), ': the check failed after merging'];
    case 'task.conflicted':
      return [['warn', `${name} conflicts`], ` in ${(progress.paths ?? []).join(', ')}`];
    case 'resolve.claimed':
      return [`${name} is made to fit by its agent`, ...attemptOf(progress)];
    case 'resolve.dropped':
      return [['warn', `${name} asks`], `: ${why(progress)}; ${byHand}`];
  }
  return progress.to === 'conflicted'
    ? [['warn', `${name} asks`], `: its agent could not resolve the conflict; ${byHand}`]
    : [`${name} fits again`, after(progress)];
}

const STYLE_OF: Readonly<Record<string, Style>> = { done: 'good', failed: 'bad', cancelled: 'warn', skipped: 'quiet' };

function endOf(progress: Progress, name: string): readonly Piece[] {
  const { to = 'done', reason, spend } = progress;
  const cost = spend?.usd === undefined || spend.usd === 0 ? '' : ` for ${formatMoney(spend.usd)}`;
  const because = reason === undefined || why(progress) === to ? '' : `: ${why(progress)}`;
  return [[STYLE_OF[to] ?? 'good', `${name} ${to}`], `${after(progress)}${cost}${because}`];
}

function startOf(progress: Progress, name: string): readonly Piece[] {
  const by = progress.agent === undefined ? '' : ` by ${progress.agent}`;
  return [`${name} started${by}`, ...attemptOf(progress)];
}

function backOf(progress: Progress, name: string): readonly Piece[] {
  if (progress.reason === 'failed') return [['warn', `${name} failed`], after(progress), againOf(progress)];
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

const attemptOf = ({ attempt = 1 }: Progress): readonly Piece[] =>
  attempt > 1 ? [['quiet', `, attempt ${attempt}`]] : [];

const againOf = ({ until, at }: Progress): string =>
  until === undefined || until <= at ? '; tried again' : `; tried again in ${formatMoment(until - at)}`;

/** How long it rests, where it does. */
const restOf = ({ until, at }: Progress): string =>
  until === undefined || until <= at ? '' : ` for ${formatMoment(until - at)}`;
