// Starts a coordinator of its own for a run, in the background.
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startInBackground } from '../../shell/exec/background-process.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import type { Store } from '../../shell/ports/store.ts';
import type { OpenProject } from '../open-project.ts';
import { PACKAGE_ROOT } from '../package-root.ts';
import { Refused } from '../refused.ts';
import { leaveToServe } from './leave-to-serve.ts';

const STARTED_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 50;

/** Returns as soon as the new process, or the server of the project, owns the run. */
export async function detach(open: OpenProject, record: RunRecord): Promise<void> {
  if (await leaveToServe(open, record)) return;
  const { project, store } = open;
  const folder = join(project.home, 'runs', record.run);
  mkdirSync(folder, { recursive: true });
  const output = join(folder, '@coordinator.log');
  const file = openSync(output, 'a');
  const program = join(PACKAGE_ROOT, 'bin', 'heddle.js');
  let code: number | undefined;
  const { pid } = startInBackground([process.execPath, program, 'coordinate', record.run], {
    cwd: project.root,
    stdout: file,
    stderr: file,
    onExit: (end) => (code = end.type === 'exited' ? end.code : BUG),
    onFailed: () => (code = BUG),
  });
  const isUp = await hasTaken({ pid, codeNow: () => code }, store, record);
  if (!isUp) throw new Refused({ code: 'not-started', run: record.run, output });
}

/** Exit codes of a coordinator that never owned the run: a wrong call, and a bug of ours. */
const BUG = 70;
const NOT_STARTED: ReadonlySet<number> = new Set([2, BUG]);

interface Started {
  readonly pid: number | undefined;
  /** Its exit code, once it has exited. */
  readonly codeNow: () => number | undefined;
}

/** Whether the process became the owner of the run, even if it has released the run already. */
async function hasTaken({ pid, codeNow }: Started, store: Store, { run }: RunRecord): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < STARTED_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
    const code = codeNow();
    if (code !== undefined) return !NOT_STARTED.has(code);
    if (store.ownerOf(run)?.pid === pid) return true;
    await setTimeout(LOOK_EVERY_MS);
  }
  return false;
}
