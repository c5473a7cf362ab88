// Names of refs, so that nobody spells them twice. Ids of runs, tasks and steps are safe in refs.

export interface CheckpointName {
  readonly task: string;
  readonly step: string;
  readonly attempt: number;
}

export const REFS = {
  runBranch: (run: string): string => `refs/heads/heddle/${run}`,
  base: (run: string): string => `refs/heddle/${run}/base`,
  task: (run: string, task: string): string => `refs/heddle/${run}/tasks/${task}`,
  tasks: (run: string): string => `refs/heddle/${run}/tasks`,
  checkpoint: (run: string, { task, step, attempt }: CheckpointName): string =>
    `refs/heddle/${run}/checkpoints/${task}/${step}/${attempt}`,
  checkpoints: (run: string, task: string): string => `refs/heddle/${run}/checkpoints/${task}`,
  salvage: (run: string, task: string, what: string): string => `refs/heddle/${run}/salvage/${task}/${what}`,
  salvages: (run: string): string => `refs/heddle/${run}/salvage`,
} as const;
