// What a command would do to a run as its log has it, known before it is posted: a call that is wrong is refused at once
// and with exit code 2, whether or not a coordinator is there to say so.
import type { Command } from '../../core/engine/command.ts';
import { heed, namesIn } from '../../core/engine/heed.ts';
import type { State } from '../../core/engine/state.ts';
import { nearest } from '../../core/plan/language/nearest-name.ts';
import type { RunRecord, Store } from '../../shell/ports.ts';
import { Failure } from '../failure.ts';
import { foldRun, type FoldedRun } from '../fold-run.ts';

export interface Foretold {
  readonly stage: State['run']['stage'];
  /** Whether the run as it stands has no use for any of the commands. */
  readonly isIdle: boolean;
  readonly answer: string;
}

export function foretell(store: Store, record: RunRecord, commands: readonly Command[]): Foretold {
  const folded = foldRun(store, record);
  const { state } = folded;
  for (const command of commands) mustBeTasks(store, folded, namesIn(command));
  const heeded = commands.map((command) => ({ command, ...heed(state, command) }));
  const idle = heeded.filter(({ outcomes }) => outcomes.length === 0);
  for (const { command, answer } of idle) if (isNeverOfUse(command)) throw new Failure(answer);
  return {
    stage: state.run.stage,
    isIdle: idle.length === commands.length,
    answer: heeded.map(({ answer }) => answer).join(' '),
  };
}

/** Commands that wait in the inbox may still make the others mean something; these they cannot help. */
const isNeverOfUse = (command: Command): boolean =>
  !('tasks' in command) || (command.type === 'skip' && command.tasks.length === 0);

function mustBeTasks(store: Store, { compiled, record }: FoldedRun, paths: readonly string[]): void {
  const unknown = paths.find((path) => !compiled.indexOf.has(path));
  if (unknown === undefined) return;
  const runs = store.runs().map(({ run }) => run);
  const like = nearest(unknown, [...compiled.indexOf.keys(), ...runs]);
  const hint = like === undefined ? 'heddle status lists the tasks, heddle runs the runs.' : `Did you mean ${like}?`;
  throw new Failure(`There is no task ${unknown} in ${record.run}, and no run of that name. ${hint}`);
}
