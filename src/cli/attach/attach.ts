// Attaches this terminal to a run: coordinates it in this process, or follows the process that does.
import type { Compiled } from '../../core/compile/compiled.ts';
import type { LinkFor } from '../../app/notify-parts.ts';
import { engineKeeping } from '../../app/engine-note.ts';
import { isLeftBehind, type OpenProject, type RunRecord } from '../../app/open-project.ts';
import { awaitServer, hasHosts } from '../../app/run/await-server.ts';
import { coordinate, type Coordinated } from '../../app/run/coordinate.ts';
import { detach } from '../../app/run/detach.ts';
import { followRun } from '../../app/run/follow.ts';
import { leaveToServe } from '../../app/run/leave-to-serve.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { onInterrupts } from '../terminal/interrupts.ts';
import { isInForeground } from '../terminal/suspend-terminal.ts';
import { goOnUnread, type Terminal } from '../terminal/terminal.ts';
import { copyLeftText, exitCodeOf } from '../text/run-end-text.ts';
import { jsonObserver, plainObserver, liveObserver, type TerminalObserver } from './observers.ts';
import type { State } from '../../core/engine/state.ts';
import { canAsk } from '../terminal/ask.ts';

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

const waitMsOf = ({ isInteractive, far }: Terminal, { waitMs }: AttachFlags): number =>
  waitMs ?? (isInteractive || far?.isInteractive === true ? Infinity : WAIT_PIPED_MS);

export interface Attaching {
  readonly record: RunRecord;
  readonly flags: AttachFlags;
  /** The compiled plan, where the caller has it already. */
  readonly compiled?: Compiled;
  /** The address where a question can be answered; undefined without a public dashboard. */
  readonly linkFor?: LinkFor | undefined;
}

/**
 * Coordinates the run until it is over: in this process, or for a person at another machine in one that outlives the call.
 * Follows it where the project has a server.
 */
export async function attach(terminal: Terminal, open: OpenProject, attaching: Attaching): Promise<ExitCode> {
  const { record, flags } = attaching;
  const isServed = !flags.takeOver && (await leaveToServe(open, record));
  if (!isServed && terminal.far === undefined) return await coordinateHere(terminal, open, attaching);
  if (!isServed) await detach(open, record);
  return await attachToRunning(terminal, open, attaching);
}

async function coordinateHere(
  terminal: Terminal,
  open: OpenProject,
  { record, flags, compiled, linkFor }: Attaching,
): Promise<ExitCode> {
  const { project, store } = open;
  const observer = observerFor(terminal, flags, { open, isOurs: true });
  const waitMs = waitMsOf(terminal, flags);
  goOnUnread();
  try {
    const { takeOver: takesOver } = flags;
    const options = {
      project,
      store,
      record,
      compiled,
      observer,
      takesOver,
      waitMs,
      linkFor,
      interrupts: onInterrupts,
    };
    const coordinated = await coordinate(options);
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
  terminal.far?.follows(record.run);
  const observer = observerFor(terminal, flags, { open, isOurs: false });
  let isOurs = false;
  try {
    const followed = await followRun({ ...open, record, observer, waitMs: waitMsOf(terminal, flags) });
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
  if (await isForServer(terminal, open, record)) return EXIT.waiting;
  return await attach(terminal, open, attaching);
}

/** Whether a run whose coordinator has died is left alone. */
async function isForServer(terminal: Terminal, open: OpenProject, record: RunRecord): Promise<boolean> {
  const { run } = record;
  const engine = engineKeeping(open.project, record);
  if (engine === undefined && !hasHosts(open, record)) {
    terminal.err(`The process that was running ${run} has died; this one goes on with it.`);
    return false;
  }
  terminal.err(
    engine === undefined
      ? `The server of ${run} has died. Its hosts go on; waiting for the next heddle serve.`
      : `The server here has died. Another one of ${engine} goes on with ${run}; waiting for the next heddle serve here, which shows it again.`,
  );
  if (await awaitServer(open)) return false;
  open.store.close();
  terminal.err(
    engine === undefined
      ? `No server came. heddle serve goes on with ${run}; heddle resume ${run} does so on this machine alone.`
      : copyLeftText(run, engine),
  );
  return true;
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

interface AtEnd {
  readonly open: OpenProject;
  readonly record: RunRecord;
  readonly state: State;
  readonly json: boolean;
  /** Whether this process was the coordinator; a follower lands nothing by itself. */
  readonly isOurs: boolean;
}

/**
 * Lands the result of a run, asks, or leaves it, by the plan's `merge.auto`. Undefined when landing does not affect the
 * exit code.
 */
async function landAtEnd(terminal: Terminal, atEnd: AtEnd): Promise<ExitCode | undefined> {
  const { state, record, json, isOurs } = atEnd;
  const { base } = state.run;
  if (base === undefined) return undefined;
  const { plan } = state.compiled;
  const { auto } = plan.settings.merge;
  const print = json ? terminal.err : terminal.out;
  const { whatLands } = await import('../../app/git/what-to-land.ts');
  const { done, isWhole } = whatLands(state);
  if (!done.some((path) => hasWork(state, path))) return undefined;
  const how = isWhole
    ? `heddle land ${record.run} lands it`
    : `heddle land ${record.run} --completed lands what is done`;
  const isAsked = isWhole && auto === 'confirm' && canAsk(terminal) && !json;
  const isLanded = isWhole && auto === 'auto' && isOurs;
  if (!isAsked && !isLanded) {
    if (!(isWhole && auto === 'auto')) print(`${how}.`);
    return undefined;
  }
  return await land(terminal, { ...atEnd, print, isAnswered: isLanded });
}

const hasWork = ({ compiled, tasks, run }: State, path: string): boolean => {
  const tip = tasks[compiled.indexOf.get(path) ?? -1]?.tip;
  return tip !== undefined && tip !== run.base;
};

interface Landing extends AtEnd {
  readonly print: (text: string) => void;
  readonly isAnswered: boolean;
}

async function land(terminal: Terminal, { open, record, print, isAnswered }: Landing): Promise<ExitCode | undefined> {
  const { confirmed } = await import('../terminal/ask.ts');
  const { landInGit } = await import('../../app/git/land-in-git.ts');
  const { checkingText, landingExit, landingLines, previewText } = await import('../text/landing-text.ts');
  const { openRunInGit } = await import('../../app/git/open-run.ts');
  const { run } = record;
  const outcome = await landInGit(open.project, await openRunInGit(open, record), {
    onto: undefined,
    how: 'auto',
    isDry: false,
    confirm: (preview) => confirmed(terminal, `Land ${previewText(run, preview)}?`, isAnswered),
    onCheck: (checking) => terminal.err(checkingText(checking)),
  });
  print(landingLines(run, outcome).join('\n'));
  const exit = landingExit(outcome);
  if (outcome.type === 'declined' || exit !== EXIT.done) print(`heddle land ${run} lands it.`);
  return exit === EXIT.done ? undefined : exit;
}
