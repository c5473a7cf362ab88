import { chooseRun, openProject } from '../../app/open-project.ts';
import { readEvents } from '../../app/read/read-events.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface EventsFlags {
  readonly follow: boolean;
  readonly raw: boolean;
}

/** `heddle events`: the log, a line for each event; with `-f` until the run has no coordinator any more. */
export async function events(terminal: Terminal, run: string | undefined, flags: EventsFlags): Promise<ExitCode> {
  const open = openProject('read');
  const record = chooseRun(open.store, run);
  for await (const { event, progress } of readEvents(open, record, { follows: flags.follow }))
    terminal.out(JSON.stringify(flags.raw ? event : progress));
  open.store.close();
  return EXIT.done;
}
