// What all readers of turns have in common: facts are gathered line by line, and at the end make a verdict.
//
// turn-reader/R1. The program's word alone is never enough: a turn has finished when its last event says so, nothing it
//     said is an error, it exited well, and it was not kept from the work that it has nothing to show for.
// turn-reader/R2. Whatever is printed, nothing is thrown.
import { assert } from '../../../core/assert.ts';
import type { Conversation } from '../../../core/protocol/assignment.ts';
import type { Reason, Usage } from '../../../core/protocol/result.ts';
import type { Json } from '../../../core/plan/plan.ts';
import type { TurnEnding, TurnEvent, TurnReader, Verdict } from '../../ports/agents.ts';
import { fieldsIn, objectAt, oneLine, textAt, type Fields } from './fields.ts';
import { permissionIn, questionFor } from './permission.ts';
import { spendOf } from './usage.ts';
import { verdictOn, type Trouble } from './provider-error.ts';

/** What is known of a turn so far. Readers write it as they hear. */
export interface TurnFacts {
  conversation: string | undefined;
  model: string | undefined;
  response: string;
  output: Json | undefined;
  /** Its last event has come. */
  hasEnded: boolean;
  trouble: Trouble | undefined;
  /** Tools that it was not allowed to use. */
  readonly denied: string[];
  question: string | undefined;
  /** It was ended by us because of that question, whatever it says of its end. */
  isHeldForPerson: boolean;
  /** All of this turn so far. */
  spent: Usage | undefined;
  /** What the program's counters stand at, when they go on from turn to turn. */
  reading: Usage | undefined;
  /** When the limit that it waits for is lifted. */
  retryAt: number | undefined;
  /** How many tools it has used. */
  calls: number;
}

export const noFacts = (): TurnFacts => ({
  conversation: undefined,
  model: undefined,
  response: '',
  output: undefined,
  hasEnded: false,
  trouble: undefined,
  denied: [],
  question: undefined,
  isHeldForPerson: false,
  spent: undefined,
  reading: undefined,
  retryAt: undefined,
  calls: 0,
});

export interface Hearing {
  /** What one object of the program's output says; facts are written as a side. */
  readonly hear: (said: Fields, facts: TurnFacts) => readonly TurnEvent[];
  /** What one line of its error stream says, for programs that tell there what they tell nowhere else. */
  readonly hearComplaint?: (line: string) => readonly TurnEvent[];
  /** A last look at the facts when the program has ended, before they are judged. */
  readonly complete?: (facts: TurnFacts, ending: TurnEnding) => void;
}

export function makeReader({ hear, hearComplaint, complete }: Hearing): TurnReader {
  const facts = noFacts();
  return {
    line: (line) => {
      const said = fieldsIn(line);
      if (said === undefined) return line.trim() === '' ? [] : [{ type: 'text', text: line }];
      const before = facts.conversation;
      const events = hear(said, facts);
      facts.calls += events.filter(({ type }) => type === 'tool.called').length;
      return facts.conversation === undefined || facts.conversation === before
        ? events
        : [{ type: 'conversation', id: facts.conversation }, ...events];
    },
    complaint: hearComplaint ?? (() => []),
    verdict: (ending) => {
      complete?.(facts, ending);
      return verdictOf(facts, ending);
    },
    conversation: () => conversationOf(facts),
  };
}

const conversationOf = ({ conversation, reading }: TurnFacts): Omit<Conversation, 'mode'> | undefined =>
  conversation === undefined ? undefined : { id: conversation, reading };

/** What a program of ours says on behalf of one that asked for a permission, or a question. */
export function hearPermission(said: Fields, facts: TurnFacts): readonly TurnEvent[] {
  if (textAt(said, 'type') === 'permission') {
    const tool = oneLine(textAt(said, 'tool'));
    const isAllowed = said['isAllowed'] === true;
    // What a person has refused is no reason to call the turn a failure: it was told so.
    if (!isAllowed && said['isByPerson'] !== true) facts.denied.push(tool);
    return [{ type: 'permission', tool, isAllowed }];
  }
  // The first is the one that the turn was ended for.
  if (facts.isHeldForPerson) return [];
  const permission = permissionIn(objectAt(said, 'permission'));
  facts.question = permission === undefined ? textAt(said, 'question') : questionFor(permission);
  facts.isHeldForPerson = true;
  return [{ type: 'asked', question: facts.question, permission }];
}

/** Notes what the turn has spent and says so. */
export function spent(facts: TurnFacts, usage: Usage): TurnEvent {
  facts.spent = usage;
  return { type: 'spent', spend: spendOf(usage), usage };
}

export function verdictOf(facts: TurnFacts, ending: TurnEnding): Verdict {
  const { exit, hasChanges, complaint } = ending;
  if (facts.isHeldForPerson) return asked(facts);
  if (ending.isOurs) return facts.trouble === undefined ? failed('idle', STUCK) : troubled(facts, ending);
  if (exit.signal !== undefined) return failed('crashed', `The agent was ended by ${exit.signal}.`);
  if (facts.trouble !== undefined) return troubled(facts, ending);
  if (facts.question !== undefined) return asked(facts);
  if (exit.code !== 0) return exitedBadly(exit.code, complaint);
  if (!facts.hasEnded) return failed('cut_off', 'The agent stopped before it said how its turn ended.');
  if (facts.denied.length > 0 && hasChanges !== true) return failed('permission', deniedWords(facts.denied));
  const { response, output } = facts;
  const isIdle = response.trim() === '' && output === undefined && facts.calls === 0 && hasChanges !== true;
  if (isIdle) return failed('refused', 'The agent ended its turn without a word, a tool or a change.');
  const result = { ok: true, response, output, exitCode: exit.code, commit: undefined };
  return { type: 'finished', result, hasChanges };
}

const asked = ({ question }: TurnFacts): Verdict => failed('asked', `The agent asks: ${oneLine(question ?? '')}`);

const STUCK = 'The agent was ended: it asked its provider again and again.';

function troubled(facts: TurnFacts, ending: TurnEnding): Verdict {
  assert(facts.trouble !== undefined, 'There is a trouble to judge.');
  return verdictOn({ ...facts.trouble, until: facts.trouble.until ?? laterOf(facts, ending) });
}

const laterOf = ({ retryAt }: TurnFacts, { now }: TurnEnding): number | undefined =>
  retryAt !== undefined && retryAt > now ? retryAt : undefined;

const failed = (reason: Reason, message: string): Verdict => ({
  type: 'failed',
  reason,
  isFinal: reason === 'permission',
  message,
});

/** A program that ends without a word of its own has usually written one to its error stream. */
function exitedBadly(code: number | undefined, complaint: string): Verdict {
  const lines = complaint.split('\n').filter((line) => line.trim() !== '');
  const last = lines.at(-1);
  if (last === undefined)
    return { type: 'failed', reason: 'failed', isFinal: false, message: `The agent exited with ${code ?? 'no code'}.` };
  const verdict = verdictOn({
    status: undefined,
    kind: '',
    message: lines.slice(-COMPLAINT_LINES).join(' '),
    until: undefined,
  });
  const message = `The agent exited with ${code ?? 'no code'}: ${oneLine(last)}`;
  return verdict.type === 'finished' ? verdict : { ...verdict, message };
}

const COMPLAINT_LINES = 5;

const deniedWords = (tools: readonly string[]): string =>
  `The agent was not allowed to use ${[...new Set(tools)].join(', ')}, and changed nothing. ` +
  'Allow it with args of this agent in the plan, or under permissions.allow.';
