// What a task does, asks or waits for, in one line: the words of the live view.
import { formatDuration, formatMoney } from '../../src/core/view/chart/format.ts';
import { reasonOf } from '../../src/core/view/run/reason-text.ts';
import { nameOf, taskFailureText } from '../../src/core/view/text/run-names.ts';
import { holdersText, waitText, type SeenAt } from '../../src/core/view/text/short-wait.ts';
import { quoted } from '../../src/core/view/text/styled-text.ts';
import { failureOf, type Status } from '../../src/core/view/run/run-status.ts';
import { factsOf, taskAt } from '../../src/core/engine/facts.ts';
import type { TaskRow } from './task-rows.ts';

interface Seen extends SeenAt {
  readonly status: Status;
}

export function whyText(row: TaskRow, seen: Seen): string {
  switch (row.group) {
    case 'asks':
      return quoted(seen.status.questions.find(({ task }) => task === row.path)?.text ?? 'asks you');
    case 'running':
    case 'waiting':
      return row.isPaused ? 'paused' : row.running.length > 0 ? workText(row) : waitsText(row, seen);
    case 'failed':
      return quoted(taskFailureText(failureOf(seen.state, taskAt(seen.state, row.index))));
    case 'done':
      return '';
    case 'cancelled':
    case 'skipped': {
      const ended = factsOf(seen.state, row.index).ended;
      return reasonOf(ended?.reason, ended?.cause);
    }
  }
}

/** The step or the kind of work, the attempt after the first, and whether it is being stopped. */
const workText = ({ running }: TaskRow): string =>
  running
    .map((work) => {
      const { type, step, attempt, isStopping } = work;
      const what =
        type === 'step'
          ? step === undefined || step === 'main'
            ? 'working'
            : step
          : nameOf({ ...work, task: '' }).trim();
      return `${what}${attempt > 1 ? ` #${attempt}` : ''}${isStopping ? ', stopping' : ''}`;
    })
    .join(' · ');

function waitsText({ path, stage }: TaskRow, seen: Seen): string {
  const task = { task: path, stage };
  const holders = holdersText(task, seen);
  return `${waitText(task, seen)}${holders === '' ? '' : `, ${holders}`}`;
}

/** `claude · $0.31 · 2m 04s · attempt 2` */
export function footText({ agent, usd, elapsedMs, attempts }: TaskRow): string {
  const parts = [
    agent,
    usd > 0 ? formatMoney(usd) : undefined,
    elapsedMs === undefined ? undefined : formatDuration(Math.floor(elapsedMs / 1000) * 1000),
    attempts > 1 ? `attempt ${attempts}` : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

/** The share of its estimate that a running task has taken; undefined without an estimate. */
export function progressOf({ running }: TaskRow): number | undefined {
  const [work] = running;
  if (work?.estimateMs === undefined || work.estimateMs <= 0) return undefined;
  return Math.min(1, work.elapsedMs / work.estimateMs);
}
