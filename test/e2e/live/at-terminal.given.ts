// The program at a terminal of its own: keys go in, and the screen that a person would see comes out.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { need, terminal } from '../../needs.given.ts';
import { ROOT, scratchFolder } from '../heddle.given.ts';
import { vtScreen, type VtScreen } from './vt-screen.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

/** A test that needs a terminal. */
export function atTerminal(name: string, body: () => Promise<void>): void {
  test(name, async (context) => {
    need(context, terminal());
    await body();
  });
}

export interface SessionOptions {
  readonly width?: number;
  readonly height?: number;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether a shell with jobs puts it into the background. */
  readonly isInBackground?: boolean;
  /** How often it will be suspended with Ctrl-Z; a line that is typed then goes on with it. */
  readonly suspensions?: number;
}

export interface Session {
  readonly screen: () => VtScreen;
  /** Everything that came. */
  readonly raw: () => string;
  readonly type: (keys: string) => void;
  /** Until what is seen fits; fails with what is seen instead. */
  readonly until: (what: string, fits: (lines: readonly string[]) => boolean) => Promise<void>;
  readonly shows: (text: string) => Promise<void>;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly resize: (width: number, height: number) => void;
  /** How it ended, and how it left the terminal. */
  readonly end: () => Promise<Left>;
  /** Whether the shell could read lines while it was suspended. */
  readonly wasCookedWhileSuspended: () => boolean;
  /** The terminal goes away, as when its window is closed. */
  readonly hangUp: () => void;
  readonly close: () => void;
}

export interface Left {
  readonly code: number;
  /** Whether lines are read as lines and keys are echoed, as a shell wants it. */
  readonly isCooked: boolean;
}

const POLL_EVERY_MS = 30;

async function until<Found>(what: () => string, find: () => Found | undefined | false): Promise<Found> {
  for (const from = performance.now(); ;) {
    const found = find();
    if (found !== undefined && found !== false) return found;
    if (performance.now() - from > PATIENCE_MS) throw new Error(what());
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}

/** Ended with the test. */
export function openSession(words: readonly string[], options: SessionOptions): Session {
  const { width = 90, height = 30, cwd, env = {} } = options;
  const folder = scratchFolder();
  const child = spawn(
    'script',
    ['-qfc', `sh '${writeShell(folder, words, { ...options, width, height })}'`, '/dev/null'],
    {
      cwd,
      env: { PATH: process.env['PATH'], HOME: cwd, TERM: 'xterm-256color', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let raw = '';
  let screen = vtScreen({ width, height });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    raw += text;
    screen.write(text);
  });
  const noteOf = (name: string): string | undefined => {
    const file = join(folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8').trim() || undefined : undefined;
  };
  const seen = (): string => screen.lines().join('\n');
  const fits: Session['until'] = async (what, isSo) => {
    await until(
      () => `${what} is not seen, but:\n${seen()}`,
      () => isSo(screen.lines()),
    );
  };
  const session: Session = {
    screen: () => screen,
    raw: () => raw,
    type: (keys) => void child.stdin.write(keys),
    until: fits,
    shows: (text) => fits(text, (lines) => lines.some((line) => line.includes(text))),
    signal: (signal) => void process.kill(Number(noteOf('pid')), signal),
    resize: (columns, rows) => {
      screen = vtScreen({ width: columns, height: rows });
      screen.write('\u001B[?1049h');
      spawnSync('stty', ['-F', noteOf('tty') ?? '', 'rows', String(rows), 'cols', String(columns)]);
    },
    end: async () => {
      const code = await until(
        () => `It has not ended, but:\n${seen()}`,
        () => noteOf('code'),
      );
      const stty = await until(
        () => 'Nobody says how the terminal was left.',
        () => noteOf('stty'),
      );
      // All that came has been read by then.
      await closed;
      return { code: Number(code), isCooked: isCooked(stty) };
    },
    hangUp: () => void child.kill('SIGKILL'),
    wasCookedWhileSuspended: () => isCooked(noteOf('suspended') ?? ''),
    close: () => {
      if (noteOf('code') === undefined) killProgram(noteOf('pid'));
      child.kill('SIGKILL');
    },
  };
  onTestFinished(session.close);
  return session;
}

function killProgram(pid: string | undefined): void {
  try {
    if (pid !== undefined) process.kill(Number(pid), 'SIGKILL');
  } catch {
    // It has ended by itself in the meantime.
  }
}

const isCooked = (stty: string): boolean => / icanon/.test(stty) && / echo /.test(stty);

/** A shell as a person has one: it starts the program, and is there to say how it left the terminal. */
function writeShell(folder: string, words: readonly string[], options: SessionOptions): string {
  const program = [process.execPath, join(ROOT, 'bin', 'heddle.js'), ...words].map((word) => `'${word}'`).join(' ');
  const inner = join(folder, 'program.sh');
  // The shell becomes the program, so that its number is the program's.
  writeFileSync(inner, `echo $$ > '${folder}/pid'\nexec ${program}\n`);
  const start = startOf(`sh '${inner}'`, folder, options);
  const shell = join(folder, 'shell.sh');
  writeFileSync(
    shell,
    `trap : INT\ntty > '${folder}/tty'\nstty rows ${options.height ?? 0} cols ${options.width ?? 0}\necho before\n${start}\n` +
      `echo $? > '${folder}/code'\nstty -a | tr '\\n' ' ' > '${folder}/stty'\n`,
  );
  return shell;
}

function startOf(program: string, folder: string, { isInBackground, suspensions = 0 }: SessionOptions): string {
  if (isInBackground === true) return `set -m\n${program} & wait $!`;
  const suspended = `stty -a | tr '\\n' ' ' > '${folder}/suspended'\necho suspended\nread line\n$line`;
  return suspensions === 0
    ? program
    : ['set -m', program, ...Array.from({ length: suspensions }, () => suspended)].join('\n');
}
