/** What the program's exit code says to whoever called it. */
export const EXIT = {
  done: 0,
  someFailed: 1,
  wrong: 2,
  waiting: 3,
  ceiling: 4,
  bug: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
