// The live view of a run for a person at a terminal: it receives events, paints the run and handles keys.
//
// live/L1. It reads the run and posts commands, like a command in another terminal; it decides nothing.
// live/L2. It restores the terminal at every kind of exit.
// live/L3. It closes only after all its pending work: no question appears behind a pager, and nothing reads a closed
//     store.
import type { Compiled } from '../../core/compile/compiled.ts';
import type { Command } from '../../core/engine/command.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import { fold } from '../../core/engine/apply/fold.ts';
import type { State } from '../../core/engine/state.ts';
import { statusOf } from '../../core/view/run/run-status.ts';
import type { RunRecord, OpenProject } from '../../app/open-project.ts';
import { Refused } from '../../app/refused.ts';
import { artifactsIn, CLOCK } from '../../app/local-parts.ts';
import { earlierWork } from '../../app/run-history.ts';
import { endReader } from '../../app/read/output-reader.ts';
import { spentSoFar } from '../../app/read/read-status.ts';
import { refusalText } from '../../core/view/text/refusal-text.ts';
import { rowOf } from '../text/rows.ts';
import { withoutInterrupts } from '../terminal/interrupts.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { keepEta, openThrottle } from './throttle.ts';
import type { Eta } from '../../core/simulate/eta.ts';
import { FOCUS, type Focus, type Key, type Wish } from './focus.ts';
import { liveRows, type LiveRows } from './live-rows.ts';
import { pressKey } from './press.ts';
import { readTasks, openTails, type TaskReader } from './read-tasks.ts';
import type { Screen } from './screen.ts';
import { showInPager, stopHere } from '../terminal/suspend-terminal.ts';
import type { ViewModel } from './view-model.ts';

export interface LiveOptions {
  readonly terminal: Terminal;
  readonly open: OpenProject;
  readonly record: RunRecord;
  readonly compiled: Compiled;
  /** The events before the view was opened. */
  readonly past: readonly RunEvent[];
  /** Whether this process coordinates the run. */
  readonly isOurs: boolean;
  /** Posts a command and returns the reply. */
  readonly post: (command: Command) => Promise<string>;
  /** The person wants to leave. */
  readonly onLeave: () => void;
}

export interface Live {
  readonly onEvents: (events: readonly RunEvent[], state: State) => void;
  readonly showMessage: (message: string) => void;
  /** Whether the run has a coordinator, where that is another process. */
  readonly setCoordinator: (isUp: boolean) => void;
  /** Waits for the person to leave a pager that was opened from the view. */
  readonly close: () => Promise<void>;
}

interface Message {
  readonly text: string;
  readonly at: number;
}

/** A message leaves its row to the next question after a while. */
const MESSAGE_MS = 10_000;

/** State that changes while the view is open. */
interface Shown {
  state: State | undefined;
  readonly events: RunEvent[];
  focus: Focus;
  rows: LiveRows | undefined;
  message: Message | undefined;
  isUp: boolean;
  eta: Eta | undefined;
  screen: Screen | undefined;
  /** The program that has the terminal instead of the view. */
  suspendedFor: 'pager' | 'shell' | undefined;
  isClosed: boolean;
  /** Requests of keys that are not done. */
  readonly underWay: Set<Promise<void>>;
}

interface Parts {
  readonly options: LiveOptions;
  readonly shown: Shown;
  readonly tasks: TaskReader;
  readonly spentBy: ReturnType<typeof spentSoFar>;
  readonly eta: ReturnType<typeof keepEta>;
  readonly throttle: ReturnType<typeof openThrottle>;
}

export function openLive(options: LiveOptions): Live {
  const shown: Shown = {
    state: undefined,
    events: [...options.past],
    focus: FOCUS,
    rows: undefined,
    message: undefined,
    isUp: true,
    eta: undefined,
    screen: undefined,
    suspendedFor: undefined,
    isClosed: false,
    underWay: new Set(),
  };
  const { open, record } = options;
  const tails = openTails(endReader(artifactsIn(open.project), record.run));
  const parts: Parts = {
    options,
    shown,
    tasks: readTasks({ open, record, events: shown.events, tails }),
    spentBy: spentSoFar(open.project, record.run),
    eta: keepEta(() => earlierWork(open.store, record.name, record.run)),
    throttle: openThrottle({ paint: () => paint(parts), tick: () => updateEta(parts) }),
  };
  const close = closer(parts);
  void show(parts);
  return {
    onEvents: (events, state) => {
      shown.events.push(...events);
      shown.state = state;
      parts.throttle.touch();
    },
    showMessage: (message) => showMessage(parts, message),
    setCoordinator: (isUp) => {
      if (shown.isUp === isUp) return;
      shown.isUp = isUp;
      parts.throttle.touch();
    },
    close,
  };
}

function showMessage({ shown, throttle }: Parts, message: string): void {
  shown.message = { text: message, at: performance.now() };
  throttle.touch();
}

/** The library that draws takes a while to load, and a run need not wait for that. */
async function show(parts: Parts): Promise<void> {
  const { shown, throttle } = parts;
  const { openScreen } = await import('./screen.ts');
  if (shown.isClosed) return;
  shown.screen = openScreen({ hasKeys: process.stdin.isTTY, onKey: (key) => onKey(parts, key) });
  throttle.hurry();
  updateEta(parts);
  throttle.touch();
}

/** Closes the view once; until then listens for signals that would leave the terminal in raw mode. */
function closer(parts: Parts): () => Promise<void> {
  const { shown, throttle, options } = parts;
  const close = async (): Promise<void> => {
    if (!shown.isClosed) {
      shown.isClosed = true;
      throttle.end();
      process.stdout.off('resize', throttle.touch);
      process.stdin.off('error', options.onLeave);
    }
    await Promise.all(shown.underWay);
    process.off('SIGTSTP', suspend);
    shown.screen?.close();
  };
  const suspend = (): void => {
    // A pager stops itself, and takes the terminal again by itself.
    if (shown.suspendedFor === 'pager') process.kill(process.pid, 'SIGSTOP');
    else begin(parts, suspendFor(parts, 'shell', stopHere));
  };
  process.on('SIGTSTP', suspend);
  process.stdout.on('resize', throttle.touch);
  // A closed terminal is no failure of the run; its signal decides whether the run continues.
  process.stdin.on('error', options.onLeave);
  return close;
}

function paint(parts: Parts): void {
  const { shown, options } = parts;
  if (shown.screen === undefined || shown.suspendedFor !== undefined || shown.isClosed) return;
  const view = viewOf(parts);
  const rows = liveRows(view);
  shown.rows = rows;
  shown.focus = rows.focus;
  const { colour, unicode } = options.terminal;
  shown.screen.paint(rows.rows.map((pieces) => rowOf({ width: view.width, colour, unicode }, pieces)));
}

function updateEta({ options, shown, eta }: Parts): void {
  if (shown.screen === undefined || shown.suspendedFor !== undefined) return;
  // Before the first event since the view was opened, the state is the log's.
  shown.state ??= fold(shown.events, options.compiled);
  const { run } = shown.state;
  const present = { state: shown.state, events: shown.events, now: Math.max(CLOCK.now(), run.now) };
  shown.eta = run.stage === 'ended' ? undefined : eta.current(present);
}

function viewOf(parts: Parts): ViewModel {
  const { options, shown, tasks } = parts;
  const { focus, message, isUp, events } = shown;
  const { terminal, record, isOurs } = options;
  shown.state ??= fold(events, options.compiled);
  const { state } = shown;
  const now = Math.max(CLOCK.now(), state.run.now);
  return {
    ...tasks,
    record,
    state,
    status: statusOf(state, { now, given: { inputs: state.run.inputs, env: {} }, spentBy: parts.spentBy }),
    now,
    ...terminal.size(),
    focus,
    eta: shown.eta,
    coordinator: isOurs ? 'here' : isUp ? 'elsewhere' : 'gone',
    message: message === undefined || performance.now() - message.at > MESSAGE_MS ? undefined : message.text,
    hasKeys: process.stdin.isTTY,
  };
}

function onKey(parts: Parts, key: Key): void {
  const { shown, options, throttle } = parts;
  const { state, rows, focus } = shown;
  if (state === undefined || rows === undefined || shown.isClosed) return;
  const { record, isOurs } = options;
  const status = statusOf(state, { now: state.run.now, given: { inputs: state.run.inputs, env: {} } });
  const { list, room, subject } = rows;
  const pressed = pressKey({ focus, list, room, subject, status, run: record.run, isOurs }, key);
  shown.focus = pressed.focus;
  shown.message = pressed.says === undefined ? undefined : { text: pressed.says, at: performance.now() };
  throttle.hurry();
  if (pressed.wish !== undefined) begin(parts, fulfil(parts, pressed.wish));
}

function begin({ shown }: Parts, work: Promise<void>): void {
  const done = work.finally(() => shown.underWay.delete(done));
  shown.underWay.add(done);
}

async function fulfil(parts: Parts, wish: Wish): Promise<void> {
  const { options } = parts;
  switch (wish.type) {
    case 'command':
      showMessage(parts, await options.post(wish.command));
      return;
    case 'diff':
      await openDiff(parts, wish.task);
      return;
    case 'leave':
      options.onLeave();
      return;
    case 'interrupt':
      process.kill(process.pid, 'SIGINT');
      return;
    case 'suspend':
      await suspendFor(parts, 'shell', stopHere);
  }
}

async function openDiff(parts: Parts, task: string): Promise<void> {
  const { options } = parts;
  const { diffOf } = await import('../../app/read/diff.ts');
  try {
    const args = await diffOf(options.open, options.record, { task });
    await suspendFor(parts, 'pager', () => withoutInterrupts(() => showInPager(args, options.terminal)));
  } catch (trouble) {
    if (!(trouble instanceof Refused)) throw trouble;
    showMessage(parts, refusalText(trouble.refusal));
  }
}

async function suspendFor(
  { shown, throttle }: Parts,
  whom: NonNullable<Shown['suspendedFor']>,
  work: () => Promise<void>,
): Promise<void> {
  if (shown.suspendedFor !== undefined) return;
  shown.suspendedFor = whom;
  await (shown.screen === undefined ? work() : shown.screen.suspendFor(work));
  shown.suspendedFor = undefined;
  if (!shown.isClosed) throttle.hurry();
}
