/** The exit codes of the program. */
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

/** A wrong call: one sentence for the caller, with exit code 2. */
export class CommandFailure extends Error {
  override readonly name = 'Failure';
}
