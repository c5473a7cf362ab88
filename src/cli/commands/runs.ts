import { EXIT, type ExitCode } from '../exit-code.ts';
import { openHere } from '../run/open-store.ts';
import type { Terminal } from '../terminal.ts';

/** `heddle runs`: the runs of this project, the latest last. */
export function runs(terminal: Terminal, _flags: { readonly json: boolean }): ExitCode {
  const { store } = openHere('read');
  for (const { run } of store.runs()) terminal.out(run);
  store.close();
  return EXIT.done;
}
