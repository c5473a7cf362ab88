// Ends the checks that a killed coordinator left running. A run has one coordinator, so at its start every process with
// the tags of a merge check of this run is an orphan.
import { TAGS, endTaggedProcesses, findTaggedProcesses, withTags } from '../exec/tagged-processes.ts';

export interface MergeRun {
  readonly home: string;
  readonly run: string;
}

/** Used in place of a task's id and as a folder name; not a valid id of a task. */
export const MERGE_MARK = '@merge';

export const tagsOfCheck = ({ home, run }: MergeRun, number: number): Readonly<Record<string, string>> => ({
  [TAGS.home]: home,
  [TAGS.run]: run,
  [TAGS.task]: MERGE_MARK,
  [TAGS.step]: '',
  [TAGS.attempt]: String(number),
});

/** Checks are disposable, so they get SIGKILL at once. */
export const endOrphans = (of: MergeRun): Promise<void> => endTaggedProcesses({ matches: checksOf(of) }, 0);

export const findChecks = (of: MergeRun): readonly number[] => findTaggedProcesses({ matches: checksOf(of) });

const checksOf = ({ home, run }: MergeRun): ((environment: Buffer) => boolean) =>
  withTags({ [TAGS.home]: home, [TAGS.run]: run, [TAGS.task]: MERGE_MARK });
