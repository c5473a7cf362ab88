// The live view of a run for a person at a terminal: it takes in what happens, paints it and does what keys ask.
//
// L1. It reads the run and posts commands, as anybody may from another terminal; it decides nothing.
// L2. However it ends, the terminal is as it was found.
// L3. It is closed only when nothing it began is still under way: nobody is asked anything behind a pager, and nothing reads
//     a store that was closed.
import type { Compiled } from '../../core/compile/compiled.ts';
import type { Command } from '../../core/engine/command.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import { fold } from '../../core/engine/apply/fold.ts';
import type { State } from '../../core/engine/state.ts';
import { statusOf } from '../../core/view/run/status.ts';
import type { RunRecord, OpenProject } from '../../app/open-project.ts';
import { Refused } from '../../app/refusal.ts';
import { refusalText } from '../text/refusal-text.ts';
import { rowOf } from '../text/pieces.ts';
import { attemptsOf } from '../../app/read/attempts-of.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { endReader } from '../../app/read/output-reader.ts';
import { artifactsIn, CLOCK } from '../../app/local-parts.ts';
import { withoutInterrupts } from '../terminal/interrupts.ts';
import { showInPager, stopHere } from './suspend-terminal.ts';
import { FOCUS, type Focus, type Wish } from './focus.ts';
import { liveRows, type LiveRows } from './live-rows.ts';
import type { ViewModel } from './view-model.ts';
import { press } from './press.ts';
import type { Key } from './pressed.ts';
import { earlierRuns } from '../../app/run-history.ts';
import { keepEta } from './keep-eta.ts';
import type { Eta } from './eta.ts';
import { openThrottle } from './throttle.ts';
import type { Screen } from './screen.ts';
import { openTails } from './tails.ts';

export interface LiveOrder {
  readonly terminal: Terminal;
  readonly open: OpenProject;
  readonly record: RunRecord;
  readonly compiled: Compiled;
  /** What happened before. */
  readonly past: readonly RunEvent[];
  /** Whether this process carries the run out. */
  readonly isOurs: boolean;
  /** Posts a command and says what came of it. */
  readonly post: (command: Command) => Promise<string>;
  /** The person wants to go. */
  readonly onLeave: () => void;
}

export interface Live {
  readonly sees: (events: readonly RunEvent[], state: State) => void;
  readonly hears: (message: string) => void;
  /** Whether anybody carries the run out, where that is another process. */
  readonly knows: (isUp: boolean) => void;
  /** Waits for the person to leave a pager that was opened from the view. */
  readonly close: () => Promise<void>;
}

/** What of it changes. */
interface Sight {
  state: State | undefined;
  readonly events: RunEvent[];
  focus: Focus;
  frame: LiveRows | undefined;
  message: string | undefined;
  isUp: boolean;
  eta: Eta | undefined;
  screen: Screen | undefined;
  isSuspended: boolean;
  isClosed: boolean;
  /** What keys have asked for and is not done. */
  readonly underWay: Set<Promise<void>>;
}

interface Parts {
  readonly order: LiveOrder;
  readonly sight: Sight;
  readonly tails: ReturnType<typeof openTails>;
  readonly eta: ReturnType<typeof keepEta>;
  readonly throttle: ReturnType<typeof openThrottle>;
}

export function openLive(order: LiveOrder): Live {
  const sight: Sight = {
    state: undefined,
    events: [...order.past],
    focus: FOCUS,
    frame: undefined,
    message: undefined,
    isUp: true,
    eta: undefined,
    screen: undefined,
    isSuspended: false,
    isClosed: false,
    underWay: new Set(),
  };
  const { open, record, compiled } = order;
  const parts: Parts = {
    order,
    sight,
    tails: openTails(endReader(artifactsIn(open.project), record.run)),
    eta: keepEta(compiled, () => earlierRuns(open.store, record.name, record.run)),
    throttle: openThrottle({ paint: () => paint(parts), tick: () => lookAhead(parts) }),
  };
  const close = closer(parts);
  void show(parts);
  return {
    sees: (events, state) => {
      sight.events.push(...events);
      sight.state = state;
      parts.throttle.touch();
    },
    hears: (message) => say(parts, message),
    knows: (isUp) => {
      if (sight.isUp === isUp) return;
      sight.isUp = isUp;
      parts.throttle.touch();
    },
    close,
  };
}

function say({ sight, throttle }: Parts, message: string): void {
  sight.message = message;
  throttle.touch();
}

/** The library that draws takes a while to load, and a run need not wait for that. */
async function show(parts: Parts): Promise<void> {
  const { sight, throttle } = parts;
  const { openScreen } = await import('./screen.ts');
  if (sight.isClosed) return;
  sight.screen = openScreen({ hasKeys: process.stdin.isTTY, onKey: (key) => hear(parts, key) });
  throttle.hurry();
  lookAhead(parts);
  throttle.touch();
}

/** Ends it once; listens until then for what would leave the terminal behind as it is. */
function closer(parts: Parts): () => Promise<void> {
  const { sight, throttle, order } = parts;
  const close = async (): Promise<void> => {
    if (!sight.isClosed) {
      sight.isClosed = true;
      throttle.end();
      process.stdout.off('resize', throttle.touch);
      process.stdin.off('error', order.onLeave);
    }
    await Promise.all(sight.underWay);
    process.off('SIGTSTP', putAside);
    sight.screen?.close();
  };
  const putAside = (): void => {
    // A pager stops itself, and takes the terminal again by itself.
    if (sight.isSuspended) process.kill(process.pid, 'SIGSTOP');
    else begin(parts, suspendFor(parts, stopHere));
  };
  process.on('SIGTSTP', putAside);
  process.stdout.on('resize', throttle.touch);
  // A terminal that goes away is no failure of the run; what becomes of it the signal says.
  process.stdin.on('error', order.onLeave);
  return close;
}

function paint(parts: Parts): void {
  const { sight, order } = parts;
  if (sight.screen === undefined || sight.isSuspended || sight.isClosed) return;
  const look = lookOf(parts);
  const frame = liveRows(look);
  sight.frame = frame;
  sight.focus = frame.focus;
  const screen = { width: look.width, colour: order.terminal.colour };
  sight.screen.paint(frame.rows.map((pieces) => rowOf(screen, pieces)));
}

function lookAhead({ order, sight, eta }: Parts): void {
  if (sight.screen === undefined || sight.isSuspended) return;
  // Where nothing has happened yet since we came, the run stands as its log says.
  sight.state ??= fold(sight.events, order.compiled);
  const { run } = sight.state;
  sight.eta = run.stage === 'ended' ? undefined : eta.look(sight.events, Math.max(CLOCK.now(), run.now));
}

function lookOf({ order, sight, tails }: Parts): ViewModel {
  const { focus, message, isUp, events } = sight;
  const { terminal, record, isOurs } = order;
  sight.state ??= fold(events, order.compiled);
  const { state } = sight;
  const now = Math.max(CLOCK.now(), state.run.now);
  return {
    record,
    state,
    status: statusOf(state, { now, given: { inputs: state.run.inputs, env: {} } }),
    now,
    ...terminal.size(),
    focus,
    doing: ({ type, task, step, attempt }) => (type === 'merge' ? undefined : tails.lastLine({ task, step, attempt })),
    outputOf: (task) => {
      const last = attemptsOf(events, task).at(-1);
      return last === undefined ? [] : tails.lines(last.claim);
    },
    eta: sight.eta,
    coordinator: isOurs ? 'here' : isUp ? 'elsewhere' : 'gone',
    message,
    hasKeys: process.stdin.isTTY,
  };
}

function hear(parts: Parts, key: Key): void {
  const { sight, order, throttle } = parts;
  const { state, frame, focus } = sight;
  if (state === undefined || frame === undefined || sight.isClosed) return;
  const { record, isOurs } = order;
  const status = statusOf(state, { now: state.run.now, given: { inputs: state.run.inputs, env: {} } });
  const { list, room } = frame;
  const pressed = press({ focus, list, room, status, run: record.run, isOurs }, key);
  sight.focus = pressed.focus;
  sight.message = pressed.says;
  throttle.hurry();
  if (pressed.wish !== undefined) begin(parts, fulfil(parts, pressed.wish));
}

function begin({ sight }: Parts, work: Promise<void>): void {
  const done = work.finally(() => sight.underWay.delete(done));
  sight.underWay.add(done);
}

async function fulfil(parts: Parts, wish: Wish): Promise<void> {
  const { order } = parts;
  switch (wish.type) {
    case 'command':
      say(parts, await order.post(wish.command));
      return;
    case 'diff':
      await openDiff(parts, wish.task);
      return;
    case 'leave':
      order.onLeave();
      return;
    case 'interrupt':
      process.kill(process.pid, 'SIGINT');
      return;
    case 'suspend':
      // Whoever started us is to stop too, or the shell would not know.
      process.kill(0, 'SIGTSTP');
  }
}

async function openDiff(parts: Parts, task: string): Promise<void> {
  const { order } = parts;
  const { diffOf } = await import('../../app/read/diff.ts');
  try {
    const args = await diffOf(order.open, order.record, task);
    await suspendFor(parts, () => withoutInterrupts(() => showInPager(args, order.terminal)));
  } catch (trouble) {
    if (!(trouble instanceof Refused)) throw trouble;
    say(parts, refusalText(trouble.refusal));
  }
}

async function suspendFor({ sight, throttle }: Parts, work: () => Promise<void>): Promise<void> {
  if (sight.isSuspended) return;
  sight.isSuspended = true;
  await (sight.screen === undefined ? work() : sight.screen.suspendFor(work));
  sight.isSuspended = false;
  if (!sight.isClosed) throttle.hurry();
}
