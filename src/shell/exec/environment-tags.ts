// The environment variables that tag every process of a claim, so that none is left running unknown.

export const TAGS = {
  run: 'HEDDLE_RUN',
  task: 'HEDDLE_TASK',
  step: 'HEDDLE_STEP',
  attempt: 'HEDDLE_ATTEMPT',
  /** The store's folder: which run of which project. */
  home: 'HEDDLE_HOME',
} as const;
