import { factsOf } from '../../core/engine/facts.ts';
import { apply } from '../../core/engine/apply/apply.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { attemptsOf, type Attempt } from '../../app/read/attempts-of.ts';
import { chooseRun } from '../../app/choose-run.ts';
import { eventsFrom, foldRun, taskOf, type FoldedRun } from '../../app/fold-run.ts';
import { hasCoordinator } from '../../app/has-coordinator.ts';
import { openProject, type OpenProject } from '../../app/open-project.ts';
import { isBegun, outputFileOf, outputReader } from '../../app/read/output-reader.ts';
import { paint, type Terminal } from '../terminal.ts';

export interface LogsFlags {
  readonly run: string | undefined;
  readonly step: string | undefined;
  readonly attempt: number | undefined;
  readonly follow: boolean;
}

const LOOK_EVERY_MS = 200;

/** `heddle logs TASK`: what the steps of a task printed, as it came; with `-f` until the task is over. */
export async function logs(terminal: Terminal, task: string, flags: LogsFlags): Promise<ExitCode> {
  const open = openProject('read');
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
  if (shown.size > 0) return EXIT.done;
  terminal.err(whyNothing(folded, { task, flags, attempts: attemptsOf(events, task) }));
  return flags.step === undefined && flags.attempt === undefined ? EXIT.done : EXIT.wrong;
}

interface Nothing {
  readonly task: string;
  readonly flags: LogsFlags;
  readonly attempts: readonly Attempt[];
}

/** Why there is no output of a task to show, and where there is some. */
function whyNothing(folded: FoldedRun, { task, flags, attempts }: Nothing): string {
  const { run } = folded.record;
  const compiled = taskOf(folded, task);
  const children = compiled.children.map((child) => folded.compiled.tasks[child]?.task.path ?? '');
  const [first] = children;
  if (first !== undefined) return `${task} prints nothing itself; its tasks do. Try heddle logs ${first}.`;
  if (compiled.task.type !== 'work') return `${task} is a ${compiled.task.type}, which prints nothing.`;
  const { ended } = factsOf(folded.state, compiled.index);
  if (attempts.length > 0) return missed(attempts, { task, flags });
  if (ended === undefined) return `${task} has not begun to work in ${run}, so there is no output yet.`;
  return `${task} never worked in ${run}, so there is no output. heddle explain ${task} says why.`;
}

function missed(attempts: readonly Attempt[], { task, flags }: Omit<Nothing, 'attempts'>): string {
  const made = attempts.map(({ claim }) => `${claim.step ?? 'check'} ${claim.attempt}`).join(', ');
  const isAsked = flags.step !== undefined || flags.attempt !== undefined;
  if (isAsked) return `There is no such attempt on ${task}. Those made: ${made}.`;
  return `There is no output of ${task}: either it was never begun, or what it printed was deleted. heddle explain ${task} says more.`;
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
  const about = { home: open.project.home, run: folded.record.run, claim: attempt.claim };
  if (!isBegun(about)) return;
  const file = outputFileOf(about);
  const known = shown.get(file);
  const reader = known ?? outputReader(about);
  shown.set(file, reader);
  if (known === undefined) {
    const { step, attempt: number } = attempt.claim;
    terminal.err(paint(terminal, 'quiet', `── ${step ?? 'check'}, attempt ${number}`));
  }
  for (const bytes of reader()) terminal.writeBytes(bytes);
}
