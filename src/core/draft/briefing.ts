// The texts that go to the agent: the first prompt, what is wrong with a draft, and what a person wants changed.
import type { DraftFinding } from './draft-finding.ts';
import { factsText } from './facts-text.ts';
import type { DraftLimits } from './judge-draft.ts';
import { LANGUAGE_GUIDE } from './language-guide.ts';
import type { ProjectFacts } from './project-facts.ts';
import { formatMoment, formatMoney } from '../view/chart/format.ts';

export interface Request {
  /** What is to be reached, or with `revised` what is to be changed, in a person's words. */
  readonly goal: string;
  readonly limits: DraftLimits;
  /** Specifications and other texts that go with the goal. */
  readonly sources: readonly SourceGiven[];
  /** The text of the plan to revise. */
  readonly revised: string | undefined;
}

export interface SourceGiven {
  readonly name: string;
  readonly text: string;
}

/** The first prompt. What the check said comes after it, from the sandbox. */
export function briefingText(facts: ProjectFacts, request: Request): string {
  const { revised, sources } = request;
  const job =
    revised === undefined
      ? 'Write a plan by which coding agents reach the goal below in this repository. Look at the code first, as far as the goal needs it.'
      : 'Revise the plan below as a person asks. Keep what the request does not touch, ids and comments too.';
  return [
    `You plan work; you do not do it. ${job} You change no files. A program will judge your plan and send back what is wrong with it.`,
    '',
    LANGUAGE_GUIDE,
    factsText(facts),
    ...sources.flatMap(({ name, text }) => [`# ${name}`, '', quoted(text), '']),
    ...(revised === undefined ? [] : ['# The plan to revise', '', '```yaml', revised.trimEnd(), '```', '']),
    goalText(request),
  ].join('\n');
}

/** Repeated in every round: a conversation may be long. */
function goalText({ goal, limits, revised }: Request): string {
  return [revised === undefined ? '# The goal' : '# The request', '', goal.trim(), ...limitLines(limits)].join('\n');
}

function limitLines({ withinMs, budgetUsd }: DraftLimits): readonly string[] {
  const asked = [
    ...(withinMs === undefined ? [] : [`The whole plan takes at most ${formatMoment(withinMs)}.`]),
    ...(budgetUsd === undefined
      ? []
      : [`It costs at most ${formatMoney(budgetUsd)}: set budget: { usd: ${budgetUsd} }.`]),
  ];
  return asked.length === 0 ? [] : ['', ...asked];
}

/** Text of others, between marks that it cannot close. */
function quoted(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/~{3,}/gu)].map(([run]) => run.length));
  const fence = '~'.repeat(Math.max(4, longest + 1));
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}

const FINDINGS_MAX = 30;

export function findingsText(findings: readonly DraftFinding[], request: Request): string {
  const more = findings.length - FINDINGS_MAX;
  return [
    'Your plan was judged. What is wrong with it, by the lines of your plan:',
    '',
    ...findings.slice(0, FINDINGS_MAX).map(findingLine),
    ...(more > 0 ? [`- … and ${more} more of the same kind.`] : []),
    '',
    ANSWER_WHOLE,
    '',
    goalText(request),
  ].join('\n');
}

const ANSWER_WHOLE =
  'Answer with the whole plan again, in one ```yaml fence, with the lines Why: and Assumption: before it.';

function findingLine({ code, severity, message, hint, position }: DraftFinding): string {
  const where = position === undefined ? '' : `line ${position.line}, `;
  return `- ${where}${severity === 'error' ? 'error' : 'better'} ${code}: ${message} ${hint}`;
}

/** `edited` is the text of a plan that the person has changed by hand. */
export function draftChangeText(words: string, edited: string | undefined, request: Request): string {
  return [
    ...(edited === undefined
      ? []
      : ['A person has changed your plan by hand. It is now:', '', '```yaml', edited.trimEnd(), '```', '']),
    'A person has read the plan and wants this changed:',
    '',
    words.trim(),
    '',
    `Change that, and keep the rest. ${ANSWER_WHOLE}`,
    '',
    goalText(request),
  ].join('\n');
}
