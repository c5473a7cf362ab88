import { apply } from '../../core/engine/apply/apply.ts';
import { writeEvent } from '../../core/engine/event-format.ts';
import { followProgress } from '../../core/view/run/progress.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { chooseRun } from '../../app/choose-run.ts';
import { eventsFrom, foldRun } from '../../app/fold-run.ts';
import { hasCoordinator } from '../../app/has-coordinator.ts';
import { openProject } from '../../app/open-project.ts';
import type { Terminal } from '../terminal.ts';

export interface EventsFlags {
  readonly follow: boolean;
  readonly raw: boolean;
}

const LOOK_EVERY_MS = 200;

/** `heddle events`: the log, a line for each event; with `-f` until nobody carries the run out any more. */
export async function events(terminal: Terminal, run: string | undefined, flags: EventsFlags): Promise<ExitCode> {
  const open = openProject('read');
  const { store } = open;
  const record = chooseRun(store, run);
  const folded = foldRun(store, record);
  const tell = followProgress(record.run, folded.started);
  let { events: fresh, position } = folded;
  for (;;) {
    for (const event of fresh) terminal.out(flags.raw ? writeEvent(event) : JSON.stringify(tell(event)));
    const isGoing = flags.follow && folded.state.run.stage !== 'ended' && hasCoordinator(open, record);
    if (!isGoing) break;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    ({ events: fresh, position } = eventsFrom(store, record.run, position));
    for (const event of fresh) apply(folded.state, event);
  }
  store.close();
  return EXIT.done;
}
