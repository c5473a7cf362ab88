import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeForeground } from '../../app/local-parts.ts';
import { writeAccepted, type AcceptedFile } from '../../app/draft/accept-draft.ts';
import {
  askForChange,
  draftOn,
  endDrafting,
  type DraftAnswer,
  type Drafted,
  type Drafting,
} from '../../app/draft/drafting.ts';
import { isGood, judgeText, type JudgedDraft } from '../../app/draft/judge-answer.ts';
import { mustNotBeNested } from '../../app/project.ts';
import { LANGUAGE_GUIDE } from '../../core/draft/language-guide.ts';
import { formatMoney } from '../../core/view/chart/format.ts';
import { pictureOfPlan } from '../../core/view/draw/picture-of-plan.ts';
import { drawSvg } from '../../core/view/svg/svg.ts';
import { canAsk, lineTyped } from '../terminal/ask.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { onInterrupts } from '../terminal/interrupts.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { draftLine, draftLines } from './draft-lines.ts';
import { exitCodeOf } from '../text/run-end-text.ts';
import { amend } from '../commands/amend.ts';
import { draftAsData, type Finished } from './draft-data.ts';
import { draftingObserver } from './draft-observer.ts';
import { openDrafting, type DraftFlags } from './open-drafting.ts';

/** `heddle plan "GOAL"`: an agent drafts a plan, Heddle judges it, a person accepts it. Nothing runs. */
export async function draft(terminal: Terminal, words: readonly string[], flags: DraftFlags): Promise<ExitCode> {
  if (flags.printGuide) {
    terminal.out(LANGUAGE_GUIDE.trimEnd());
    return EXIT.done;
  }
  mustNotBeNested();
  const drafting = await openDrafting(terminal, words, flags);
  try {
    const finished = await converse(terminal, drafting, flags);
    const { written } = finished;
    const exit = written === undefined ? finished.exit : await amendWith(terminal, drafting, { written, flags });
    if (flags.json) terminal.out(JSON.stringify(draftAsData(drafting, finished), undefined, 2));
    return exit;
  } finally {
    drafting.open.store.close();
  }
}

/** Round after round until a person, or a flag in their place, decides. */
async function converse(terminal: Terminal, drafting: Drafting, flags: DraftFlags): Promise<Finished> {
  const observer = draftingObserver(terminal, drafting);
  const onDraft = (each: DraftAnswer, goesBack: boolean): void => terminal.err(draftLine(each, goesBack));
  for (let asked = 0; ;) {
    const drafted = await draftOn(drafting, { observer, onDraft, asked, interrupts: onInterrupts });
    if (drafted.type === 'left') return left(terminal, drafting, drafted);
    if (drafted.type === 'failed') terminal.err(failureSentence(drafting, drafted));
    const { draft: latest } = drafted;
    if (latest === undefined) return { exit: failedExit(drafted), drafted, judged: undefined, written: undefined };
    const decided = await decide(terminal, drafting, { draft: latest, flags });
    if (decided.type === 'change' && drafted.type === 'drafted') {
      asked = askForChange(drafting, decided.words, decided.edited);
      continue;
    }
    if (decided.type !== 'accept') return { ...leave(terminal, drafting, decided), drafted };
    const written = writeAccepted(drafting, { judged: latest.judged, text: decided.judged.text ?? '' });
    await endDrafting(drafting, true, observer);
    if (!flags.json) for (const line of acceptedLines(drafting, written)) terminal.out(line);
    return { exit: EXIT.done, drafted, judged: decided.judged, written };
  }
}

type Decided =
  | { readonly type: 'accept' | 'leave'; readonly judged: JudgedDraft }
  | {
      readonly type: 'change';
      readonly judged: JudgedDraft;
      readonly words: string;
      readonly edited: string | undefined;
    };

interface Deciding {
  readonly draft: DraftAnswer;
  readonly flags: DraftFlags;
}

/** What becomes of a draft: by flags, or by the person at the terminal. */
async function decide(terminal: Terminal, drafting: Drafting, { draft, flags }: Deciding): Promise<Decided> {
  const { judged } = draft;
  let current = (await leftEdited(terminal, drafting, draft)) ?? judged;
  if (!flags.json) show(terminal, drafting, current);
  if (flags.yes) return { type: isGood(current) ? 'accept' : 'leave', judged: current };
  if (flags.json || !canAsk(terminal)) return { type: 'leave', judged: current };
  for (;;) {
    const choices = isGood(current) ? 'accept, edit, leave' : 'edit, leave';
    const typed = (await lineTyped(terminal, `${choices}, or say what should change: `))?.trim();
    if (typed === undefined || /^(?:l|leave|q|quit)$/iu.test(typed)) return { type: 'leave', judged: current };
    if (/^(?:a|accept|y|yes)$/iu.test(typed)) {
      if (isGood(current)) return { type: 'accept', judged: current };
      terminal.err('The plan has errors and cannot be accepted. Edit it, or say what should change.');
    } else if (/^(?:e|edit)$/iu.test(typed)) {
      const changed = await edited(terminal, drafting, { draft, current });
      if (changed !== undefined) show(terminal, drafting, changed);
      current = changed ?? current;
    } else if (typed !== '') {
      const isEdited = current.text !== judged.text;
      return { type: 'change', judged: current, words: typed, edited: isEdited ? current.text : undefined };
    }
  }
}

function show(terminal: Terminal, { open, record }: Drafting, judged: JudgedDraft): void {
  terminal.out(draftLines(terminal, judged).join('\n'));
  if (judged.checked === undefined) return;
  const picture = join(open.project.home, 'runs', record.run, 'plan.svg');
  writeFileSync(picture, drawSvg(pictureOfPlan(judged.checked.plan, {})));
  terminal.out(paint(terminal, 'quiet', `The picture of it is ${picture}.`));
}

/** Where a person edits a draft; the drafts themselves stay in the log. */
const editedFile = ({ open, record }: Drafting, { number }: DraftAnswer): string =>
  join(open.project.home, 'runs', record.run, `plan-${number}.yaml`);

/** The draft as a person edited it before the drafting was left; undefined when nobody did. */
async function leftEdited(
  terminal: Terminal,
  drafting: Drafting,
  draft: DraftAnswer,
): Promise<JudgedDraft | undefined> {
  const file = editedFile(drafting, draft);
  const text = editedText(file);
  if (text === undefined || text === draft.judged.text) return undefined;
  terminal.err(`This is draft ${draft.number} as you edited it, in ${file}.`);
  return await judgedAgain(drafting, draft, text);
}

/** The plan as the person leaves it in the editor; undefined when the editor failed. */
async function edited(
  terminal: Terminal,
  drafting: Drafting,
  { draft, current }: { readonly draft: DraftAnswer; readonly current: JudgedDraft },
): Promise<JudgedDraft | undefined> {
  const file = editedFile(drafting, draft);
  writeFileSync(file, current.text ?? '');
  const editor =
    [process.env['VISUAL'], process.env['EDITOR']].find((each) => each !== undefined && each !== '') ?? 'vi';
  const end = await takeForeground(['/bin/sh', '-c', `${editor} "$1"`, 'sh', file], {
    cwd: drafting.open.project.root,
  });
  if (end !== 'done') {
    terminal.err(`The editor ${editor} did not end well; your text is in ${file}. Set EDITOR to another.`);
    return undefined;
  }
  const text = editedText(file);
  if (text === undefined) terminal.err('The file is empty, so the plan stays as it was.');
  return text === undefined ? undefined : await judgedAgain(drafting, draft, text);
}

/** Whatever a person left there: what is no text has errors, and can be edited again. Undefined without any. */
function editedText(file: string): string | undefined {
  const text = existsSync(file) ? readFileSync(file).toString() : '';
  return text.trim() === '' ? undefined : text;
}

async function judgedAgain({ judging }: Drafting, { judged }: DraftAnswer, text: string): Promise<JudgedDraft> {
  const { reasons, assumptions } = judged;
  return { ...(await judgeText(text, judging)), reasons, assumptions };
}

function acceptedLines({ settings, record }: Drafting, { file, wasTaken }: AcceptedFile): readonly string[] {
  const taken = wasTaken ? ` ${settings.file} is there already and was kept.` : '';
  return [
    `The plan is in ${file}.${taken} Nothing has run.`,
    `  heddle run ${file}`,
    `  heddle turns ${record.run}   shows the drafts`,
  ];
}

/** Left without a decision: the drafting waits, and everything in it is kept. */
function leave(terminal: Terminal, { record }: Drafting, { judged }: Decided): Omit<Finished, 'drafted'> {
  const isFit = isGood(judged);
  const goesOn = `heddle plan --run ${record.run} goes on with it`;
  terminal.err(
    isFit
      ? `Nothing was written. ${goesOn}; with --yes it accepts the plan.`
      : `The last draft still has errors. Nothing was written. ${goesOn}, at a terminal.`,
  );
  return { exit: isFit ? EXIT.waiting : EXIT.wrong, judged, written: undefined };
}

function left(terminal: Terminal, { record }: Drafting, drafted: Extract<Drafted, { type: 'left' }>): Finished {
  const exit = exitCodeOf(drafted.coordinated);
  terminal.err(`The drafting ${record.run} was left as it is. heddle plan --run ${record.run} goes on with it.`);
  return { exit, drafted, judged: drafted.drafts.at(-1)?.judged, written: undefined };
}

type Failed = Extract<Drafted, { type: 'failed' }>;

const failedExit = (drafted: Drafted): ExitCode =>
  drafted.type === 'failed' && drafted.reason === 'cost' ? EXIT.ceiling : EXIT.someFailed;

function failureSentence({ settings, record }: Drafting, { reason, message, drafts }: Failed): string {
  const spent = drafts.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
  const why =
    reason === 'cost'
      ? `The drafting has reached its budget (${formatMoney(spent)} spent); --budget-usd raises it.`
      : `${settings.agent} could not draft the plan: ${ended(message ?? reason ?? 'no reason is known')}`;
  return `${why} heddle turns ${record.run} shows what there is.`;
}

const ended = (text: string): string => (/[.!?]$/u.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`);

interface Amending {
  readonly written: AcceptedFile;
  readonly flags: DraftFlags;
}

/** A plan that a run follows is amended, with the usual preview. */
async function amendWith(terminal: Terminal, { settings }: Drafting, { written, flags }: Amending): Promise<ExitCode> {
  const run = settings.revises?.run;
  if (run === undefined) return EXIT.done;
  const { yes, json } = flags;
  // One object is promised, so what the amendment prints goes to the other stream.
  const shown = json ? { ...terminal, out: terminal.err } : terminal;
  const detach = json || !canAsk(terminal);
  return await amend(shown, [run, written.file], { dryRun: false, yes, detach, plain: false, json: false });
}
