// Runs git on one repository, asynchronously, with a time limit.
import { capture } from '../../exec/capture.ts';
import { gitEnvironmentFor, settingsFor, type Whose } from './git-environment.ts';
import { GitError } from './git-error.ts';

/** No operation takes this long; a git process that does is blocked. */
const GIT_TIME_MAX_MS = 600_000;
/** A clone of a large repository over a slow link takes less. */
export const TRANSFER_TIME_MAX_MS = 3_600_000;
/** At most this much of git's standard error is shown to a person. */
const STDERR_LENGTH_MAX = 2_000;

export interface GitExit {
  readonly code: number;
  readonly output: Buffer;
  readonly stderr: string;
}

export interface GitCallOptions {
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
  readonly settings?: readonly string[];
  /** A checkout to work in; without it git gets none. */
  readonly workTree?: string;
  /** For work that takes its time, such as a transfer from another machine. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface Git {
  readonly gitDir: string;
  /** Resolves at any exit code. */
  readonly ask: (args: readonly string[], how?: GitCallOptions) => Promise<GitExit>;
  /** The output; throws GitError unless git succeeds. */
  readonly must: (args: readonly string[], how?: GitCallOptions) => Promise<Buffer>;
  /** The same as text, without the line break. */
  readonly line: (args: readonly string[], how?: GitCallOptions) => Promise<string>;
}

export function gitAt(gitDir: string, whose: Whose = 'ours'): Git {
  const ask = async (args: readonly string[], how: GitCallOptions = {}): Promise<GitExit> => {
    const place = how.workTree === undefined ? [] : [`--work-tree=${how.workTree}`];
    const settings = (how.settings ?? []).flatMap((setting) => ['-c', setting]);
    return runGit([`--git-dir=${gitDir}`, ...place, ...settingsFor(whose), ...settings, ...args], {
      cwd: how.workTree ?? gitDir,
      environment: { ...gitEnvironmentFor(whose), ...how.environment },
      input: how.input,
      timeoutMs: how.timeoutMs,
      signal: how.signal,
    });
  };
  const must = async (args: readonly string[], how: GitCallOptions = {}): Promise<Buffer> => {
    const answer = await ask(args, how);
    if (answer.code === 0) return answer.output;
    throw gitErrorOf({ gitDir, args, answer });
  };
  return { gitDir, ask, must, line: async (args, how) => (await must(args, how)).toString('utf8').replace(/\n$/, '') };
}

export function gitErrorOf(action: {
  readonly gitDir: string;
  readonly args: readonly string[];
  readonly answer: GitExit;
}): GitError {
  const { gitDir, args, answer } = action;
  const said = answer.stderr.trim() === '' ? `it ended with exit code ${answer.code}` : answer.stderr.trim();
  return new GitError({ code: 'git-failed', command: args[0] ?? '', gitDir, stderr: said.slice(0, STDERR_LENGTH_MAX) });
}

export interface GitSpawn {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly input?: string | Buffer | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function runGit(args: readonly string[], place: GitSpawn): Promise<GitExit> {
  const { cwd, environment, input = '', timeoutMs = GIT_TIME_MAX_MS, signal } = place;
  // What git starts for a transfer ends with it.
  const ending = signal === undefined ? {} : ({ signal, group: 'end' } as const);
  const { end, stdout, stderr } = await capture(['git', ...args], { cwd, environment, input, timeoutMs, ...ending });
  switch (end.type) {
    case 'exited':
      return { code: end.code, output: stdout, stderr: stderr.toString('utf8') };
    case 'unstarted':
      throw new GitError({ code: 'git-unstarted', cwd, cause: end.message });
    case 'killed':
      throw new GitError({ code: 'git-killed', command: verbOf(args), cwd, signal: end.signal });
    case 'timeout':
    case 'aborted':
      throw new GitError({ code: 'git-timeout', command: verbOf(args), cwd, limitMs: timeoutMs });
  }
}

/** The first argument that is neither an option nor an option's value. */
const verbOf = (args: readonly string[]): string =>
  args.find((one, index) => !one.startsWith('-') && args[index - 1] !== '-c') ?? '';

/** Splits output whose parts each end with a NUL. */
export const partsOf = (output: Buffer): readonly string[] => {
  const parts = output.toString('utf8').split('\0');
  return parts.at(-1) === '' ? parts.slice(0, -1) : parts;
};
