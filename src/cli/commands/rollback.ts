import type { ExitCode } from '../exit-code.ts';
import { Failure } from '../../app/failure.ts';
import { chooseRun } from '../../app/choose-run.ts';
import { foldRun, taskOf } from '../../app/fold-run.ts';
import { openHere } from '../../app/open-project.ts';
import { mustNotBeNested } from '../../app/nested.ts';
import type { Terminal } from '../terminal.ts';
import { goOnWith, type ResumeFlags } from './resume.ts';

export interface Rollback {
  readonly task: string;
  readonly step: string;
  readonly flags: ResumeFlags;
}

/** `heddle rollback`: back to the checkpoint before a step; it and all after it are done again. */
export async function rollback(terminal: Terminal, { task, step, flags }: Rollback): Promise<ExitCode> {
  mustNotBeNested();
  const open = openHere('control');
  const record = chooseRun(open.store, flags.run);
  const { steps } = taskOf(foldRun(open.store, record), task);
  const ids = steps.map((each) => each.step.id);
  if (!ids.includes(step)) {
    const has = ids.length === 0 ? 'It has none.' : `It has ${ids.join(', ')}.`;
    throw new Failure(`${task} has no step ${step}. ${has}`);
  }
  return await goOnWith(terminal, open, { record, command: { type: 'rollback', task, step }, flags });
}
