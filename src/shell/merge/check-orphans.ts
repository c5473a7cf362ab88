// Ends the checks that a killed coordinator left running. A run has one coordinator, so at its start whatever carries the
// tags of a check of its merges is an orphan.
import { TAGS, endTaggedProcesses, findTaggedProcesses, withTags } from '../exec/tagged-processes.ts';

export interface MergeRun {
  readonly home: string;
  readonly run: string;
}

/** In the place of a task and of folders; no task can have this name. */
export const MERGE_MARK = '@merge';

export const tagsOfCheck = ({ home, run }: MergeRun, number: number): Readonly<Record<string, string>> => ({
  [TAGS.home]: home,
  [TAGS.run]: run,
  [TAGS.task]: MERGE_MARK,
  [TAGS.step]: '',
  [TAGS.attempt]: String(number),
});

/** They are disposable, so they are killed without being asked. */
export const endOrphans = (of: MergeRun): Promise<void> => endTaggedProcesses({ matches: checksOf(of) }, 0);

export const findChecks = (of: MergeRun): readonly number[] => findTaggedProcesses({ matches: checksOf(of) });

const checksOf = ({ home, run }: MergeRun): ((environment: Buffer) => boolean) =>
  withTags({ [TAGS.home]: home, [TAGS.run]: run, [TAGS.task]: MERGE_MARK });
