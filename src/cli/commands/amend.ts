import { chooseRun, openProject, type OpenProject, type RunRecord, type Store } from '../../app/open-project.ts';
import { foldRun, type FoldedRun } from '../../app/fold-run.ts';
import { mustNotBeNested } from '../../app/project.ts';
import { loadPlanToRun, planOf } from '../../app/plan/load-plan.ts';
import type { SettingsFlags } from '../../app/plan/settings-flags.ts';
import {
  amendRun,
  changePlan,
  type AmendmentPreview,
  type AmendOutcome,
  type AmendReply,
} from '../../app/run/amend-run.ts';
import type { Replied } from '../../core/engine/commands/reply.ts';
import type { PlanGiven } from '../../core/engine/event.ts';
import { confirmed } from '../terminal/ask.ts';
import { EXIT, CommandFailure, type ExitCode } from '../terminal/exit-code.ts';
import { attach, startDetached } from '../attach/attach.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { amendmentLines } from '../text/amendment-lines.ts';
import { repliedText } from '../../core/view/text/command-reply-text.ts';
import { printDiagnostics } from '../text/diagnostic-text.ts';
import { verdictLines } from '../text/proof-text.ts';

export interface AmendFlags extends SettingsFlags {
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly detach: boolean;
  readonly plain: boolean;
  readonly json: boolean;
}

/** `heddle amend`: changes the plan for the rest of a run, after a preview. */
export async function amend(terminal: Terminal, words: readonly string[], flags: AmendFlags): Promise<ExitCode> {
  mustNotBeNested();
  const open = openProject('control');
  const { record, file } = runAndPlan(open.store, words);
  const folded = foldRun(open.store, record);
  const changed = await changedPlan(terminal, open, { folded, file, flags });
  if (changed === undefined) return EXIT.wrong;
  const amended = await amendRun(open, {
    folded,
    changed,
    isDry: flags.dryRun,
    onPreview: (preview) => {
      if (!flags.json) terminal.out(amendmentLines(terminal, preview).join('\n'));
    },
    confirm: () => confirmed(terminal, `Amend ${record.run}?`, flags.yes),
    onMovedOn: (replied) => terminal.err(repliedText(replied)),
  });
  switch (amended.type) {
    case 'impossible':
    case 'same':
    case 'dry':
      return print(terminal, open, { ...amended, flags });
    case 'declined':
      return print(terminal, open, { ...amended, flags, says: 'Nothing was done.', wasDeclined: true });
    case 'vacant':
      return await runAmended(terminal, open, { record, amended, flags });
    case 'replied':
    case 'paused':
      return print(terminal, open, { ...amended, flags, says: saysOf(amended, record) });
  }
}

const saysOf = ({ type, replied }: Extract<AmendOutcome, { type: 'replied' | 'paused' }>, { run }: RunRecord): string =>
  type === 'paused' ? `${repliedText(replied)} The run is paused; heddle resume ${run} goes on.` : repliedText(replied);

interface Changing {
  readonly folded: FoldedRun;
  readonly file: string | undefined;
  readonly flags: AmendFlags;
}

/** Undefined when the plan is wrong, which was printed. */
async function changedPlan(
  terminal: Terminal,
  open: OpenProject,
  { folded, file, flags }: Changing,
): Promise<PlanGiven | undefined> {
  const loaded = loadPlanToRun(file, flags);
  const plan = planOf(loaded);
  printDiagnostics({ ...terminal, out: terminal.err }, loaded.diagnostics, loaded.texts);
  if (plan === undefined) return undefined;
  const change = await changePlan(open, folded, plan);
  if (change.type === 'changed') return change.changed;
  for (const line of verdictLines(terminal, change.proof)) terminal.err(line);
  return undefined;
}

interface Amended {
  readonly record: RunRecord;
  readonly amended: Extract<AmendOutcome, { type: 'vacant' }>;
  readonly flags: AmendFlags;
}

/** Coordinates a run that has no coordinator, so that the amendment takes effect. */
async function runAmended(
  terminal: Terminal,
  open: OpenProject,
  { record, amended, flags }: Amended,
): Promise<ExitCode> {
  const { json, plain, detach } = flags;
  // With --json one object is promised, so the events of the run are not printed beside it.
  const shown = json ? { ...terminal, out: () => {} } : terminal;
  const exit = detach
    ? await startDetached(shown, open, record)
    : await attach(shown, open, { record, flags: { json, plain, waitMs: undefined, takeOver: false } });
  if (!json && !detach) return exit;
  // A detached coordinator may refuse the amendment, and the caller does not see its events.
  const again = openProject('read');
  const reply: AmendReply = await amended.reply(again);
  return print(terminal, again, { preview: amended.preview, flags, ...reply, says: repliedText(reply.replied), exit });
}

interface AmendSummary {
  readonly preview: AmendmentPreview;
  readonly flags: AmendFlags;
  readonly says?: string;
  readonly replied?: Replied;
  /** The person declined. */
  readonly wasDeclined?: boolean;
  readonly isDone?: boolean;
  /** Of the run, where it was coordinated here. */
  readonly exit?: ExitCode | undefined;
}

/** The last words, and the exit code. */
function print(terminal: Terminal, { store }: OpenProject, summary: AmendSummary): ExitCode {
  const { preview, flags, says, replied, isDone = false, wasDeclined = false, exit } = summary;
  store.close();
  const { run, tasks, plan, stillFailed, refused } = preview;
  const reply = replied?.type === 'replied' ? replied.reply : undefined;
  if (flags.json)
    terminal.out(JSON.stringify({ run, tasks, plan, stillFailed, refused, isDone, answer: says, reply }, undefined, 2));
  else if (says !== undefined) (isDone ? terminal.out : terminal.err)(says);
  // Without a reply in time nothing is known against it.
  if ((isDone || replied?.type === 'silent') && exit !== undefined) return exit;
  if (isDone || says === undefined) return refused.length > 0 ? EXIT.wrong : EXIT.done;
  return wasDeclined ? EXIT.done : EXIT.wrong;
}

interface RunAndPlan {
  readonly record: RunRecord;
  /** Undefined searches for the plan by its usual names. */
  readonly file: string | undefined;
}

/** Reads the words after `heddle amend`: a run, a plan, or both. A word that is the id of a run means that run. */
function runAndPlan(store: Store, words: readonly string[]): RunAndPlan {
  const [first, second, third] = words;
  if (third !== undefined)
    throw new CommandFailure(`heddle amend takes a run and a plan; ${third} is one word too many.`);
  if (second !== undefined) return { record: chooseRun(store, first), file: second };
  const isRun = first !== undefined && store.find(first) !== undefined;
  return { record: chooseRun(store, isRun ? first : undefined), file: isRun ? undefined : first };
}
