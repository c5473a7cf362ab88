import { existsSync } from 'node:fs';
import { apply } from '../../../core/engine/apply/apply.ts';
import { ATTEMPT_FILES, attemptFolder } from '../../../shell/attempt-folder.ts';
import { EXIT, type ExitCode } from '../../exit-code.ts';
import { attemptsOf, type Attempt } from '../../run/attempts-of.ts';
import { chooseRun } from '../../run/choose-run.ts';
import { eventsFrom, foldRun, taskOf, type FoldedRun } from '../../run/fold-run.ts';
import { hasCoordinator } from '../../run/has-coordinator.ts';
import { openHere, type OpenProject } from '../../run/open-store.ts';
import { outputReader } from '../../run/output-reader.ts';
import { paint, type Terminal } from '../../terminal.ts';

export interface LogsFlags {
  readonly run: string | undefined;
  readonly step: string | undefined;
  readonly attempt: number | undefined;
  readonly follow: boolean;
}

const LOOK_EVERY_MS = 200;

/** `heddle logs TASK`: what the steps of a task printed, as it came; with `-f` until the task is over. */
export async function logs(terminal: Terminal, task: string, flags: LogsFlags): Promise<ExitCode> {
  const open = openHere('read');
  const record = chooseRun(open.store, flags.run);
  const folded = foldRun(open.store, record);
  taskOf(folded, task);
  const shown = new Map<string, ReturnType<typeof outputReader>>();
  let { position } = folded;
  const events = [...folded.events];
  for (;;) {
    const isOver = !flags.follow || !mayGoOn(open, folded, task);
    for (const attempt of wanted(attemptsOf(events, task), flags)) print(terminal, { open, folded, attempt, shown });
    if (isOver) break;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    const more = eventsFrom(open.store, record.run, position);
    ({ position } = more);
    for (const event of more.events) {
      apply(folded.state, event);
      events.push(event);
    }
  }
  open.store.close();
  if (shown.size === 0) terminal.err(`${task} has not begun to work in ${record.run}, so there is no output yet.`);
  return EXIT.done;
}

function mayGoOn(open: OpenProject, { state, compiled, record }: FoldedRun, task: string): boolean {
  const index = compiled.indexOf.get(task);
  const isEnded = index !== undefined && state.tasks[index]?.ended !== undefined;
  return !isEnded && state.run.stage !== 'ended' && hasCoordinator(open, record);
}

/** Of each step the latest attempt, unless one is asked for. */
function wanted(attempts: readonly Attempt[], { step, attempt }: LogsFlags): readonly Attempt[] {
  const ofStep = attempts.filter((each) => step === undefined || (each.claim.step ?? 'check') === step);
  if (attempt !== undefined) return ofStep.filter(({ claim }) => claim.attempt === attempt);
  const latest = new Map(ofStep.map((each) => [each.claim.step, each]));
  return [...latest.values()];
}

interface Printing {
  readonly open: OpenProject;
  readonly folded: FoldedRun;
  readonly attempt: Attempt;
  readonly shown: Map<string, ReturnType<typeof outputReader>>;
}

function print(terminal: Terminal, { open, folded, attempt, shown }: Printing): void {
  const folder = attemptFolder(open.project.home, folded.record.run, attempt.claim);
  if (!existsSync(folder)) return;
  const known = shown.get(folder);
  const reader = known ?? outputReader(folder, ATTEMPT_FILES.output);
  shown.set(folder, reader);
  if (known === undefined) {
    const { step, attempt: number } = attempt.claim;
    terminal.err(paint(terminal, 'quiet', `── ${step ?? 'check'}, attempt ${number}`));
  }
  for (const bytes of reader()) terminal.writeBytes(bytes);
}
