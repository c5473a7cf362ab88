// A dry run of commands, or a failure that says why the call is wrong.
import { dryRun, type DryRun } from '../../app/run/dry-run.ts';
import { Failure } from '../../app/failure.ts';
import { replyText } from '../text/command-reply-text.ts';

export function rightCall(...call: Parameters<typeof dryRun>): DryRun {
  const result = dryRun(...call);
  switch (result.type) {
    case 'dry run':
      return result;
    case 'no use':
      throw new Failure(replyText(result.reply));
    case 'unknown task': {
      const { run, task, nearest } = result;
      const hint =
        nearest === undefined ? 'heddle status lists the tasks, heddle runs the runs.' : `Did you mean ${nearest}?`;
      throw new Failure(`There is no task ${task} in ${run}, and no run of that name. ${hint}`);
    }
  }
}
