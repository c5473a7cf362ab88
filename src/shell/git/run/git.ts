// Runs git on one repository, asynchronously, with a bound on time.
import { capture } from '../../exec/capture.ts';
import { environmentFor, settingsFor, type Whose } from './git-environment.ts';
import { GitError } from './git-error.ts';

/** No deed of ours takes this long; a git that does is waiting for something that will not come. */
const GIT_TIME_MAX_MS = 600_000;
/** Of what git complains about, so much is repeated to a person. */
const COMPLAINT_LENGTH_MAX = 2_000;

export interface Answer {
  readonly code: number;
  readonly output: Buffer;
  /** What it complained about, as it said it. */
  readonly complaint: string;
}

export interface How {
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
  readonly settings?: readonly string[];
  /** A checkout to work in; without it git knows of none. */
  readonly workTree?: string;
}

export interface Git {
  readonly gitDir: string;
  /** Whatever the exit code. */
  readonly ask: (args: readonly string[], how?: How) => Promise<Answer>;
  /** Its output; anything but success is trouble. */
  readonly must: (args: readonly string[], how?: How) => Promise<Buffer>;
  /** The same as text, without the line's end. */
  readonly line: (args: readonly string[], how?: How) => Promise<string>;
}

export function gitAt(gitDir: string, whose: Whose = 'ours'): Git {
  const ask = async (args: readonly string[], how: How = {}): Promise<Answer> => {
    const place = how.workTree === undefined ? [] : [`--work-tree=${how.workTree}`];
    const settings = (how.settings ?? []).flatMap((setting) => ['-c', setting]);
    return runGit([`--git-dir=${gitDir}`, ...place, ...settingsFor(whose), ...settings, ...args], {
      cwd: how.workTree ?? gitDir,
      environment: { ...environmentFor(whose), ...how.environment },
      input: how.input,
    });
  };
  const must = async (args: readonly string[], how: How = {}): Promise<Buffer> => {
    const answer = await ask(args, how);
    if (answer.code === 0) return answer.output;
    throw troubleWith({ gitDir, args, answer });
  };
  return { gitDir, ask, must, line: async (args, how) => (await must(args, how)).toString('utf8').replace(/\n$/, '') };
}

export function troubleWith(deed: {
  readonly gitDir: string;
  readonly args: readonly string[];
  readonly answer: Answer;
}): GitError {
  const { gitDir, args, answer } = deed;
  const said = answer.complaint.trim() === '' ? `it ended with exit code ${answer.code}` : answer.complaint.trim();
  return new GitError(`\`git ${args[0] ?? ''}\` failed on ${gitDir}: ${said.slice(0, COMPLAINT_LENGTH_MAX)}`);
}

export interface Place {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly input?: string | Buffer | undefined;
}

export async function runGit(args: readonly string[], { cwd, environment, input }: Place): Promise<Answer> {
  const options = { cwd, environment, input: input ?? '', timeoutMs: GIT_TIME_MAX_MS };
  const { end, stdout, stderr } = await capture(['git', ...args], options);
  switch (end.type) {
    case 'exited':
      return { code: end.code, output: stdout, complaint: stderr.toString('utf8') };
    case 'unstarted':
      throw new GitError(`git could not be started in ${cwd}: ${end.message}`);
    case 'killed':
      throw new GitError(`\`git ${verbOf(args)}\` in ${cwd} was ended by ${end.signal}.`);
    case 'timeout':
    case 'aborted':
      throw new GitError(`\`git ${verbOf(args)}\` in ${cwd} was ended: it took longer than ${GIT_TIME_MAX_MS} ms.`);
  }
}

/** The first argument that is no option and no option's value. */
const verbOf = (args: readonly string[]): string =>
  args.find((one, index) => !one.startsWith('-') && args[index - 1] !== '-c') ?? '';

/** The parts of an output that ends each with a NUL. */
export const partsOf = (output: Buffer): readonly string[] => {
  const parts = output.toString('utf8').split('\0');
  return parts.at(-1) === '' ? parts.slice(0, -1) : parts;
};
