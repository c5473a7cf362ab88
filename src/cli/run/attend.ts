// Being there while a run goes on: carrying it out in this process, or following the one that does.
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Compiled } from '../../core/compile/compiled.ts';
import { startInBackground } from '../../shell/exec/background-process.ts';
import type { RunRecord, Store } from '../../shell/ports.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { Failure } from '../../app/failure.ts';
import { goOnUnread, type Terminal } from '../terminal.ts';
import { coordinate, type Coordinated } from './coordinate.ts';
import { exitCodeOf } from './exit-of-run.ts';
import { follow } from './follow.ts';
import { landAtEnd, type AtEnd } from './land-at-end.ts';
import { isLeftBehind } from '../../app/has-coordinator.ts';
import type { OpenProject } from '../../app/open-project.ts';
import { spectatorFor } from './spectator.ts';

export type AttendFlags = {
  readonly json: boolean;
  /** Lines where a person at a terminal would see the live view. */
  readonly plain: boolean;
  /** For how long to stay when only a person's answer can move the run on; undefined is as befits the terminal. */
  readonly waitMs: number | undefined;
  readonly takeOver: boolean;
};

/** Somebody who pipes us away waits for our end; a person at a terminal is the one who is to answer. */
const WAIT_PIPED_MS = 10_000;

const waitMsOf = ({ isInteractive }: Terminal, { waitMs }: AttendFlags): number =>
  waitMs ?? (isInteractive ? Infinity : WAIT_PIPED_MS);

export interface Attended {
  readonly record: RunRecord;
  readonly flags: AttendFlags;
  /** The record's plan, when it is at hand already. */
  readonly compiled?: Compiled;
}

export async function attend(
  terminal: Terminal,
  open: OpenProject,
  { record, flags, compiled }: Attended,
): Promise<ExitCode> {
  const { project, store } = open;
  const spectator = spectatorFor(terminal, flags, { open, isOurs: true });
  const waitMs = waitMsOf(terminal, flags);
  goOnUnread();
  try {
    const { takeOver: takesOver } = flags;
    const coordinated = await coordinate({ project, store, record, compiled, spectator, takesOver, waitMs });
    spectator.ends(coordinated);
    spectator.close();
    return await exitOf(terminal, coordinated, { open, record, json: flags.json, isOurs: true });
  } finally {
    spectator.close();
    store.close();
  }
}

/** Follows a run that another process carries out, until that is over; carries it on when that process dies. */
export async function attendFromAfar(terminal: Terminal, open: OpenProject, attended: Attended): Promise<ExitCode> {
  const { record, flags } = attended;
  const { store } = open;
  const spectator = spectatorFor(terminal, flags, { open, isOurs: false });
  let isOurs = false;
  try {
    const followed = await follow({ store, record, spectator, waitMs: waitMsOf(terminal, flags) });
    isOurs = isLeftBehind(open, record);
    if (!isOurs) {
      spectator.ends(followed);
      spectator.close();
      return await exitOf(terminal, followed, { open, record, json: flags.json, isOurs });
    }
  } finally {
    spectator.close();
    if (!isOurs) store.close();
  }
  terminal.err(`The process that carried ${record.run} out has died; this one goes on with it.`);
  return await attend(terminal, open, attended);
}

/** How the run went; when all of it went well, how its landing did. */
async function exitOf(terminal: Terminal, coordinated: Coordinated, given: Omit<AtEnd, 'state'>): Promise<ExitCode> {
  const { over } = coordinated;
  const exit = exitCodeOf(coordinated);
  if (over.type !== 'ended' || over.state.run.base === undefined) return exit;
  const landed = await landAtEnd(terminal, { ...given, state: over.state });
  return exit === EXIT.done ? (landed ?? exit) : exit;
}

const STARTED_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 50;

/** Starts a coordinator of its own for the run and comes back as soon as that owns it. */
export async function attendDetached(
  terminal: Terminal,
  { project, store }: OpenProject,
  record: RunRecord,
): Promise<ExitCode> {
  const folder = join(project.home, 'runs', record.run);
  mkdirSync(folder, { recursive: true });
  const said = join(folder, '@coordinator.log');
  const output = openSync(said, 'a');
  const [, program = ''] = process.argv;
  let code: number | undefined;
  const argv = [process.execPath, ...process.execArgv, program, 'coordinate', record.run];
  const { pid } = startInBackground(argv, {
    cwd: project.root,
    stdout: output,
    stderr: output,
    onExit: (end) => (code = end.type === 'exited' ? end.code : EXIT.bug),
    onFailed: () => (code = EXIT.bug),
  });
  const isUp = await hasTaken({ pid, codeNow: () => code }, store, record);
  store.close();
  if (!isUp) throw new Failure(`The run ${record.run} could not be started in the background. Read ${said}.`);
  terminal.out(record.run);
  terminal.err(
    `It goes on in the background. See it with heddle watch ${record.run}, end it with heddle stop ${record.run}.`,
  );
  return EXIT.done;
}

interface Started {
  readonly pid: number | undefined;
  /** Its exit code, once it has exited. */
  readonly codeNow: () => number | undefined;
}

/** Whether the process came to own the run, be it that it is done with it already. */
async function hasTaken({ pid, codeNow }: Started, store: Store, { run }: RunRecord): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < STARTED_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
    const code = codeNow();
    if (code !== undefined) return code !== EXIT.wrong && code !== EXIT.bug;
    if (store.ownerOf(run)?.pid === pid) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return false;
}
