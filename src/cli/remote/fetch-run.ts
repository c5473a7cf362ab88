// `heddle fetch`: brings the branch of a run from a server into the repository here.
import { callersRepository } from '../../app/git/callers-repository.ts';
import { EXIT, CommandFailure, type ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { branchText } from './branch-text.ts';
import { chooseServer, type ServerFlags } from './choose-server.ts';

export interface FetchFlags extends ServerFlags {
  readonly on: string | undefined;
  readonly json: boolean;
}

export async function fetchRun(terminal: Terminal, run: string, flags: FetchFlags): Promise<ExitCode> {
  const there = flags.on ?? process.env['HEDDLE_SERVER'] ?? '';
  if (there === '') throw new CommandFailure('Which server has the run? Name it with --on, or in HEDDLE_SERVER.');
  const server = chooseServer(there, flags);
  const repository = await callersRepository();
  if (repository === undefined)
    throw new CommandFailure('There is no repository here to fetch into. Call it in your clone.');
  const fetched = await repository.fetchBranch(server, run);
  const says = branchText(run, fetched);
  const isGood = fetched.type === 'fetched';
  if (flags.json) terminal.out(JSON.stringify({ run, ...fetched, says }));
  else (isGood ? terminal.out : terminal.err)(says);
  return isGood ? EXIT.done : fetched.type === 'none' ? EXIT.waiting : EXIT.wrong;
}
