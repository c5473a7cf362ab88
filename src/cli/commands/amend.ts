// `heddle amend`: another plan for what is left of a run, shown before it is done.
//
// A1. What is done is what was shown: the coordinator compares, and when the run has moved on it is shown and asked again.
// A2. Nothing is written before the changed plan was read, compiled and proved.
import { chooseRun } from '../../app/choose-run.ts';
import { foldRun, type FoldedRun } from '../../app/fold-run.ts';
import { prioritiesFor } from '../../app/run-history.ts';
import { mustNotBeNested } from '../../app/nested.ts';
import { openProject, type OpenProject, type RunRecord, type Store } from '../../app/open-project.ts';
import { loadPlanToRun, planOf } from '../../app/plan/load-plan.ts';
import type { SettingsFlags } from '../../app/plan/settings-flags.ts';
import type { Replied } from '../../app/run/reply-to.ts';
import { mustBeRunnable } from '../../app/run/runnable.ts';
import { compile } from '../../core/compile/compile.ts';
import { amendmentOf, type Amendment } from '../../core/engine/amend/amendment.ts';
import { planChanges, taskChanges } from '../../core/engine/amend/changes.ts';
import { expectedOf } from '../../core/engine/amend/decide-amend.ts';
import type { PlanGiven } from '../../core/engine/event.ts';
import { factsOf } from '../../core/engine/facts.ts';
import { planIn } from '../../core/engine/fold.ts';
import type { State } from '../../core/engine/state.ts';
import { arePlansEqual } from '../../core/plan/plan-json.ts';
import { confirmed } from '../ask.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { Failure } from '../failure.ts';
import { isUnsound, prove } from '../../app/plan/checked-plan.ts';
import { verdictLines } from '../text/proof-text.ts';
import type { Terminal } from '../terminal.ts';
import { amendmentLines, isNothing, type Shown } from '../text/amendment-text.ts';
import { printDiagnostics } from '../text/diagnostic-text.ts';
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
  const open = openProject('control');
  const { record, file } = runAndPlan(open.store, words);
  const folded = foldRun(open.store, record);
  const changed = await changedPlan(terminal, open, { folded, file, flags });
  if (changed === undefined) return EXIT.wrong;
  for (let times = 1; ; times += 1) {
    const shown = show(times === 1 ? folded : foldRun(open.store, record), changed);
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
  readonly folded: FoldedRun;
  readonly file: string | undefined;
  readonly flags: AmendFlags;
}

/** The changed plan, once it is known to be right; undefined when what is wrong with it was said. */
async function changedPlan(
  terminal: Terminal,
  { store }: OpenProject,
  { folded: { compiled, state }, file, flags }: Changing,
): Promise<PlanGiven | undefined> {
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
  const changed = compile(plan);
  const proof = prove(changed);
  if (isUnsound(proof)) {
    for (const line of verdictLines(terminal, proof)) terminal.err(line);
    return undefined;
  }
  const { policy } = state.order;
  return { plan, priorities: prioritiesFor(store, changed, { policy, seed: state.run.seed }) };
}

function show({ record, state, events, position }: FoldedRun, changed: PlanGiven): Shown {
  const amendment = amendmentOf(state, compile(changed.plan));
  return {
    run: record.run,
    stage: state.run.stage,
    isAtWork: state.claims.size > 0,
    position,
    changed,
    isSame: arePlansEqual(changed.plan, planIn(events)),
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

// Reads the words after `heddle amend`: a run, a plan, or both. A word that is the id of a run means that run.

export interface RunAndPlan {
  readonly record: RunRecord;
  /** Undefined is the one that is looked for by its usual names. */
  readonly file: string | undefined;
}

export function runAndPlan(store: Store, words: readonly string[]): RunAndPlan {
  const [first, second, third] = words;
  if (third !== undefined) throw new Failure(`heddle amend takes a run and a plan; ${third} is one word too many.`);
  if (second !== undefined) return { record: chooseRun(store, first), file: second };
  const isRun = first !== undefined && store.find(first) !== undefined;
  return { record: chooseRun(store, isRun ? first : undefined), file: isRun ? undefined : first };
}
