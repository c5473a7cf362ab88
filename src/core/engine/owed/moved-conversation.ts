// A turn that continues a conversation on another machine than that of the turn before it.
//
// moved-conversation/C1. Where the conversation is, and whether its files are kept for other machines, follows from the log;
//     so does the assignment for a given machine, before and after a restart.
// moved-conversation/C2. A turn that begins anew is told what was asked before and what was answered: its prompt alone may
//     refer to what it never saw.
import { taskOfPath, type CompiledStep } from '../../compile/compiled.ts';
import type { ClaimRef, Conversation } from '../../protocol/assignment.ts';
import { CARRIED_KINDS, type MovedConversation } from '../../protocol/placement.ts';
import { claimNamed, stepFactsOf, taskAt } from '../facts.ts';
import type { RunInputs } from '../scope.ts';
import type { Claim, State } from '../state.ts';
import { renderedOrWritten } from './rendered-text.ts';
import { takenUp, type TakenUp } from './taken-up.ts';

export interface ConversationThere {
  /** Undefined when the turn begins one of its own. */
  readonly conversation: Conversation | undefined;
  /** Undefined when it was on this machine already, or there is none. */
  readonly moved: MovedConversation | undefined;
  /** For a turn that begins anew: what was said before. */
  readonly summary: string;
}

export interface ConversationOf {
  readonly claim: Claim;
  readonly given: RunInputs;
  /** The machine of the turn; undefined for that of the coordinator. */
  readonly host: string | undefined;
}

export const NO_CONVERSATION: ConversationThere = { conversation: undefined, moved: undefined, summary: '' };

/** The conversation of a turn, as the machine of the turn has it. */
export function conversationThere(state: State, step: CompiledStep, taking: ConversationOf): ConversationThere {
  const taken = takenUp(state, step, taking.claim);
  if (taken === undefined) return NO_CONVERSATION;
  const { conversation, last } = taken;
  if (last.host === taking.host) return { conversation, moved: undefined, summary: '' };
  if (!isCarried(state, taken, taking.claim))
    return { conversation: undefined, moved: 'anew', summary: summaryOf(state, step, { taken, given: taking.given }) };
  return { conversation: { ...conversation, carried: last.by }, moved: 'carried', summary: '' };
}

/** A conversation whose files the machine of a running claim needs. */
export interface CarriedConversation {
  /** The kind of the agent. */
  readonly use: string;
  readonly id: string;
  /** The claim that left the files, and where. */
  readonly by: ClaimRef;
  readonly host: string | undefined;
}

/** Undefined for a claim that takes no conversation along. */
export function carriedTo(state: State, ref: ClaimRef): CarriedConversation | undefined {
  const claim = claimNamed(state, ref);
  const step = taskOfPath(state.compiled, ref.task)?.steps[claim?.step ?? -1];
  if (claim?.agent === undefined || step === undefined) return undefined;
  const taken = takenUp(state, step, claim);
  if (taken === undefined || taken.last.host === claim.host || !isCarried(state, taken, claim)) return undefined;
  const { id, by, host } = taken.last;
  return { use: useOf(state, claim), id, by, host };
}

const useOf = ({ compiled }: State, { agent }: Claim): string =>
  compiled.plan.agents.find(({ name }) => name === agent)?.use ?? '';

/** The files of its own sandboxes the coordinator's machine has at hand. */
const isCarried = (state: State, { last }: TakenUp, claim: Claim): boolean =>
  CARRIED_KINDS.includes(useOf(state, claim)) && (last.host === undefined || last.isKept === true);

export const withSummary = (prompt: string, summary: string): string =>
  summary === '' ? prompt : `${prompt}\n\n${summary}`;

/** Maximum number of characters of each text of the summary. */
const TEXT_MAX = 4_000;

interface Summing {
  readonly taken: TakenUp;
  readonly given: RunInputs;
}

function summaryOf(state: State, step: CompiledStep, { taken, given }: Summing): string {
  const { by } = taken.last;
  // An amended plan may have other tasks and other steps.
  const before = taskOfPath(state.compiled, by.task)?.steps.find((each) => each.step.id === by.step);
  const parts = ['An earlier conversation about this work was held on another machine, and cannot be continued here.'];
  // The prompt of the step itself is there already.
  const isOwn = before?.task === step.task && before.index === step.index;
  if (!isOwn && before?.step.type === 'prompt') {
    const asked = renderedOrWritten(state, taskAt(state, before.task), { text: before.step.prompt, given });
    parts.push(`It was asked:\n\n${quoted(asked)}`);
  }
  const answer = before === undefined ? '' : (stepFactsOf(state, before).result?.response?.trim() ?? '');
  if (answer !== '') parts.push(`Its last answer was:\n\n${quoted(answer)}`);
  parts.push('What it did in the files is there.');
  return parts.join('\n\n');
}

/** What was asked before is not asked again. */
const quoted = (text: string): string => cut(text).replaceAll(/^/gm, '> ');

const cut = (text: string): string => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text);
