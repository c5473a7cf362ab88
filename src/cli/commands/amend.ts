// `heddle amend`: another plan for what is left of a run, shown before it is done.
//
// A1. What is done is what was shown: the coordinator compares, and when the run has moved on it is shown and asked again.
// A2. Nothing is written before the changed plan was read, compiled and proved.
import { compile } from '../../core/compile/compile.ts';
import { amendmentOf, type Amendment } from '../../core/engine/amend/amendment.ts';
import { planChanges, taskChanges } from '../../core/engine/amend/changes.ts';
import { expectedOf } from '../../core/engine/amend/decide-amend.ts';
import { readPlan } from '../../core/engine/amend/read-plan.ts';
import { factsOf } from '../../core/engine/facts.ts';
import type { State } from '../../core/engine/state.ts';
import { assert } from '../../core/assert.ts';
import { printPlan } from '../../core/plan/print/print.ts';
import { confirmed } from '../ask.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { SettingsFlags } from '../../app/plan/settings-flags.ts';
import { loadPlanToRun, planOf } from '../../app/plan/load-plan.ts';
import { printDiagnostics } from '../text/diagnostic-text.ts';
import { foldRun, type FoldedRun } from '../../app/fold-run.ts';
import { openHere, type OpenProject } from '../../app/open-project.ts';
import { isProved } from '../run/proved.ts';
import { mustNotBeNested } from '../../app/nested.ts';
import { mustBeRunnable } from '../../app/run/runnable.ts';
import type { Terminal } from '../terminal.ts';
import { amendmentLines, isNothing, type Shown } from '../text/amendment-text.ts';
import { runAndPlan } from '../../app/run/run-and-plan.ts';
import type { Replied } from '../../app/run/reply-to.ts';
import { submit } from './submit.ts';

export interface AmendFlags extends SettingsFlags {
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly detach: boolean;
  readonly plain: boolean;
  readonly json: boolean;
}

/** How often a run that moves on is shown again before somebody has to call again. */
const SHOWN_MAX = 5;

export async function amend(terminal: Terminal, words: readonly string[], flags: AmendFlags): Promise<ExitCode> {
  mustNotBeNested();
  const open = openHere('control');
  const { record, file } = runAndPlan(open.store, words);
  const folded = foldRun(open.store, record);
  const text = await changedPlan(terminal, folded, { file, flags });
  if (text === undefined) return EXIT.wrong;
  for (let times = 1; ; times += 1) {
    const shown = show(times === 1 ? folded : foldRun(open.store, record), text);
    if (!flags.json) terminal.out(amendmentLines(terminal, shown).join('\n'));
    if (shown.refused.length > 0 || isNothing(shown) || flags.dryRun) return tell(terminal, open, { shown, flags });
    if (!(await confirmed(terminal, `Amend ${record.run}?`, flags.yes)))
      return tell(terminal, open, { shown, flags, says: 'Nothing was done.', wasDeclined: true });
    const submitted = await submit(terminal, open, { record, shown, flags });
    if (typeof submitted === 'number') return submitted;
    const isFinal = !submitted.hasMovedOn || submitted.exit !== undefined || times === SHOWN_MAX;
    if (isFinal) return tell(terminal, open, { shown, flags, ...submitted });
    terminal.err(submitted.says);
  }
}

interface Changing {
  readonly file: string | undefined;
  readonly flags: AmendFlags;
}

/** The whole of the changed plan, once it is known to be right; undefined when what is wrong with it was said. */
async function changedPlan(
  terminal: Terminal,
  { compiled, state }: FoldedRun,
  { file, flags }: Changing,
): Promise<string | undefined> {
  const loaded = loadPlanToRun(file, flags);
  const parsed = planOf(loaded);
  printDiagnostics({ ...terminal, out: terminal.err }, loaded.diagnostics, loaded.texts);
  if (parsed === undefined) return undefined;
  const { sandbox, target } = compiled.plan;
  // What was settled on the command line when the run began stays settled.
  const isInPlace = state.run.base === undefined && sandbox.tree === 'none';
  const plan = {
    ...parsed,
    sandbox: isInPlace ? { ...parsed.sandbox, tree: sandbox.tree } : parsed.sandbox,
    target: parsed.target ?? target,
  };
  await mustBeRunnable(plan);
  return isProved(terminal, compile(plan)) ? printPlan(plan) : undefined;
}

function show({ record, state, events, position }: FoldedRun, text: string): Shown {
  const compiled = readPlan(text);
  assert(compiled !== undefined, 'A plan that was printed can be read.');
  const amendment = amendmentOf(state, compiled);
  const latest = events.findLast(({ type }) => type === 'plan.amended');
  return {
    run: record.run,
    stage: state.run.stage,
    isAtWork: state.claims.size > 0,
    position,
    text,
    isSame: text === (latest?.type === 'plan.amended' ? latest.plan : record.text),
    expects: expectedOf(state, amendment),
    tasks: taskChanges(state, amendment),
    plan: planChanges(state, amendment),
    stillFailed: stillFailedIn(state, amendment),
    refused: amendment.refused,
  };
}

function stillFailedIn(state: State, { restarted, cancelled }: Amendment): readonly string[] {
  return state.compiled.tasks
    .filter(({ task, index }) => task.type === 'work' && factsOf(state, index).ended?.ending === 'failed')
    .filter(({ index }) => !restarted.has(index) && !cancelled.includes(index))
    .map(({ task }) => task.path);
}

interface Telling {
  readonly shown: Shown;
  readonly flags: AmendFlags;
  readonly says?: string;
  readonly replied?: Replied;
  /** The person said no. */
  readonly wasDeclined?: boolean;
  readonly isDone?: boolean;
  /** Of the run, where it was carried on here. */
  readonly exit?: ExitCode | undefined;
}

/** The last words, and how it went. */
function tell(terminal: Terminal, { store }: OpenProject, telling: Telling): ExitCode {
  const { shown, flags, says, replied, isDone = false, wasDeclined = false, exit } = telling;
  store.close();
  const { run, tasks, plan, stillFailed, refused } = shown;
  const reply = replied?.type === 'replied' ? replied.reply : undefined;
  if (flags.json)
    terminal.out(JSON.stringify({ run, tasks, plan, stillFailed, refused, isDone, answer: says, reply }, undefined, 2));
  else if (says !== undefined) (isDone ? terminal.out : terminal.err)(says);
  if (isDone && exit !== undefined) return exit;
  if (isDone || says === undefined) return refused.length > 0 ? EXIT.wrong : EXIT.done;
  return wasDeclined ? EXIT.done : EXIT.wrong;
}
