// A project of its own for one test, and the program at work in it, as a person would start it.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ClaimRef } from '../../../src/core/protocol/assignment.ts';
import { attemptFolder } from '../../../src/shell/host/attempt-folder.ts';
import { ROOT, type Ran } from '../heddle.given.ts';
import { endProcesses } from './processes.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

export interface Project {
  readonly folder: string;
  /** The store's folder. */
  readonly home: string;
  readonly file: (name: string) => string;
  /** Where the worker of a claim leaves what it has to say. */
  readonly attempt: (claim: ClaimRef) => string;
  /** Runs a command to its end. */
  readonly heddle: (...words: readonly string[]) => Promise<Ran>;
  /** Starts a command and comes back at once. */
  readonly start: (...words: readonly string[]) => Going;
  /** The log as it is stored. */
  readonly events: () => Promise<readonly Line[]>;
  /** Kills all that is alive of it. */
  readonly endProcesses: () => Promise<void>;
  readonly end: () => Promise<void>;
}

/** One line of `--json` or of `heddle events --raw`, as far as tests look at it. */
export interface Line {
  readonly type: string;
  /** Of a claim: `step`, `check`, `merge` or `resolve`. */
  readonly work?: string;
  readonly at: number;
  readonly task?: string;
  readonly step?: string;
  readonly attempt?: number;
  readonly host?: string;
  readonly ending?: string;
  readonly reason?: string;
  readonly cause?: string;
  readonly to?: string;
  readonly counted?: boolean;
  readonly until?: number;
  readonly reserve?: Cost;
  readonly spend?: Cost;
  readonly result?: { readonly ok: boolean; readonly response?: string; readonly exitCode?: number };
}

export interface Cost {
  readonly usd?: number;
  readonly tokens?: number;
}

/** A command that was started and is watched. */
export interface Going {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly lines: readonly Line[];
  readonly out: () => string;
  readonly errors: () => string;
  readonly ended: Promise<Gone>;
  readonly isOver: () => boolean;
  /** Called for each line; those that have come are told at once. */
  readonly onLine: (hear: (line: Line, number: number) => void) => void;
  /** Waits for a line, and fails when the command ends without it. */
  readonly sees: (wanted: (line: Line) => boolean) => Promise<Line>;
}

export interface Gone {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Generous: a wait this long is a fault and not a slow machine. */

export function openProject(plan: string, env: Readonly<Record<string, string>> = {}): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-world-')));
  const home = join(folder, '.heddle');
  writeFileSync(join(folder, 'plan.yaml'), plan);
  const run = async (...words: readonly string[]): Promise<Ran> => {
    const going = startHeddle(folder, words, env);
    const { code } = await going.ended;
    return { code, out: going.out(), errors: going.errors() };
  };
  return {
    folder,
    home,
    file: (name) => join(folder, name),
    attempt: (claim) => attemptFolder(home, `${nameOf(plan)}-1`, claim),
    heddle: run,
    start: (...words) => startHeddle(folder, words, env),
    events: async () => linesOf((await run('events', '--raw')).out),
    endProcesses: () => endProcesses(folder),
    end: async () => {
      await endProcesses(folder);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Runs are called for their plan, and these projects have one. */
const nameOf = (plan: string): string => /^name: (.*)$/m.exec(plan)?.[1] ?? 'plan';

function startHeddle(folder: string, words: readonly string[], env: Readonly<Record<string, string>>): Going {
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'heddle.js'), ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: Line[] = [];
  const hearers: ((line: Line, number: number) => void)[] = [];
  let out = '';
  let errors = '';
  let rest = '';
  let isOver = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    const parts = `${rest}${text}`.split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts.flatMap(lineOf)) {
      lines.push(line);
      for (const hear of hearers) hear(line, lines.length);
    }
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = new Promise<Gone>((resolve) => {
    child.on('close', (code, signal) => {
      isOver = true;
      resolve({ code, signal });
    });
  });
  const sees = async (wanted: (line: Line) => boolean): Promise<Line> => {
    const found = await until(() => lines.find(wanted) ?? (isOver ? 'over' : undefined));
    if (found === 'over') throw new Error(`It ended without that line. It said:\n${out}\n${errors}`);
    return found;
  };
  return {
    child,
    pid: child.pid ?? 0,
    lines,
    out: () => out,
    errors: () => errors,
    ended,
    isOver: () => isOver,
    onLine: (hear) => {
      lines.forEach((line, index) => hear(line, index + 1));
      hearers.push(hear);
    },
    sees,
  };
}

const linesOf = (text: string): readonly Line[] => text.split('\n').flatMap(lineOf);

function lineOf(text: string): readonly Line[] {
  if (!text.startsWith('{"')) return [];
  // What it prints is read here and nowhere else; tests look only at fields that may be absent.
  return [JSON.parse(text) as Line];
}

/** Looks again and again until there is something to see. */
export async function until<Value>(look: () => Value | undefined | false, boundMs = PATIENCE_MS): Promise<Value> {
  const end = performance.now() + boundMs;
  for (;;) {
    const value = look();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`This did not come about within ${boundMs} ms: ${String(look)}`);
    await setTimeout(LOOK_EVERY_MS);
  }
}

const LOOK_EVERY_MS = 20;
