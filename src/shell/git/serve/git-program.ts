// Git's own programs for the other side of a fetch and a push, as they are started for one request of HTTP.
import { startPiped, type PipedProcess } from '../../exec/piped-process.ts';
import { capture } from '../../exec/capture.ts';
import { gitEnvironmentFor, settingsFor } from '../run/git-environment.ts';
import { TRANSFER_TIME_MAX_MS } from '../run/git.ts';
import { GitError } from '../run/git-error.ts';
import { END_OF_PACKETS, packet } from './push-report.ts';

export type PackCommand = 'git-upload-pack' | 'git-receive-pack';

export const isPackCommand = (word: string | null): word is PackCommand =>
  word === 'git-upload-pack' || word === 'git-receive-pack';

export interface GitProgram {
  readonly command: PackCommand;
  readonly gitDir: string;
  readonly settings: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const ADVERTISEMENT_TIME_MAX_MS = 60_000;

/** What the other side sends first of all: capabilities, and refs that are not hidden. */
export async function advertisementOf(program: GitProgram): Promise<Buffer> {
  const { command, gitDir } = program;
  const { end, stdout, stderr } = await capture(argvOf(program, ['--advertise-refs']), {
    cwd: gitDir,
    environment: environmentOf(program),
    timeoutMs: ADVERTISEMENT_TIME_MAX_MS,
    group: 'end',
  });
  if (end.type !== 'exited' || end.code !== 0)
    throw new GitError({ code: 'git-failed', command, gitDir, stderr: stderr.toString('utf8').trim() });
  const isSecond = program.environment['GIT_PROTOCOL'] !== undefined;
  return isSecond ? stdout : Buffer.concat([packet(`# service=${command}\n`), END_OF_PACKETS, stdout]);
}

export const startGitProgram = (program: GitProgram, signal: AbortSignal): PipedProcess =>
  startPiped(argvOf(program, []), {
    cwd: program.gitDir,
    environment: environmentOf(program),
    timeoutMs: TRANSFER_TIME_MAX_MS,
    signal,
  });

function argvOf({ command, gitDir, settings }: GitProgram, options: readonly string[]): readonly string[] {
  const given = settings.flatMap((setting) => ['-c', setting]);
  return ['git', ...settingsFor('ours'), ...given, command.replace('git-', ''), '--stateless-rpc', ...options, gitDir];
}

const environmentOf = ({ environment }: GitProgram): NodeJS.ProcessEnv => ({
  ...gitEnvironmentFor('ours'),
  ...environment,
});
