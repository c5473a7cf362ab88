// Plans from a goal: an agent drafts, Heddle judges, the caller accepts.
import { writeAccepted } from '../app/draft/accept-draft.ts';
import { askForChange, draftingOf, draftOn, endDrafting, findDrafting, type Drafting } from '../app/draft/drafting.ts';
import { isGood } from '../app/draft/judge-answer.ts';
import { startDrafting } from '../app/draft/start-drafting.ts';
import { mustNotBeNested } from '../app/project.ts';
import type { Observer } from '../app/run/observer.ts';
import { Refused } from '../app/refused.ts';
import type { DraftFinding } from '../core/draft/draft-finding.ts';
import { projectOf, refusable, type InFolder, type RefusedResult } from './call.ts';

/** A goal to draft a plan for, or an earlier drafting to go on with. */
export interface DraftRequest extends InFolder {
  /** What is to be reached. Undefined goes on with a drafting. */
  readonly goal?: string;
  /** The drafting to go on with; the latest by default. */
  readonly run?: string;
  /** What should change in the latest draft of a drafting that goes on. */
  readonly change?: string;
  /** Texts that go with the goal. */
  readonly sources?: readonly { readonly name: string; readonly text: string }[];
  /** The kind of agent; by default the first that is installed. */
  readonly agent?: string;
  readonly model?: string;
  /** The most that the drafting itself may cost; 5 by default. */
  readonly draftingUsd?: number;
  readonly turnMs?: number;
  readonly withinMs?: number;
  readonly budgetUsd?: number;
  /** How often findings go back in a row; 4 by default. */
  readonly rounds?: number;
  /** Runs the check of the project once first. */
  readonly runsCheck?: boolean;
  /** The file to write, from the project's root; `plan.yaml` by default. */
  readonly file?: string;
  /** Accepts a draft without errors: writes the file and ends the drafting. */
  readonly accepts?: boolean;
  readonly observer?: Observer;
}

/** What came of a drafting: a draft that was accepted, one that waits, or one with errors, and what is to be said of it. */
export type DraftResult =
  | {
      /** `wrong`: the latest draft has errors. `proposed` and `wrong` drafts wait, and the drafting can go on. */
      readonly type: 'accepted' | 'proposed' | 'wrong';
      readonly run: string;
      readonly text: string | undefined;
      /** Of an accepted draft: the file that was written. */
      readonly file: string | undefined;
      readonly reasons: readonly string[];
      readonly assumptions: readonly string[];
      readonly findings: readonly DraftFinding[];
      readonly drafts: number;
    }
  /** The agent could not go on, or the drafting was stopped. */
  | {
      readonly type: 'failed' | 'left';
      readonly run: string;
      readonly reason: string | undefined;
      readonly message: string | undefined;
    };

const NOBODY: Observer = { onStart: () => undefined, onEvents: () => undefined, onNote: () => undefined };

const DRAFTING_USD = 5;
const ROUNDS = 4;
const TURN_MS = 20 * 60_000;

/** Drafts a plan for a goal, or goes on with a drafting. */
export const draft = (request: DraftRequest): Promise<DraftResult | RefusedResult> =>
  refusable(async () => {
    mustNotBeNested(projectOf(request));
    const drafting = await draftingFor(request);
    try {
      const { change } = request;
      const asked = change === undefined ? 0 : askForChange(drafting, change, undefined);
      return await draftedIn(drafting, request, asked);
    } finally {
      drafting.open.store.close();
    }
  });

async function draftingFor(request: DraftRequest): Promise<Drafting> {
  const project = projectOf(request);
  const { goal, run } = request;
  if (goal === undefined) {
    const found = await findDrafting(project, run);
    if (found === undefined) throw new Refused({ code: 'no-drafting', run: undefined });
    return found;
  }
  const { sources = [], agent, model, withinMs, budgetUsd, runsCheck = true, file = 'plan.yaml' } = request;
  const { draftingUsd = DRAFTING_USD, rounds = ROUNDS, turnMs = TURN_MS } = request;
  const limits = { draftingUsd, rounds, turnMs, withinMs, budgetUsd };
  const started = await startDrafting({
    project,
    goal,
    sources,
    agent,
    model,
    runsCheck,
    file,
    revises: undefined,
    ...limits,
  });
  return draftingOf(started);
}

async function draftedIn(
  drafting: Drafting,
  { accepts = false, observer = NOBODY }: DraftRequest,
  asked: number,
): Promise<DraftResult> {
  const drafted = await draftOn(drafting, { observer, asked, onDraft: () => undefined });
  const { run } = drafting.record;
  if (drafted.type === 'left') return { type: 'left', run, reason: undefined, message: undefined };
  const { draft: latest, drafts } = drafted;
  if (latest === undefined) {
    const { reason, message } = drafted.type === 'failed' ? drafted : { reason: undefined, message: undefined };
    return { type: 'failed', run, reason, message };
  }
  const { judged } = latest;
  const { text, reasons, assumptions, findings } = judged;
  const told = { run, text, reasons, assumptions, findings, drafts: drafts.length };
  if (!isGood(judged)) return { type: 'wrong', file: undefined, ...told };
  if (!accepts) return { type: 'proposed', file: undefined, ...told };
  const written = writeAccepted(drafting, { judged, text: text ?? '' });
  await endDrafting(drafting, true, observer);
  return { type: 'accepted', ...told, text: written.text, file: written.file };
}
