// `heddle watch`: follows a run, or shows one that ended, from any number of terminals. It reads the log, and writes only the
// commands that keys ask for.
import { setTimeout } from 'node:timers/promises';
import type { Command } from '../../core/engine/command.ts';
import { apply } from '../../core/engine/apply/apply.ts';
import type { State } from '../../core/engine/state.ts';
import { openProject, hasCoordinator, chooseRun, type RunRecord, type OpenProject } from '../../app/open-project.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { endLines, exitCodeOf } from '../text/run-end-text.ts';
import { followRun } from '../../app/run/follow.ts';
import { plainObserver } from '../attach/observers.ts';
import { eventsFrom, foldRun, type FoldedRun } from '../../app/fold-run.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { act } from '../live/act.ts';
import { isInForeground } from '../terminal/suspend-terminal.ts';
import { openLive, type Live } from '../live/live.ts';

const POLL_EVERY_MS = 200;

export async function watch(
  terminal: Terminal,
  named: string | undefined,
  { plain }: { readonly plain: boolean },
): Promise<ExitCode> {
  const open = openProject('read');
  const record = chooseRun(open.store, named);
  try {
    const isPlain = plain || !terminal.isInteractive || !isInForeground();
    return await (isPlain ? watchLines(terminal, open, record) : watchLive(terminal, open, record));
  } finally {
    open.store.close();
  }
}

/** A line for each event, until the run has ended or has no coordinator. */
async function watchLines(terminal: Terminal, open: OpenProject, record: RunRecord): Promise<ExitCode> {
  const observer = plainObserver(terminal);
  const followed = await followRun({ ...open, record, observer, waitMs: Infinity });
  observer.onEnd(followed);
  return exitCodeOf(followed);
}

async function watchLive(terminal: Terminal, open: OpenProject, record: RunRecord): Promise<ExitCode> {
  const folded = foldRun(open.store, record);
  const { compiled, events: past, state } = folded;
  const leaving = Promise.withResolvers<'left' | 'interrupted'>();
  const stopListening = listenForInterrupts(() => leaving.resolve('interrupted'));
  const live = openLive({
    terminal,
    open,
    record,
    compiled,
    past,
    isOurs: false,
    post: (command) => postFrom(record, command),
    onLeave: () => leaving.resolve('left'),
  });
  try {
    const how = await followLive(live, { open, folded, leaving: leaving.promise });
    await live.close();
    return sayEnd(terminal, { record, state, how });
  } finally {
    await live.close();
    stopListening();
  }
}

interface Following {
  readonly open: OpenProject;
  readonly folded: FoldedRun;
  readonly leaving: Promise<'left' | 'interrupted'>;
}

type How = 'left' | 'interrupted' | 'ended';

/** Until the person leaves, or the run ends. A run that had ended before is shown until the person leaves. */
async function followLive(live: Live, { open, folded, leaving }: Following): Promise<How> {
  const { record, state } = folded;
  const hadEnded = state.run.stage === 'ended';
  live.onEvents([], state);
  for (let { position } = folded; ;) {
    live.setCoordinator(hasCoordinator(open, record));
    const more = eventsFrom(open.store, record.run, position);
    ({ position } = more);
    for (const event of more.events) apply(state, event);
    if (more.events.length > 0) live.onEvents(more.events, state);
    if (state.run.stage === 'ended' && !hadEnded) return 'ended';
    const how = await Promise.race([leaving, setTimeout(POLL_EVERY_MS, undefined)]);
    if (how !== undefined) return how;
  }
}

/** Watching only reads; the store is opened for writing while a command is posted. */
async function postFrom(record: RunRecord, command: Command): Promise<string> {
  const open = openProject('control');
  try {
    return await act({ open, record }, command);
  } finally {
    open.store.close();
  }
}

interface End {
  readonly record: RunRecord;
  readonly state: State;
  readonly how: How;
}

function sayEnd(terminal: Terminal, { record, state, how }: End): ExitCode {
  const { run } = record;
  if (how === 'interrupted') return EXIT.interrupted;
  if (state.run.stage !== 'ended') {
    terminal.err(`${run} goes on; heddle watch ${run} shows it again.`);
    return EXIT.done;
  }
  terminal.out(endLines(terminal, { run, over: { type: 'ended', state } }).join('\n'));
  return how === 'left' ? EXIT.done : exitCodeOf({ over: { type: 'ended', state }, wasInterrupted: false });
}
