// Why a fetch or a push failed: git's exit code is the same for all reasons, so its standard error decides.
import { transferFailureIn, type TransferFailure } from '../../../core/protocol/transfer-failure.ts';
import { gitErrorOf, type GitExit } from '../run/git.ts';
import type { Whose } from '../run/git-environment.ts';
import { GitError } from '../run/git-error.ts';

export interface FailedTransfer {
  /** Of the other side, for people. */
  readonly address: string;
  /** The server is reached by settings of ours, a remote by those of the user. */
  readonly whose: Whose;
  readonly gitDir: string;
  readonly args: readonly string[];
  readonly answer: GitExit;
  /** The ref that was to be written there. */
  readonly ref?: string | undefined;
}

const AWAY =
  /unable to access|RPC failed|hung up|early EOF|unexpected disconnect|expected flush|Could not read from remote|timed out|Connection (?:refused|reset)|Could not resolve|bad line length|invalid server response/i;

export function transferFailureOf(failed: FailedTransfer): TransferFailure {
  const { address, answer } = failed;
  const { stderr } = answer;
  const [, missing] = /(?:not our ref|unadvertised object) ([\da-f]+)/.exec(stderr) ?? [];
  if (missing !== undefined) return { code: 'commit-missing', commit: missing, address };
  if (/remote helper for 'https?'|remote-https?' is not a git command|git-remote-https?: not found/.test(stderr))
    return { code: 'no-git-http' };
  const rejected = reasonIn(answer.output.toString('utf8'));
  const told = rejected === undefined ? undefined : transferFailureIn(rejected);
  if (told !== undefined) return told;
  const status = statusIn(stderr);
  if (status !== undefined) return ofStatus(failed, status);
  if (rejected !== undefined) return refusedWith(failed, `${said(stderr)} (${rejected})`);
  if (AWAY.test(stderr) || hasNoReport(answer)) return { code: 'link-away', address, cause: said(stderr) };
  return { code: 'git-here', failure: gitErrorOf(failed).failure };
}

/** A status of HTTP; git asks for a password where it gets 401, and may not. */
function statusIn(stderr: string): number | undefined {
  if (/repository '[^']*' not found/.test(stderr)) return 404;
  if (/could not read (?:Username|Password)|Authentication failed/.test(stderr)) return 401;
  const [, status] = /(?:returned error:|HTTP) (\d{3})/.exec(stderr) ?? [];
  return status === undefined ? undefined : Number(status);
}

const refusedWith = ({ whose, address, ref = '' }: FailedTransfer, words: string): TransferFailure =>
  whose === 'users'
    ? { code: 'remote-refused', remote: address, said: words }
    : { code: 'objects-refused', ref, said: words };

function ofStatus(failed: FailedTransfer, status: number): TransferFailure {
  const { address, whose, ref = '', answer } = failed;
  if (whose === 'users' && status < 500) return refusedWith(failed, said(answer.stderr));
  if (status === 401 || status === 403) return { code: 'access-refused', address, status };
  // A proxy before the server has a limit of its own.
  if (status === 413) return refusedWith(failed, said(answer.stderr));
  if (status === 404 || status === 409) return { code: 'not-yours', ref };
  if (status === 503) return { code: 'link-busy', address };
  return { code: 'link-away', address, cause: said(answer.stderr) };
}

/** `--porcelain`: one line for each ref, of fields between tabs. */
const reasonIn = (output: string): string | undefined =>
  /^!\t[^\t]*\t\[(?:remote )?rejected\] \((.*)\)$/m.exec(output)?.[1];

/** The answer to a push was lost: the ref may have moved. */
const hasNoReport = ({ output }: GitExit): boolean => /^!\t[^\t]*\t\[remote failure\]/m.test(output.toString('utf8'));

const SAID_LENGTH_MAX = 600;

/** What git adds to every push that was refused. */
const OF_EVERY_PUSH = /^(?:error: failed to push some refs to|hint:) /;

/** Lines from the other side are filled up with spaces. */
function said(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '));
  const told = lines.filter((line) => line !== '' && !OF_EVERY_PUSH.test(line));
  return (told.length === 0 ? lines.filter((line) => line !== '') : told).join(' ').slice(0, SAID_LENGTH_MAX);
}

/** Git could not be started, or took too long: a transfer that was ended is as a link that was away. */
export function transferFailureOfError(error: unknown, address: string): TransferFailure {
  if (!(error instanceof GitError)) throw error;
  const { failure } = error;
  const isEnded = failure.code === 'git-timeout' || failure.code === 'git-killed';
  return isEnded ? { code: 'link-away', address, cause: error.message } : { code: 'git-here', failure };
}
