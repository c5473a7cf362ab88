// Names of refs, in one place. Ids of runs, tasks and steps are safe in refs.

export interface CheckpointName {
  readonly task: string;
  readonly step: string;
  readonly attempt: number;
}

/** Fixed width, so that refs sort by number. */
const COUNT_DIGITS = 4;

export const REFS = {
  runBranch: (run: string): string => `refs/heads/heddle/${run}`,
  /** Held by the merge queue that may move the run branch. */
  mergeFence: (run: string): string => `refs/heddle/${run}/merge-fence`,
  ofRun: (run: string): string => `refs/heddle/${run}`,
  base: (run: string): string => `refs/heddle/${run}/base`,
  /** A commit that a caller on another machine sent, to start a run from. No run has this name. */
  sentBase: (commit: string): string => `refs/heddle/bases/${commit}`,
  sentBases: 'refs/heddle/bases',
  /** On a host: a commit that the other side has as well. */
  brought: (run: string, commit: string): string => `refs/heddle/${run}/brought/${commit}`,
  broughts: (run: string): string => `refs/heddle/${run}/brought`,
  /** On a host: a commit that the other side may not have yet. */
  made: (run: string, commit: string): string => `refs/heddle/${run}/made/${commit}`,
  mades: (run: string): string => `refs/heddle/${run}/made`,
  task: (run: string, task: string): string => `refs/heddle/${run}/tasks/${task}`,
  tasks: (run: string): string => `refs/heddle/${run}/tasks`,
  checkpoint: (run: string, { task, step, attempt }: CheckpointName): string =>
    `refs/heddle/${run}/checkpoints/${task}/${step}/${attempt}`,
  checkpoints: (run: string, task: string): string => `refs/heddle/${run}/checkpoints/${task}`,
  /** A person's resolution of a conflict, one ref for each submission. */
  byHand: (run: string, task: string, count: number): string =>
    `refs/heddle/${run}/by-hand/${task}/${String(count).padStart(COUNT_DIGITS, '0')}`,
  byHands: (run: string, task: string): string => `refs/heddle/${run}/by-hand/${task}`,
  salvage: (run: string, task: string, what: string): string => `refs/heddle/${run}/salvage/${task}/${what}`,
  salvages: (run: string): string => `refs/heddle/${run}/salvage`,
} as const;
