// What the repository out of which a command is given has to do with that command: the commit from which a run starts, and the
// branch that a run has made.
import type { CallersRepository, Sending } from '../../app/git/callers-repository.ts';
import { COMMIT_REPLIES, type FarCheckout } from '../../core/protocol/remote-command.ts';
import { transferFailureText } from '../../core/protocol/transfer-failure.ts';
import type { AnyCommand } from '../argv/command-tree.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { userLines } from '../text/note-text.ts';
import { branchText } from './branch-text.ts';
import type { Server } from './choose-server.ts';

export interface CallersSide {
  readonly checkout: FarCheckout | undefined;
  /** The reply for the server; a failure is printed. */
  readonly sendCommit: (sending: Sending) => Promise<string | undefined>;
  /** Brings the branch of a run that was followed, if the run has one. */
  readonly bringBranch: (run: string | undefined) => Promise<void>;
}

const NOTHING: CallersSide = {
  checkout: undefined,
  sendCommit: () => Promise.resolve(undefined),
  bringBranch: () => Promise.resolve(),
};

/** Commands that follow a run to its end, which is when it has a branch. */
const FOLLOWING: ReadonlySet<string> = new Set(['run', 'resume', 'retry', 'rollback', 'merge']);

export async function openCallersSide(terminal: Terminal, server: Server, command: AnyCommand): Promise<CallersSide> {
  if (!FOLLOWING.has(command.name()) || command.opts()['git'] === false) return NOTHING;
  const { callersRepository } = await import('../../app/git/callers-repository.ts');
  const repository = await callersRepository();
  if (repository === undefined) return NOTHING;
  if (command.name() === 'run') for (const line of await uncommittedLines(repository)) terminal.err(line);
  return {
    checkout: repository.checkout,
    sendCommit: async (sending) => {
      const sent = await repository.sendCommit(server, sending);
      if (sent.type === 'failed') terminal.err(transferFailureText(sent.failure));
      return sent.type === 'failed' ? undefined : COMMIT_REPLIES[sent.type];
    },
    bringBranch: async (run) => {
      if (run === undefined) return;
      const fetched = await repository.fetchBranch(server, run);
      // A run that is not over, or has made nothing, has none.
      if (fetched.type !== 'none') terminal.err(branchText(run, fetched));
    },
  };
}

async function uncommittedLines({ notes }: CallersRepository): Promise<readonly string[]> {
  // What else is special about the repository matters where the run is.
  return userLines({ ...(await notes()), remarks: [] });
}
