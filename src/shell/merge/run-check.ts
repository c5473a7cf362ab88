// Runs one check command on one commit, in a disposable tree.
//
// run-check/J1. Every command gets a fresh tree, so its result depends on the commit and nothing else.
import type { SandboxFailure } from '../../core/protocol/sandbox-failure.ts';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Limits } from '../../core/protocol/assignment.ts';
import type { MonitorRequest, ResourceMonitor } from '../ports/workplace.ts';
import { OutputFiles } from '../exec/output-files.ts';
import { SupervisedProcess, withLimit, type ProcessEnd } from '../exec/supervised-process.ts';
import { lastCharacters, makeTail, textOfBytes } from '../exec/tail.ts';
import { TAGS, endTaggedProcesses, findTaggedProcesses, withTags } from '../exec/tagged-processes.ts';

/** The part of sandboxes that a check uses: a disposable tree of one commit. */
export type Candidates = (request: { readonly commit: string; readonly name: string }) => Promise<CheckTreeOpened>;

export type CheckTreeOpened =
  | { readonly type: 'opened'; readonly candidate: CheckTree }
  | { readonly type: 'failed'; readonly failure: SandboxFailure };

export interface CheckTree {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly wrap: (argv: readonly string[]) => readonly string[];
  readonly monitor: (request: MonitorRequest) => Promise<ResourceMonitor>;
  readonly destroy: () => Promise<unknown>;
}

export interface CheckRequest {
  readonly commit: string;
  readonly command: string;
  readonly limits: Limits;
}

export type CheckOutcome =
  | { readonly type: 'passed' }
  | { readonly type: 'failed'; readonly tail: string }
  | { readonly type: 'stopped' }
  /** The check could not run; that says nothing about the commit. */
  | { readonly type: 'error'; readonly failure: SandboxFailure };

export interface Check {
  readonly ended: Promise<CheckOutcome>;
  readonly stop: () => void;
}

export type StartCheck = (request: CheckRequest) => Check;

export interface CheckPlace {
  readonly run: string;
  /** Heddle's folder, `.heddle`. */
  readonly home: string;
  readonly candidates: Candidates;
  /** The environment of every check; tags and the sandbox's own variables are added. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Length of the output that is reported, from its end. */
const TAIL_CHARACTERS = 4_000;
/** A character takes at most four bytes. */
const TAIL_BYTES = 4 * TAIL_CHARACTERS;
const GRACE_MS = 1_000;

export function checksIn(place: CheckPlace): StartCheck {
  const folder = join(place.home, 'runs', place.run, MERGE_MARK);
  const numbers = { last: lastNumber(folder) };
  return (request) => {
    const running: CheckProcess = { command: undefined, isStopped: false };
    const ended = runCheck({ place, folder, numbers }, request, running);
    const stop = (): void => {
      running.isStopped = true;
      running.command?.end('stopped', GRACE_MS);
    };
    return { ended, stop };
  };
}

interface CheckProcess {
  command: SupervisedProcess | undefined;
  isStopped: boolean;
}

interface CheckFolder {
  readonly place: CheckPlace;
  readonly folder: string;
  readonly numbers: { last: number };
}

async function runCheck(of: CheckFolder, request: CheckRequest, running: CheckProcess): Promise<CheckOutcome> {
  const file = makeLog(of, request);
  if (file.type === 'error') return file;
  const { place } = of;
  const opened = await place.candidates({ commit: request.commit, name: `${place.run}.${file.number}` });
  if (opened.type === 'failed') return { type: 'error', failure: opened.failure };
  const output = new OutputFiles(of.folder, file.name);
  try {
    if (running.isStopped) return { type: 'stopped' };
    return await runIn(opened.candidate, { place, request, number: file.number, output, running });
  } finally {
    output.close();
    await opened.candidate.destroy();
  }
}

interface Running {
  readonly place: CheckPlace;
  readonly request: CheckRequest;
  readonly number: number;
  readonly output: OutputFiles;
  readonly running: CheckProcess;
}

async function runIn(
  candidate: CheckTree,
  { place, request, number, output, running }: Running,
): Promise<CheckOutcome> {
  const { command, limits } = request;
  const printed = makeTail(TAIL_BYTES);
  const write = (chunk: Buffer): void => {
    printed.push(chunk);
    output.write(chunk);
  };
  const say = (sentence: string): void => write(Buffer.from(`\n[heddle: ${sentence}]\n`));
  const onLimitExceeded = (message: string): void => {
    say(message);
    running.command?.exceedLimit(message);
  };
  const monitor = await candidate.monitor({ onLimitExceeded, say });
  const [program = '', ...args] = candidate.wrap(['/bin/sh', '-c', command]);
  const environment = { ...place.environment, ...candidate.environment, ...tagsOfCheck(place, number) };
  running.command = new SupervisedProcess({
    launch: { program, args, input: undefined, environment },
    cwd: candidate.folder,
    folder: candidate.folder,
    limits,
    graceMs: GRACE_MS,
    onOutput: (_, chunk) => write(chunk),
    isBusy: () => false,
    onStarted: monitor.watch,
    onMessage: monitor.onMessage,
  });
  const ended = withLimit(await running.command.ended, await monitor.stop());
  if (ended.type === 'stopped' || ended.type === 'lease' || ended.type === 'stuck') return { type: 'stopped' };
  if (ended.type === 'unstarted')
    return { type: 'error', failure: { code: 'check-unstarted', command, cause: ended.message } };
  if (ended.type === 'exited' && ended.code === 0) return { type: 'passed' };
  if (ended.type === 'killed' && FROM_OUTSIDE.has(ended.signal))
    return {
      type: 'error',
      failure: { code: 'check-killed', command, signal: ended.signal },
    };
  const text = `${textOfBytes(printed.bytes(), TAIL_BYTES)}\n[heddle: ${why(request, ended)}]`;
  return { type: 'failed', tail: lastCharacters(text, TAIL_CHARACTERS) };
}

/** Signals from outside: a person, or a system out of memory. A crash of the program itself has other signals. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

function why(
  { command, limits }: CheckRequest,
  ended: Exclude<ProcessEnd, { type: 'stopped' | 'lease' | 'stuck' | 'unstarted' }>,
): string {
  switch (ended.type) {
    case 'exited':
      return `the check \`${command}\` ended with exit code ${ended.code} on the merged work`;
    case 'killed':
      return `the check \`${command}\` was ended by ${ended.signal} on the merged work`;
    case 'limit':
      return `the check \`${command}\` on the merged work was ended. ${ended.message}`;
    case 'timeout':
      return `the check \`${command}\` was ended on the merged work: it ran longer than ${limits.timeoutMs} ms`;
    case 'idle':
      return `the check \`${command}\` was ended on the merged work: it was silent for ${limits.idleTimeoutMs} ms`;
  }
}

interface Log {
  readonly type: 'log';
  readonly number: number;
  readonly name: string;
}

/** A new file for each check; its number also names the tree. */
function makeLog(
  { folder, numbers }: CheckFolder,
  { commit, command }: CheckRequest,
): Log | Extract<CheckOutcome, { type: 'error' }> {
  numbers.last += 1;
  const name = `${numbers.last}.log`;
  const file = join(folder, name);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `[heddle: ${commit}: ${command}]\n`, { flag: 'wx' });
    return { type: 'log', number: numbers.last, name };
  } catch (cause) {
    return { type: 'error', failure: { code: 'output-unwritable', file, cause: String(cause) } };
  }
}

function lastNumber(folder: string): number {
  try {
    return Math.max(0, ...readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0));
  } catch {
    // There is no earlier check.
    return 0;
  }
}

// Ends the checks that a killed coordinator left running. A run has one coordinator, so at its start every process with
// the tags of a merge check of this run is an orphan.

interface MergeRun {
  readonly home: string;
  readonly run: string;
}

/** Used in place of a task's id and as a folder name; not a valid id of a task. */
export const MERGE_MARK = '@merge';

export const tagsOfCheck = ({ home, run }: MergeRun, number: number): Readonly<Record<string, string>> => ({
  [TAGS.home]: home,
  [TAGS.run]: run,
  [TAGS.task]: MERGE_MARK,
  [TAGS.step]: '',
  [TAGS.attempt]: String(number),
});

/** Checks are disposable, so they get SIGKILL at once. */
export const endOrphans = (of: MergeRun): Promise<void> => endTaggedProcesses({ matches: checksOf(of) }, 0);

export const findChecks = (of: MergeRun): readonly number[] => findTaggedProcesses({ matches: checksOf(of) });

const checksOf = ({ home, run }: MergeRun): ((environment: Buffer) => boolean) =>
  withTags({ [TAGS.home]: home, [TAGS.run]: run, [TAGS.task]: MERGE_MARK });
