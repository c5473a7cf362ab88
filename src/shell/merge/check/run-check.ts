// Judges one commit by one command, in a tree of its own that is thrown away.
//
// J1. Every command gets a fresh tree, so what it finds is about the commit and nothing else.
import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Limits } from '../../../core/protocol/assignment.ts';
import type { Guard, GuardOrder } from '../../ports.ts';
import { lastBytes, startCommand } from './command.ts';
import type { Command, CommandEnd } from './command.ts';
import { marksOf, MERGE_MARK } from './orphans.ts';

/** What a check needs of sandboxes: a tree of one commit to throw away. */
export type Candidates = (order: { readonly commit: string; readonly name: string }) => Promise<CandidateOpened>;

export type CandidateOpened =
  | { readonly type: 'opened'; readonly candidate: Candidate }
  | { readonly type: 'failed'; readonly message: string };

export interface Candidate {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly wrap: (argv: readonly string[]) => readonly string[];
  readonly guard: (order: GuardOrder) => Promise<Guard>;
  readonly destroy: () => Promise<unknown>;
}

export interface CheckOrder {
  readonly commit: string;
  readonly command: string;
  readonly limits: Limits;
}

export type Checked =
  | { readonly type: 'passed' }
  | { readonly type: 'failed'; readonly tail: string }
  | { readonly type: 'stopped' }
  /** It could not be made; that says nothing about the commit. */
  | { readonly type: 'trouble'; readonly message: string };

export interface Check {
  readonly ended: Promise<Checked>;
  readonly stop: () => void;
}

export type StartCheck = (order: CheckOrder) => Check;

export interface CheckPlace {
  readonly run: string;
  /** Heddle's folder, `.heddle`. */
  readonly home: string;
  readonly candidates: Candidates;
  /** Of every check; the marks and what the sandbox adds come on top. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Of what a check printed, so much is told. */
const TAIL_CHARACTERS = 4_000;
/** No character takes more than four. */
const TAIL_BYTES = 4 * TAIL_CHARACTERS;

export function checksIn(place: CheckPlace): StartCheck {
  const folder = join(place.home, 'runs', place.run, MERGE_MARK);
  const numbers = { last: lastNumber(folder) };
  return (order) => {
    const going: Going = { command: undefined, isStopped: false };
    const ended = judge({ place, folder, numbers }, order, going);
    const stop = (): void => {
      going.isStopped = true;
      going.command?.stop();
    };
    return { ended, stop };
  };
}

interface Going {
  command: Command | undefined;
  isStopped: boolean;
}

interface Desk {
  readonly place: CheckPlace;
  readonly folder: string;
  readonly numbers: { last: number };
}

async function judge(desk: Desk, order: CheckOrder, going: Going): Promise<Checked> {
  const file = openLog(desk, order);
  if (file.type === 'trouble') return file;
  const { place } = desk;
  try {
    const opened = await place.candidates({ commit: order.commit, name: `${place.run}.${file.number}` });
    if (opened.type === 'failed') return { type: 'trouble', message: opened.message };
    try {
      if (going.isStopped) return { type: 'stopped' };
      return await runIn(opened.candidate, { place, order, file, going });
    } finally {
      await opened.candidate.destroy();
    }
  } finally {
    closeSync(file.output);
  }
}

interface Running {
  readonly place: CheckPlace;
  readonly order: CheckOrder;
  readonly file: Log;
  readonly going: Going;
}

async function runIn(candidate: Candidate, { place, order, file, going }: Running): Promise<Checked> {
  const { command, limits } = order;
  const from = fstatSync(file.output).size;
  const say = (sentence: string): void => void writeSync(file.output, `\n[heddle: ${sentence}]\n`);
  const onBreach = (message: string): void => {
    say(message);
    going.command?.breach(message);
  };
  const guard = await candidate.guard({ onBreach, say });
  going.command = startCommand({
    argv: candidate.wrap(['/bin/sh', '-c', command]),
    cwd: candidate.folder,
    environment: { ...place.environment, ...candidate.environment, ...marksOf(place, file.number) },
    output: file.output,
    limits,
    onStarted: guard.watch,
  });
  const ended = await going.command.ended;
  guard.stop();
  if (ended.type === 'stopped') return { type: 'stopped' };
  if (ended.type === 'unstarted')
    return { type: 'trouble', message: `The check \`${command}\` cannot be started: ${ended.message}.` };
  if (ended.type === 'exited' && ended.code === 0) return { type: 'passed' };
  if (ended.type === 'killed' && FROM_OUTSIDE.has(ended.signal))
    return {
      type: 'trouble',
      message: `The check \`${command}\` was ended by ${ended.signal}, which Heddle did not send.`,
    };
  return { type: 'failed', tail: tailOf(file.output, from, `\n[heddle: ${why(order, ended)}]`) };
}

/** Signals that others send: a person, a system without memory. A fault of the program's own has other names. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

function why({ command, limits }: CheckOrder, ended: Exclude<CommandEnd, { type: 'stopped' | 'unstarted' }>): string {
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

function tailOf(output: number, from: number, remark: string): string {
  const { size } = fstatSync(output);
  const text = lastBytes(output, { from: Math.max(from, size - TAIL_BYTES), size }).toString('utf8');
  const tail = (text + remark).replaceAll('\0', '\uFFFD').slice(-TAIL_CHARACTERS);
  // Half a pair at the head is no character.
  return tail.replace(/^[\uDC00-\uDFFF]/, '');
}

interface Log {
  readonly type: 'log';
  readonly number: number;
  readonly output: number;
}

/** A file that no check has had, so its number serves as a name for the tree as well. */
function openLog(
  { folder, numbers }: Desk,
  { commit, command }: CheckOrder,
): Log | Extract<Checked, { type: 'trouble' }> {
  numbers.last += 1;
  const file = join(folder, `${numbers.last}.log`);
  try {
    mkdirSync(folder, { recursive: true });
    const output = openSync(file, 'ax+');
    writeSync(output, `[heddle: ${commit}: ${command}]\n`);
    return { type: 'log', number: numbers.last, output };
  } catch (cause) {
    return { type: 'trouble', message: `The output of a check cannot be kept in ${file}: ${String(cause)}` };
  }
}

function lastNumber(folder: string): number {
  try {
    return Math.max(0, ...readdirSync(folder).map((name) => Number.parseInt(name, 10) || 0));
  } catch {
    // No check has been made yet.
    return 0;
  }
}
