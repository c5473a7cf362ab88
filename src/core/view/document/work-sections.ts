// The report's sections on the work: tasks, failures, retries, conflicts, checks, questions and the timeline.
import { formatCount, formatDuration, formatMoney } from '../chart/format.ts';
import { reasonOf, reasonWithText } from '../run/reason-text.ts';
import type { Report } from '../report/run-report.ts';
import type { ClaimSpan } from '../report/claim-spans.ts';
import type { FailureSummary, TaskSummary } from '../report/tasks.ts';
import { atTime, counted, lastLines, shortId, type Block, type Section } from './document.ts';

/** The number of entries of each kind that are listed in full. */
const ROWS_SHOWN_MAX = 500;
/** The number of failures whose output is quoted. */
const QUOTED_MAX = 50;

export function failureSection({ failures }: Report): Section | undefined {
  if (failures.length === 0) return undefined;
  const quoted = failures.slice(0, QUOTED_MAX).filter(({ output }) => output !== undefined && output.trim() !== '');
  return {
    id: 'failures',
    title: 'What failed',
    gist: counted(failures.length, 'task'),
    blocks: [
      {
        type: 'table',
        columns: [{ title: 'Task' }, { title: 'Step' }, { title: 'Attempt', isNumber: true }, { title: 'Why' }],
        rows: failures.map((failure) => ({
          cells: [
            failure.task,
            stepOf(failure),
            failure.attempt === undefined || failure.attempt === 0 ? '' : String(failure.attempt),
            whyOf(failure),
          ],
          state: 'failed',
        })),
      },
      ...quoted.map((failure): Block => ({
        type: 'output',
        of: nameOf(failure),
        text: lastLines(failure.output ?? ''),
      })),
    ],
  };
}

/** The reason code, and its meaning. */
function whyOf({ reason, cause, exitCode }: FailureSummary): string {
  const code = exitCode === undefined || exitCode === 0 ? '' : `exit code ${exitCode}`;
  return [reasonWithText(reason, cause), code].filter((part) => part !== '').join('; ');
}

/** The only step of a task without `steps` has the name of the task. */
const stepOf = ({ step }: FailureSummary): string => (step === undefined || step === 'main' ? '' : step);

const nameOf = ({ task, step }: { readonly task: string; readonly step: string | undefined }): string =>
  step === undefined || step === 'main' ? task : `${task}/${step}`;

export function taskSection({ tasks }: Report): Section {
  return {
    id: 'tasks',
    title: 'Tasks',
    gist: counted(tasks.length, 'task'),
    blocks: [
      {
        type: 'table',
        columns: [
          { title: 'Task' },
          { title: 'State' },
          { title: 'By' },
          { title: 'Attempts', isNumber: true, rank: 1 },
          { title: 'Began', isNumber: true, rank: 3 },
          { title: 'Took', isNumber: true },
          { title: 'Cost', isNumber: true },
          { title: 'Tokens', isNumber: true, rank: 4 },
          { title: 'Commit', rank: 2 },
          { title: 'Why' },
        ],
        rows: tasks.map((task) => ({ state: task.state, cells: taskCells(task) })),
      },
    ],
  };
}

function taskCells(task: TaskSummary): readonly string[] {
  const { startMs, endMs, reason, cause, state, stage, usd, tokens } = task;
  return [
    task.task,
    state === 'running' ? stage : state,
    task.agents.join(', '),
    task.attempts === 0 ? '' : String(task.attempts),
    startMs === undefined ? '' : atTime(startMs),
    startMs === undefined || endMs === undefined ? '' : formatDuration(endMs - startMs),
    usd === 0 ? '' : formatMoney(usd),
    tokens === 0 ? '' : formatCount(tokens),
    shortId(task.commit),
    reasonOf(reason, cause),
  ];
}

/** Attempts that did not succeed. */
export function retrySection({ spans }: Report): Section | undefined {
  const missed = spans.filter(({ result, type }) => MISSED.has(result) && !(type === 'merge' && result === 'returned'));
  if (missed.length === 0) return undefined;
  return {
    id: 'attempts',
    title: 'Attempts that came to nothing',
    gist: counted(missed.length, 'attempt'),
    blocks: [
      {
        type: 'table',
        columns: [
          { title: 'At', isNumber: true },
          { title: 'What' },
          { title: 'Attempt', isNumber: true },
          { title: 'By' },
          { title: 'Took', isNumber: true },
          { title: 'Why' },
        ],
        rows: missed.slice(0, ROWS_SHOWN_MAX).map((span) => ({ cells: missedCells(span) })),
      },
      ...moreThan(missed.length),
    ],
  };
}

const MISSED: ReadonlySet<ClaimSpan['result']> = new Set(['failed', 'returned', 'cancelled']);

function missedCells(span: ClaimSpan): readonly string[] {
  const { type, startMs, endMs, attempt, agent, host, reason, says } = span;
  const what = type === 'step' ? nameOf(span) : `${span.task} ${type}`;
  const said =
    says === undefined
      ? ''
      : (lastLines(says)
          .split('\n')
          .findLast((line) => line.trim() !== '') ?? '');
  const why = [reasonOf(reason, undefined), said].filter((part) => part !== '').join(': ');
  const who = [agent ?? '', host === undefined ? '' : `on ${host}`].filter((part) => part !== '').join(' ');
  return [atTime(startMs), what, String(attempt), who, formatDuration((endMs ?? startMs) - startMs), why];
}

const moreThan = (count: number): readonly Block[] =>
  count <= ROWS_SHOWN_MAX ? [] : [{ type: 'text', text: `… and ${count - ROWS_SHOWN_MAX} more` }];

const RESOLVED = { agent: 'its agent', person: 'a person', nobody: 'nobody: it was given up' } as const;

export function conflictSection({ conflicts }: Report): Section | undefined {
  if (conflicts.length === 0) return undefined;
  const open = conflicts.filter(({ resolvedBy }) => resolvedBy === undefined).length;
  return {
    id: 'conflicts',
    title: 'Conflicts',
    gist: `${counted(conflicts.length, 'conflict')}${open === 0 ? '' : `, ${open} open`}`,
    blocks: [
      {
        type: 'table',
        columns: [
          { title: 'At', isNumber: true },
          { title: 'Task' },
          { title: 'With' },
          { title: 'Files' },
          { title: 'Turns', isNumber: true },
          { title: 'Made to fit by' },
        ],
        rows: conflicts.slice(0, ROWS_SHOWN_MAX).map(({ atMs, task, with: others, paths, turns, resolvedBy }) => ({
          cells: [
            atTime(atMs),
            task,
            others.length === 0 ? 'what was merged before it' : others.join(', '),
            paths.join(', '),
            String(turns),
            resolvedBy === undefined ? 'open' : RESOLVED[resolvedBy],
          ],
        })),
      },
      ...moreThan(conflicts.length),
    ],
  };
}

export function checkSection({ checks }: Report): Section | undefined {
  const { passed, failed, returned, merged, failedMerged, baseline, flaky } = checks;
  if (passed + failed + returned + merged + failedMerged === 0) return undefined;
  return {
    id: 'checks',
    title: 'Checks and merges',
    gist: `${passed} passed, ${failed + failedMerged} failed, ${merged} merged`,
    blocks: [
      {
        type: 'facts',
        facts: [
          ['Checks of tasks', `${passed} passed, ${failed} failed${returned === 0 ? '' : `, ${returned} made again`}`],
          ['Merged', counted(merged, 'task')],
          ['Failed once merged', counted(failedMerged, 'time')],
          ...(baseline.length === 0 ? [] : [['Fails without their work as well', baseline.join(', ')] as const]),
          ...(flaky.length === 0 ? [] : [['Failed, then passed on the same commit', flaky.join(', ')] as const]),
        ],
      },
    ],
  };
}

export function questionSection({ questions }: Report): Section | undefined {
  if (questions.length === 0) return undefined;
  const open = questions.filter(({ answer }) => answer === undefined).length;
  return {
    id: 'questions',
    title: 'Questions to people',
    gist: `${counted(questions.length, 'question')}${open === 0 ? '' : `, ${open} open`}`,
    blocks: [
      {
        type: 'table',
        columns: [
          { title: 'At', isNumber: true },
          { title: 'Task' },
          { title: 'Question' },
          { title: 'Answer' },
          { title: 'After', isNumber: true },
        ],
        rows: questions.slice(0, ROWS_SHOWN_MAX).map(({ startMs, endMs, task, step, text, answer }) => ({
          cells: [
            atTime(startMs),
            nameOf({ task, step }),
            text,
            answer ?? 'open',
            endMs === undefined ? '' : formatDuration(endMs - startMs),
          ],
        })),
      },
      ...moreThan(questions.length),
    ],
  };
}

export function timelineSection({ timeline }: Report): Section | undefined {
  if (timeline.length === 0) return undefined;
  return {
    id: 'events',
    title: 'What happened',
    gist: counted(timeline.length, 'event'),
    blocks: [
      {
        type: 'table',
        columns: [{ title: 'At', isNumber: true }, { title: 'Event' }],
        rows: timeline.slice(0, ROWS_SHOWN_MAX).map(({ atMs, text }) => ({ cells: [atTime(atMs), text] })),
      },
      ...moreThan(timeline.length),
    ],
  };
}

export function pathSection({ critical, times }: Report): Section | undefined {
  if (critical.length === 0) return undefined;
  const sumMs = critical.reduce((sum, { ms }) => sum + ms, 0);
  return {
    id: 'path',
    title: 'The longest chain',
    gist: `${formatDuration(sumMs)} of ${formatDuration(times.activeMs)}`,
    blocks: [
      { type: 'text', text: 'No number of agents makes a run shorter than this chain of work.' },
      {
        type: 'list',
        items: critical.slice(0, ROWS_SHOWN_MAX).map((part) => {
          const what = part.type === 'step' ? nameOf(part) : `${part.task} ${part.type}`;
          return `${what}: ${formatDuration(part.ms)}`;
        }),
      },
    ],
  };
}
