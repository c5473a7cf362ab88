import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
export function explain(
  _terminal: Terminal,
  _task: string,
  _flags: { readonly run: string | undefined; readonly json: boolean },
): ExitCode {
  return EXIT.done;
}
