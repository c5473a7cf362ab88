// A real worker process, driven from outside as a host drives it.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import type { Agent } from '../../../core/plan/plan.ts';
import type { Assignment, ClaimRef, Conversation, TurnPermissions } from '../../../core/protocol/assignment.ts';
import type { WorkOutcome } from '../../../core/protocol/work-outcome.ts';
import { ATTEMPT_FILES } from '../attempt-folder.ts';
import { TAGS } from '../../exec/tagged-processes.ts';
import { seeAttempt } from '../attempt-folder.given.ts';
import type { Assign, FromWorker } from '../worker-messages.ts';
import { until } from '../host.given.ts';

const LAUNCHER = fileURLToPath(new URL('../../../../bin/worker-main.js', import.meta.url));
const SOURCE = fileURLToPath(new URL('../../../app/worker-main.ts', import.meta.url));

/** As hosts start it, or from its sources where the lines that it runs are counted. */
const program = (): string => (process.env['NODE_V8_COVERAGE'] === undefined ? LAUNCHER : SOURCE);

export interface World {
  readonly home: string;
  readonly worker: () => GivenWorker;
  /** A folder of an attempt, and the message that assigns it. */
  readonly assign: (given: GivenWork) => Assign;
  /** Processes of steps that are alive. */
  readonly living: () => readonly number[];
  /** A file system of 256 KiB, where mounts work. */
  readonly mountTiny: () => string;
  readonly close: () => Promise<void>;
}

export interface GivenWork {
  readonly command?: string;
  readonly prompt?: string;
  readonly use?: string;
  readonly check?: boolean;
  readonly output?: Assignment['output'];
  readonly timeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly graceMs?: number;
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Of a turn: more of its agent, the conversation that it takes up, and what else there is in the environment. */
  readonly agent?: Partial<Agent>;
  readonly conversation?: Conversation;
  readonly allow?: readonly string[];
  readonly permissions?: TurnPermissions;
  readonly surroundings?: Readonly<Record<string, string>>;
  readonly isForOthers?: boolean;
  readonly lease?: Assign['lease'];
}

export interface GivenWorker {
  readonly child: ChildProcess;
  readonly heard: readonly FromWorker[];
  readonly give: (assign: Assign) => void;
  readonly stop: (claim: ClaimRef, graceMs: number) => void;
  readonly done: (assign: Assign) => Promise<WorkOutcome>;
  readonly exited: () => Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

function makeWorld(name: string): World {
  const home = mkdtempSync(join(tmpdir(), `heddle-worker-${name}-`));
  const workers: ChildProcess[] = [];
  const troubles = openSync(join(home, 'troubles'), 'a');
  const mounts: string[] = [];
  let attempts = 0;
  const living = (): readonly number[] => markedBy(home);
  return {
    home,
    living,
    worker: () => {
      const child = spawn(process.execPath, [program()], {
        stdio: ['ignore', 'ignore', troubles, 'ipc'],
        detached: true,
        env: {},
      });
      workers.push(child);
      return driven(child);
    },
    assign: (given) => {
      attempts += 1;
      const folder = join(home, String(attempts));
      mkdirSync(folder);
      return messageOf(given, { home, folder, attempt: attempts });
    },
    mountTiny: () => {
      const folder = join(home, 'tiny');
      mkdirSync(folder);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder], { stdio: 'ignore' });
      mounts.push(folder);
      return folder;
    },
    close: async () => {
      // One that is let go leaves by itself, and one that was hurt may not read it.
      for (const child of workers.filter(isRunning)) if (child.connected) child.disconnect();
      await within(LEAVING_MS, () => !workers.some(isRunning));
      const left = workers.filter(isRunning);
      left.forEach((child) => child.kill('SIGKILL'));
      await until('the end of all workers', () => !left.some(isRunning));
      await until('the end of all steps', () => {
        living().forEach((pid) => endNow(pid));
        return living().length === 0;
      });
      mounts.forEach((folder) => execFileSync('umount', [folder]));
      closeSync(troubles);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

const LEAVING_MS = 1_000;

async function within(limitMs: number, isSo: () => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < limitMs && !isSo(); waitedMs += 10) await setTimeout(10);
}

interface Where {
  readonly home: string;
  readonly folder: string;
  readonly attempt: number;
}

function messageOf(given: GivenWork, { home, folder, attempt }: Where): Assign {
  const agent = {
    name: 'a',
    use: given.use ?? 'scripted',
    model: undefined,
    pool: undefined,
    args: [],
    command: undefined,
    env: [],
  };
  const reserve = { usd: undefined, tokens: undefined };
  return {
    type: 'assign',
    run: 'given-1',
    home,
    assignment: {
      claim:
        given.check === true
          ? { work: 'check', task: 't', step: undefined, attempt }
          : { work: 'step', task: 't', step: 's', attempt },
      work:
        given.prompt === undefined
          ? { type: 'command', command: given.command ?? 'true', environment: given.environment ?? {} }
          : {
              type: 'turn',
              agent: { ...agent, reserve, ...given.agent },
              prompt: given.prompt,
              conversation: given.conversation,
              allow: given.allow,
              permissions: given.permissions,
            },
      limits: { timeoutMs: given.timeoutMs ?? 60_000, idleTimeoutMs: given.idleTimeoutMs ?? 60_000 },
      output: given.output,
      sandbox: undefined,
    },
    folder,
    cwd: given.cwd ?? folder,
    environment: {
      PATH: process.env['PATH'] ?? '',
      [TAGS.home]: home,
      [TAGS.attempt]: String(attempt),
      ...given.surroundings,
    },
    isForOthers: given.isForOthers,
    graceMs: given.graceMs ?? 5000,
    lease: given.lease,
  };
}

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

function driven(child: ChildProcess): GivenWorker {
  const heard: FromWorker[] = [];
  child.on('message', (message) => {
    // The worker is this very program, so its messages are of this kind.
    heard.push(message as FromWorker);
  });
  return {
    child,
    heard,
    give: (assign) => void child.send(assign),
    stop: (claim, graceMs) => void child.send({ type: 'stop', claim, graceMs }),
    done: (assign) =>
      until(
        'the outcome',
        () =>
          heard.flatMap((message) =>
            message.type === 'done' && message.outcome.attempt === assign.assignment.claim.attempt
              ? [message.outcome]
              : [],
          )[0],
      ),
    exited: async () => {
      await until('the exit of the worker', () => !isRunning(child));
      return { code: child.exitCode, signal: child.signalCode };
    },
  };
}

/** Living processes whose environment carries this home; the dead that nobody reaped have none. */
function markedBy(home: string): readonly number[] {
  const mark = `${TAGS.home}=${home}\0`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readIfThere(`/proc/${pid}/environ`).includes(mark))
    .map(Number);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    return cause instanceof Error ? '' : String(cause);
  }
}

export function endNow(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch (cause) {
    return !(cause instanceof Error);
  }
}

export const outcomeIn = (folder: string): unknown => seeAttempt(folder)?.outcome;

export const outputIn = (folder: string, name: string = ATTEMPT_FILES.output): Buffer =>
  readFileSync(join(folder, name));

/** A test with a world of its own, so that many can wait at once. */
export const testInWorld = test.extend<{ readonly world: World }>({
  world: async ({ task }, use) => {
    const world = makeWorld(task.id);
    await use(world);
    await world.close();
  },
});

/** What comes of one assignment, in a worker of its own. */
export async function carriedOut(world: World, given: GivenWork) {
  const worker = world.worker();
  const assign = world.assign(given);
  worker.give(assign);
  return { outcome: await worker.done(assign), worker, assign, folder: assign.folder };
}

/** A step that has said `begun`. */
export async function runningWorker(world: World, given: GivenWork) {
  const worker = world.worker();
  const assign = world.assign(given);
  worker.give(assign);
  const output = join(assign.folder, ATTEMPT_FILES.output);
  await until('the step', () => existsSync(output) && readFileSync(output).includes('begun'));
  return { worker, assign, claim: assign.assignment.claim };
}
