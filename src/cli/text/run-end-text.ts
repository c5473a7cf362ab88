// The closing text of a run: its ending, all failures together, and the next commands.
import type { State } from '../../core/engine/state.ts';
import { retriableOfRun } from '../../core/engine/reset-set.ts';
import { statusOf } from '../../core/view/run/run-status.ts';
import type { Coordinated } from '../../app/run/coordinate.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import type { TextRow } from '../../core/view/text/styled-text.ts';
import { rowOf } from './rows.ts';
import { countPieces, failureRows, headPieces, questionRows, spendText } from '../../core/view/text/status-text.ts';
import { pointedEntries } from './status-lines.ts';
import { storeFailureText } from '../../core/view/text/store-failure-text.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';

export interface RunEnd {
  readonly run: string;
  readonly over: Coordinated['over'];
  readonly wasInterrupted?: boolean;
  /** Another process coordinates the run still. */
  readonly isHeld?: boolean;
  /** The engine that keeps the run, where what was followed is the copy of a server that is away. */
  readonly keptOn?: string | undefined;
}

export function endLines(terminal: Terminal, ended: RunEnd): readonly string[] {
  const { run, over, wasInterrupted = false, isHeld = false, keptOn } = ended;
  switch (over.type) {
    case 'ended':
      return [...summary(terminal, over.state, { run, isHeld }), ...nextSteps(run, over.state)];
    case 'stopped':
      return [...summary(terminal, over.state, { run, isHeld }), `Stopped. heddle resume ${run} goes on.`];
    case 'waiting':
      return [...summary(terminal, over.state, { run, isHeld }), isHeld ? HELD : waitingFor(run, over, keptOn)];
    case 'failed':
      return [
        paint(terminal, 'bad', storeFailureText(over.failure)),
        wasInterrupted
          ? `Running steps were ended. heddle resume ${run} runs them again.`
          : `Running steps go on. heddle resume ${run} reattaches to them.`,
      ];
    case 'fenced': {
      const by = over.by === undefined ? 'Another process' : `Process ${over.by.pid} on ${over.by.host}`;
      return [`${by} has taken the run ${run} over, and goes on with it. Nothing was lost.`];
    }
  }
}

const HELD = 'It waits for an answer. Give it as above, and the run goes on.';

type Held = Required<Pick<RunEnd, 'run' | 'isHeld'>>;

function summary(terminal: Terminal, state: State, { run, isHeld }: Held): readonly string[] {
  const status = statusOf(state, { now: state.run.now, given: { inputs: {}, env: {} } });
  const { width, colour } = terminal;
  // Failures are printed in full, at any width.
  const screen = { width: Infinity, colour };
  const write: Write = (pieces) => rowOf(screen, pieces);
  const spent = spendText(status);
  return [
    write([['strong', run], '  ', ...headPieces(status, !isHeld)]),
    write(['  ', ...countPieces(status)]),
    ...(spent === '' ? [] : [write(['  spent ', spent])]),
    ...section(write, 'Failed', pointedEntries(failureRows(status), width).flat()),
    ...(status.counts.failed > status.failures.length
      ? [`  … and ${status.counts.failed - status.failures.length} more`]
      : []),
    ...section(write, 'Waits for a person', pointedEntries(questionRows(status), width).flat()),
  ];
}

type Write = (pieces: TextRow) => string;

const section = (write: Write, title: string, rows: readonly TextRow[]): readonly string[] =>
  rows.length === 0 ? [] : [write([['strong', title]]), ...rows.map((pieces) => write(['  ', ...pieces]))];

function nextSteps(run: string, state: State): readonly string[] {
  // The losers of a race cannot be retried.
  const hasRetriable = retriableOfRun(state).tasks.length > 0;
  return [
    ...(hasRetriable ? [`heddle retry ${run} runs again what is not done.`] : []),
    `heddle report ${run} shows the whole run.`,
  ];
}

/** Without its server the copy of a run on an engine says nothing of what goes on elsewhere. */
export const copyLeftText = (run: string, engine: string): string =>
  `No heddle serve is up here, so this is as of the last one: ${run} is kept on ${engine}, and may be going on at another server.`;

function waitingFor(
  run: string,
  { for: what, state }: Extract<Coordinated['over'], { type: 'waiting' }>,
  keptOn: string | undefined,
): string {
  if (keptOn !== undefined) return copyLeftText(run, keptOn);
  switch (what) {
    case 'answer':
      return `It waits for an answer. Give it as above, then heddle resume ${run}.`;
    case 'resume':
      return `${state.run.stage === 'paused' ? 'It is paused' : 'It has no coordinator'}. heddle resume ${run} goes on.`;
    case 'repair':
      return `It is paused, before it spends more on that. Mend it, then heddle resume ${run}; heddle agents may say what is wrong.`;
  }
}

/** The exit code of a run. */
export function exitCodeOf({ over, wasInterrupted }: Coordinated): ExitCode {
  switch (over.type) {
    case 'ended':
      return ofEnded(over.state);
    case 'stopped':
      return wasInterrupted ? EXIT.interrupted : EXIT.waiting;
    case 'waiting':
    case 'failed':
    case 'fenced':
      return EXIT.waiting;
  }
}

/** The plan asked for a race, so a loser is no failure. */
function ofEnded({ tasks }: State): ExitCode {
  const bad = tasks.filter(
    ({ ended }) => ended?.ending === 'failed' || (ended?.ending === 'cancelled' && ended.reason !== 'race'),
  );
  if (bad.length === 0) return EXIT.done;
  return bad.some(({ ended }) => ended?.reason === 'cost') ? EXIT.ceiling : EXIT.someFailed;
}
