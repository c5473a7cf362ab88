// A drafting in progress: its turns are those of a run, and every draft waits at the gate of that run.
//
// drafting/G1. The log has every draft and every text that went back, so a drafting goes on where it stopped.
// drafting/G2. Findings go back at most `rounds` times in a row; then a person decides. The run's budget bounds all of it.
// drafting/G3. A drafting starts no work and changes no file but the one that a person accepts.
import type { RunEvent } from '../../core/engine/event.ts';
import { startOf } from '../../core/engine/apply/fold.ts';
import { draftChangeText, findingsText, type Request } from '../../core/draft/briefing.ts';
import { DRAFT_STEP, DRAFT_TASK } from '../../core/draft/drafting-plan.ts';
import { agentsHere } from '../agent-parts.ts';
import { foldRun } from '../fold-run.ts';
import { openProject, type OpenProject, type RunRecord } from '../open-project.ts';
import type { Project } from '../project.ts';
import { Refused } from '../refused.ts';
import { coordinate, type Coordinated } from '../run/coordinate.ts';
import type { Interrupts } from '../run/interruption.ts';
import type { Observer } from '../run/observer.ts';
import { post } from '../run/post-resume.ts';
import { isGood, judgeAnswer, type JudgedDraft, type JudgeOptions } from './judge-answer.ts';
import { orderOf, type DraftingSettings } from './drafting-settings.ts';
import { addedKeys, agentsFor, type StartedDrafting } from './start-drafting.ts';
import { surveyProject } from './survey-project.ts';

export interface Drafting {
  readonly open: OpenProject;
  readonly record: RunRecord;
  readonly settings: DraftingSettings;
  readonly judging: JudgeOptions;
}

export function draftingOf({ open, record, settings, surveyed }: StartedDrafting): Drafting {
  const { withinMs, budgetUsd, file, revises } = settings;
  const judging = {
    project: open.project,
    file,
    facts: surveyed.facts,
    limits: { withinMs, budgetUsd },
    added: addedKeys(surveyed, file),
    revised: revises?.text,
  };
  return { open, record, settings, judging };
}

/** The drafting that is named, else the latest that is not over; undefined when there is none to go on with. */
export async function findDrafting(project: Project, named: string | undefined): Promise<Drafting | undefined> {
  const open = openProject('write', project);
  const drafts = open.store.runs().filter(({ run, purpose }) => purpose === 'draft' && (named ?? run) === run);
  if (named !== undefined && drafts.length === 0) {
    const isRun = open.store.find(named) !== undefined;
    open.store.close();
    if (isRun) throw new Refused({ code: 'no-drafting', run: named });
    throw new Refused({ code: 'run-unknown', run: named, like: undefined, latest: undefined });
  }
  const record = drafts.at(-1);
  const folded = record === undefined ? undefined : foldRun(open.store, record);
  const settings = folded === undefined ? undefined : orderOf(startOf(folded.events).inputs);
  const isOver = folded?.state.run.stage === 'ended';
  if (record === undefined || settings === undefined || isOver) {
    open.store.close();
    if (named !== undefined && isOver) throw new Refused({ code: 'drafting-over', run: named });
    return undefined;
  }
  const surveyed = surveyProject(project.root, agentsFor(await agentsHere(), settings.agent));
  return draftingOf({ open, record, settings, surveyed });
}

/** One answer of the agent. */
export interface DraftAnswer {
  /** Counted from 1 over the whole drafting. */
  readonly number: number;
  readonly answer: string;
  readonly usd: number | undefined;
  readonly judged: JudgedDraft;
}

export type Drafted =
  /** The latest draft, good or not, after as many rounds as there are. */
  | { readonly type: 'drafted'; readonly draft: DraftAnswer; readonly drafts: readonly DraftAnswer[] }
  /** The agent could not go on: the last draft that can be accepted, where there is one. */
  | {
      readonly type: 'failed';
      readonly reason: string | undefined;
      readonly message: string | undefined;
      readonly draft: DraftAnswer | undefined;
      readonly drafts: readonly DraftAnswer[];
    }
  | { readonly type: 'left'; readonly coordinated: Coordinated; readonly drafts: readonly DraftAnswer[] };

export interface DraftingHooks {
  readonly observer: Observer;
  readonly interrupts?: Interrupts | undefined;
  /** The number of drafts before the person's latest words: findings are counted from there. */
  readonly asked?: number;
  /** A draft was judged; `goesBack` says whether its findings are sent back to the agent. */
  readonly onDraft: (draft: DraftAnswer, goesBack: boolean) => void;
}

/** Lets the agent draft until a draft is good, or all rounds are used up. */
export async function draftOn(drafting: Drafting, hooks: DraftingHooks): Promise<Drafted> {
  const { open, record, settings, judging } = drafting;
  const drafts: DraftAnswer[] = [];
  for (;;) {
    const coordinated = await goOn(drafting, hooks);
    const { events } = foldRun(open.store, record);
    for (const { answer, usd } of answersIn(events).slice(drafts.length))
      drafts.push({ number: drafts.length + 1, answer, usd, judged: await judgeAnswer(answer, judging) });
    const { over } = coordinated;
    if (over.type === 'ended') return failedOf(events, drafts);
    if (over.type !== 'waiting' || over.for !== 'answer') return { type: 'left', coordinated, drafts };
    const draft = drafts.at(-1);
    if (draft === undefined) return { type: 'left', coordinated, drafts };
    const goesBack = draft.judged.findings.length > 0 && inARow(drafts.slice(hooks.asked ?? 0)) <= settings.rounds;
    hooks.onDraft(draft, goesBack);
    if (!goesBack) return { type: 'drafted', draft, drafts };
    sendBack(drafting, findingsText(draft.judged.findings, requestOf(drafting)));
  }
}

/** Drafts in a row that have findings, the latest included. */
const inARow = (drafts: readonly DraftAnswer[]): number =>
  drafts.length - 1 - drafts.findLastIndex(({ judged }) => judged.findings.length === 0);

/** Coordinates the run until it waits for a decision about a draft, is stopped, or is over. */
function goOn(
  { open, record }: Drafting,
  { observer, interrupts }: Pick<DraftingHooks, 'observer' | 'interrupts'>,
): Promise<Coordinated> {
  const { project, store } = open;
  if (foldRun(store, record).state.run.stage === 'paused') post(open, record, { type: 'resume', tasks: [] });
  return coordinate({ project, store, record, compiled: undefined, observer, takesOver: false, waitMs: 0, interrupts });
}

const requestOf = ({ settings: { goal, withinMs, budgetUsd, revises } }: Drafting): Request => ({
  goal,
  limits: { withinMs, budgetUsd },
  sources: [],
  revised: revises?.text,
});

/** The next round, in the same conversation. */
function sendBack({ open, record }: Drafting, text: string): void {
  post(open, record, { type: 'retry', tasks: [DRAFT_TASK], text });
}

/** What a person wants changed; `edited` is the text of the plan as the person has changed it. Says how many drafts there are. */
export function askForChange(drafting: Drafting, words: string, edited: string | undefined): number {
  sendBack(drafting, draftChangeText(words, edited, requestOf(drafting)));
  return answersIn(foldRun(drafting.open.store, drafting.record).events).length;
}

/** Ends the drafting: its draft is accepted, or nobody wants another. */
export async function endDrafting(drafting: Drafting, isAccepted: boolean, observer: Observer): Promise<void> {
  const { open, record } = drafting;
  const { stage } = foldRun(open.store, record).state.run;
  if (stage === 'ended') return;
  post(
    open,
    record,
    isAccepted ? { type: 'approve', task: DRAFT_TASK, step: DRAFT_STEP } : { type: 'cancel', tasks: [] },
  );
  await goOn(drafting, { observer });
}

interface AnswerGiven {
  readonly answer: string;
  readonly usd: number | undefined;
}

/** Every draft waits at the gate, so it is in the log with its answer. */
function answersIn(events: readonly RunEvent[]): readonly AnswerGiven[] {
  return events.flatMap((event) =>
    event.type === 'claim.asked' && event.task === DRAFT_TASK && event.step === DRAFT_STEP && event.result?.ok === true
      ? [{ answer: event.result.response ?? '', usd: event.spend.usd }]
      : [],
  );
}

function failedOf(events: readonly RunEvent[], drafts: readonly DraftAnswer[]): Drafted {
  const task = events.findLast((event) => event.type === 'task.ended' && event.task === DRAFT_TASK);
  const turn = events.findLast((event) => event.type === 'claim.ended' && event.step === DRAFT_STEP);
  const reason = task?.type === 'task.ended' ? task.reason : undefined;
  const message = turn?.type === 'claim.ended' ? turn.result?.response : undefined;
  const draft = drafts.findLast(({ judged }) => isGood(judged));
  return { type: 'failed', reason, message, draft, drafts };
}
