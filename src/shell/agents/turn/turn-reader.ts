// The common part of all turn readers: facts are gathered line by line, and give the verdict at the end.
//
// turn-reader/R1. A turn has finished when its last event says so, no error was reported, the exit code is good, and it
//     was not denied tools while it has no changes to show.
// turn-reader/R3. A turn that its provider rejected before any token, or that never reached it, costs nothing, also when it
//     is ended while it waits to ask again. Otherwise a cost that the program did not report is unknown, and a program that ended in the middle
//     of an answer reported only a part (P8).
// turn-reader/R2. Whatever is printed, nothing is thrown.
import { assert } from '../../../core/assert.ts';
import type { Conversation } from '../../../core/protocol/assignment.ts';
import type { Reason, Usage } from '../../../core/protocol/result.ts';
import type { Json } from '../../../core/plan/plan.ts';
import type { TurnEnding, TurnEvent, TurnReader, TurnRequest, TurnTotal, Verdict } from '../../ports/agents.ts';
import { fieldsIn, objectAt, oneLine, textField } from './fields.ts';
import { type Fields } from '../../../core/plan/json-fields.ts';
import { permissionIn, questionFor } from './permission.ts';
import { isNothing, NO_USAGE, spendOf } from './usage.ts';
import { isRejection, verdictOn, type ProviderError } from './provider-error.ts';

/** The facts of a turn so far, written by its reader. */
export interface TurnFacts {
  conversation: string | undefined;
  model: string | undefined;
  response: string;
  output: Json | undefined;
  /** The last event has come. */
  hasEnded: boolean;
  error: ProviderError | undefined;
  /** Tools that were denied. */
  readonly denied: string[];
  question: string | undefined;
  /** Heddle ended the turn because of that question, regardless of the program's report. */
  isHeldForPerson: boolean;
  /** The model has begun to answer. */
  hasAnswered: boolean;
  /** The program ended without a connection to its provider, in this whole turn. */
  isUnreached: boolean;
  /** Total usage of this turn so far. */
  spent: Usage | undefined;
  /** `spent` lacks an answer that the model has begun. */
  isPartial: boolean;
  /** The program's counters, when they continue from turn to turn. */
  reading: Usage | undefined;
  /** When the current limit is lifted. */
  retryAt: number | undefined;
  /** Number of tool calls. */
  calls: number;
}

export const noTurnFacts = (request: TurnRequest): TurnFacts => ({
  conversation: undefined,
  model: undefined,
  response: '',
  output: undefined,
  hasEnded: false,
  error: undefined,
  denied: [],
  question: undefined,
  isHeldForPerson: false,
  hasAnswered: false,
  isUnreached: false,
  spent: undefined,
  isPartial: false,
  // A turn that reports no counters leaves them as they were.
  reading: request.conversation?.reading,
  retryAt: undefined,
  calls: 0,
});

export interface TurnFormat {
  readonly request: TurnRequest;
  /** The program names its conversation before it asks its model; so do all but one. */
  readonly isNamedFirst?: boolean;
  /** Reads one object of the output; updates the facts. */
  readonly read: (printed: Fields, facts: TurnFacts) => readonly TurnEvent[];
  /** Reads one line of standard error, for programs that report some facts only there. */
  readonly readStderr?: (line: string) => readonly TurnEvent[];
  /** Reads a file that the program keeps while it runs. */
  readonly poll?: (facts: TurnFacts, home: string | undefined) => readonly TurnEvent[];
  /** Completes the facts when the program has ended, before the verdict. */
  readonly complete?: (facts: TurnFacts, ending: TurnEnding) => void;
}

export function makeReader({ request, read, readStderr, poll, complete, isNamedFirst = true }: TurnFormat): TurnReader {
  const facts = noTurnFacts(request);
  let verdict: Verdict | undefined;
  /** Until then the program waits, and no request is on its way. */
  let backsOffUntil = 0;
  return {
    line: (line) => {
      const printed = fieldsIn(line);
      if (printed === undefined) return line.trim() === '' ? [] : [{ type: 'text', text: line }];
      const before = facts.conversation;
      const events = read(printed, facts);
      facts.calls += events.filter(({ type }) => type === 'tool.called').length;
      for (const event of events) backsOffUntil = backoffAfter(event) ?? backsOffUntil;
      return facts.conversation === undefined || facts.conversation === before
        ? events
        : [{ type: 'conversation', id: facts.conversation }, ...events];
    },
    stderr: readStderr ?? (() => []),
    ...(poll === undefined ? {} : { poll: (home) => (facts.hasEnded ? [] : poll(facts, home)) }),
    verdict: (ending) => {
      complete?.(facts, ending);
      verdict = verdictOf(facts, ending);
      return verdict;
    },
    total: () => totalOf(facts, { verdict, isNamedFirst, isBackingOff: Date.now() < backsOffUntil }),
    conversation: () => conversationOf(facts),
  };
}

export const UNKNOWN_TOTAL: TurnTotal = {
  spend: { usd: undefined, tokens: undefined },
  usage: undefined,
  isPartial: false,
};
export const NO_TOTAL: TurnTotal = { spend: { usd: 0, tokens: 0 }, usage: { ...NO_USAGE, usd: 0 }, isPartial: false };

/** The spend of a turn (turn-reader/R3); without a verdict when Heddle ended the turn. */
function totalOf({ spent: usage, ...facts }: TurnFacts, { verdict, isNamedFirst, isBackingOff }: Ended): TurnTotal {
  if (usage !== undefined) return { spend: spendOf(usage), usage, isPartial: facts.isPartial };
  if (facts.calls > 0 || facts.hasAnswered) return UNKNOWN_TOTAL;
  if (isBackingOff) return NO_TOTAL;
  if (verdict === undefined) return UNKNOWN_TOTAL;
  const isUnasked = isNamedFirst && facts.conversation === undefined && verdict.type === 'failed';
  return isUnasked || facts.isUnreached || isRejection(verdict) ? NO_TOTAL : UNKNOWN_TOTAL;
}

interface Ended {
  readonly verdict: Verdict | undefined;
  readonly isNamedFirst: boolean;
  /** The provider rejected the last request, and the next has not been made. */
  readonly isBackingOff: boolean;
}

/** When the program asks its provider again, where that is known. */
function backoffAfter(event: TurnEvent): number | undefined {
  if (event.type !== 'retrying' || event.afterMs === undefined) return undefined;
  const rejection = verdictOn({ status: undefined, kind: '', message: event.why, until: undefined });
  return isRejection(rejection) ? Date.now() + event.afterMs : undefined;
}

const conversationOf = ({ conversation, reading }: TurnFacts): Omit<Conversation, 'mode'> | undefined =>
  conversation === undefined ? undefined : { id: conversation, reading };

/** Reads a line of Heddle's own dialogue: a decision on a permission, or a question. */
export function readPermission(printed: Fields, facts: TurnFacts): readonly TurnEvent[] {
  if (textField(printed, 'type') === 'permission') {
    const tool = oneLine(textField(printed, 'tool'));
    const isAllowed = printed['isAllowed'] === true;
    // A refusal by a person does not fail the turn: the agent got the refusal.
    if (!isAllowed && printed['isByPerson'] !== true) facts.denied.push(tool);
    return [{ type: 'permission', tool, isAllowed }];
  }
  // The turn was ended for the first question.
  if (facts.isHeldForPerson) return [];
  const permission = permissionIn(objectAt(printed, 'permission'));
  facts.question = permission === undefined ? textField(printed, 'question') : questionFor(permission);
  facts.isHeldForPerson = true;
  return [{ type: 'asked', question: facts.question, permission }];
}

/** Records the spend of the turn and returns it as an event. A program that has no figures prints zeros. */
export function spent(facts: TurnFacts, usage: Usage): readonly TurnEvent[] {
  if (isNothing(usage)) return [];
  facts.spent = usage;
  return [{ type: 'spent', spend: spendOf(usage), usage }];
}

export function verdictOf(facts: TurnFacts, ending: TurnEnding): Verdict {
  const { exit, hasChanges, stderr } = ending;
  if (facts.isHeldForPerson) return asked(facts);
  if (ending.isOurs) return facts.error === undefined ? failed('idle', STUCK) : verdictOnError(facts, ending);
  if (exit.signal !== undefined) return failed('crashed', `The agent was ended by ${exit.signal}.`);
  if (facts.error !== undefined) return verdictOnError(facts, ending);
  if (facts.question !== undefined) return asked(facts);
  if (exit.code !== 0) return exitedBadly(exit.code, stderr);
  if (!facts.hasEnded) return failed('cut_off', 'The agent stopped before it reported how its turn ended.');
  if (facts.denied.length > 0 && hasChanges !== true) return failed('permission', deniedWords(facts.denied));
  const { response, output } = facts;
  const isIdle = response.trim() === '' && output === undefined && facts.calls === 0 && hasChanges !== true;
  if (isIdle) return failed('refused', 'The agent ended its turn without a word, a tool or a change.');
  const result = { ok: true, response, output, exitCode: exit.code, commit: undefined };
  return { type: 'finished', result, hasChanges };
}

const asked = ({ question }: TurnFacts): Verdict => failed('asked', `The agent asks: ${oneLine(question ?? '')}`);

const STUCK = 'The agent was ended: it asked its provider again and again.';

function verdictOnError(facts: TurnFacts, ending: TurnEnding): Verdict {
  assert(facts.error !== undefined, 'There is a error to judge.');
  return verdictOn({ ...facts.error, until: facts.error.until ?? laterOf(facts, ending) });
}

const laterOf = ({ retryAt }: TurnFacts, { now }: TurnEnding): number | undefined =>
  retryAt !== undefined && retryAt > now ? retryAt : undefined;

const failed = (reason: Reason, message: string): Verdict => ({
  type: 'failed',
  reason,
  isFinal: reason === 'permission',
  message,
});

/** A program that ends without a message has usually written one to standard error. */
function exitedBadly(code: number | undefined, stderr: string): Verdict {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !LOGGED.test(line));
  const last = lines.at(-1);
  if (last === undefined)
    return { type: 'failed', reason: 'failed', isFinal: false, message: `The agent exited with ${code ?? 'no code'}.` };
  const verdict = verdictOn({
    status: undefined,
    kind: '',
    message: lines.slice(-STDERR_LINES).join(' '),
    until: undefined,
  });
  const message = `The agent exited with ${code ?? 'no code'}: ${oneLine(last)}`;
  return verdict.type === 'finished' ? verdict : { ...verdict, message };
}

const STDERR_LINES = 5;

/** A line of a log, as opencode writes them: it tells of much that did not end the program. */
const LOGGED = /^timestamp=\S+ level=\w+ /;

const deniedWords = (tools: readonly string[]): string =>
  `The agent was not allowed to use ${[...new Set(tools)].join(', ')}, and changed nothing. ` +
  'Allow it with args of this agent in the plan, or under permissions.allow.';
