// Attaches this terminal to a run: coordinates it in this process, or follows the process that does.
import type { Compiled } from '../../core/compile/compiled.ts';
import { isLeftBehind, type OpenProject, type RunRecord } from '../../app/open-project.ts';
import { coordinate, type Coordinated } from '../../app/run/coordinate.ts';
import { detach } from '../../app/run/detach.ts';
import { followRun } from '../../app/run/follow.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { onInterrupts } from '../terminal/interrupts.ts';
import { isInForeground } from '../live/suspend-terminal.ts';
import { goOnUnread, type Terminal } from '../terminal/terminal.ts';
import { exitCodeOf } from './exit-of-run.ts';
import { landAtEnd, type AtEnd } from './land-at-end.ts';
import { jsonObserver, plainObserver, type TerminalObserver } from './line-observers.ts';
import { liveObserver } from './live-observer.ts';

export type AttachFlags = {
  readonly json: boolean;
  /** Lines where a person at a terminal would see the live view. */
  readonly plain: boolean;
  /** For how long to stay when only a person's answer can move the run on; undefined depends on the terminal. */
  readonly waitMs: number | undefined;
  readonly takeOver: boolean;
};

/** A program that pipes the output waits for the end; a person at a terminal is expected to answer. */
const WAIT_PIPED_MS = 10_000;

const waitMsOf = ({ isInteractive }: Terminal, { waitMs }: AttachFlags): number =>
  waitMs ?? (isInteractive ? Infinity : WAIT_PIPED_MS);

export interface Attaching {
  readonly record: RunRecord;
  readonly flags: AttachFlags;
  /** The compiled plan, where the caller has it already. */
  readonly compiled?: Compiled;
}

/** Coordinates the run in this process until it is over. */
export async function attach(
  terminal: Terminal,
  open: OpenProject,
  { record, flags, compiled }: Attaching,
): Promise<ExitCode> {
  const { project, store } = open;
  const observer = observerFor(terminal, flags, { open, isOurs: true });
  const waitMs = waitMsOf(terminal, flags);
  goOnUnread();
  try {
    const { takeOver: takesOver } = flags;
    const order = { project, store, record, compiled, observer, takesOver, waitMs, interrupts: onInterrupts };
    const coordinated = await coordinate(order);
    await observer.close();
    observer.onEnd(coordinated);
    return await exitOf(terminal, coordinated, { open, record, json: flags.json, isOurs: true });
  } finally {
    await observer.close();
    store.close();
  }
}

/** Follows a run that another process coordinates, until that is over; coordinates it here when that process dies. */
export async function attachToRunning(terminal: Terminal, open: OpenProject, attaching: Attaching): Promise<ExitCode> {
  const { record, flags } = attaching;
  const { store } = open;
  const observer = observerFor(terminal, flags, { open, isOurs: false });
  let isOurs = false;
  try {
    const followed = await followRun({ store, record, observer, waitMs: waitMsOf(terminal, flags) });
    isOurs = isLeftBehind(open, record);
    if (!isOurs) {
      await observer.close();
      observer.onEnd(followed);
      return await exitOf(terminal, followed, { open, record, json: flags.json, isOurs });
    }
  } finally {
    await observer.close();
    if (!isOurs) store.close();
  }
  terminal.err(`The process that was running ${record.run} has died; this one goes on with it.`);
  return await attach(terminal, open, attaching);
}

interface Attached {
  readonly open: OpenProject;
  /** Whether this process is the run's coordinator. */
  readonly isOurs: boolean;
}

function observerFor(terminal: Terminal, { json, plain }: AttachFlags, attached: Attached): TerminalObserver {
  if (json) return jsonObserver(terminal);
  const isLive = !plain && terminal.isInteractive && isInForeground();
  return isLive ? liveObserver(terminal, attached) : plainObserver(terminal);
}

/** How the run went; when all of it went well, how its landing did. */
async function exitOf(terminal: Terminal, coordinated: Coordinated, given: Omit<AtEnd, 'state'>): Promise<ExitCode> {
  const { over } = coordinated;
  const exit = exitCodeOf(coordinated);
  if (over.type !== 'ended' || over.state.run.base === undefined) return exit;
  const landed = await landAtEnd(terminal, { ...given, state: over.state });
  return exit === EXIT.done ? (landed ?? exit) : exit;
}

/** Starts a coordinator in the background, and prints how to follow and stop the run. */
export async function startDetached(terminal: Terminal, open: OpenProject, record: RunRecord): Promise<ExitCode> {
  await detach(open, record);
  open.store.close();
  terminal.out(record.run);
  terminal.err(
    `The run goes on in the background. See it with heddle watch ${record.run}, end it with heddle stop ${record.run}.`,
  );
  return EXIT.done;
}
