// The properties that are checked in a net that is not a workflow net; each is yes, no or unknown.

import { netCheckOf, tokensIn } from './net-finding.ts';
import { limitWords, namesOf } from './explain-trace.ts';
import { flatten } from './search/flat-net.ts';
import { propertiesOf } from './search/properties.ts';
import type { Named, Net } from '../net/net.ts';
import type { NetCheck, CheckCode, TokensAt } from './net-finding.ts';
import type { SearchLimits } from './search/explore.ts';
import type { FoundAnswer, FoundProperties } from './search/properties.ts';

export type NetAnswer =
  | { readonly type: 'yes' }
  | {
      readonly type: 'no';
      /** A shortest trace to a marking that shows the property; undefined for a dead transition. */
      readonly trace: readonly number[] | undefined;
      readonly marking: readonly TokensAt[] | undefined;
      readonly transition: number | undefined;
      readonly sentence: string;
    }
  | { readonly type: 'unknown'; readonly sentence: string };

export interface Properties {
  readonly bounded: NetAnswer;
  readonly oneSafe: NetAnswer;
  readonly deadlockFree: NetAnswer;
  readonly quasiLive: NetAnswer;
  readonly live: NetAnswer;
  /** The number of reachable markings: all of them, or those found before the search ended. */
  readonly markings: { readonly count: number; readonly isAll: boolean };
}

export interface GeneralVerification {
  readonly type: 'general';
  readonly properties: Properties;
  readonly checks: readonly NetCheck[];
}

type NetQuestion = Exclude<keyof FoundProperties, 'markings' | 'limit'>;

const CODES: Record<NetQuestion, CheckCode> = {
  bounded: 'bounded',
  oneSafe: 'one-safe',
  deadlockFree: 'deadlock-free',
  quasiLive: 'quasi-live',
  live: 'live',
};

const RESULTS = { yes: 'holds', no: 'fails', unknown: 'unknown' } as const;

export function verifyGeneral(net: Net<Named, Named>, limits: SearchLimits): GeneralVerification {
  const found = propertiesOf(flatten(net), limits);
  const answer = (question: NetQuestion): NetAnswer => answerOf(net, found, question);
  const properties: Properties = {
    bounded: answer('bounded'),
    oneSafe: answer('oneSafe'),
    deadlockFree: answer('deadlockFree'),
    quasiLive: answer('quasiLive'),
    live: answer('live'),
    markings: found.markings,
  };
  const questions = ['bounded', 'oneSafe', 'deadlockFree', 'quasiLive', 'live'] as const;
  const checks = questions.map((question) => {
    const each = properties[question];
    return netCheckOf(CODES[question], RESULTS[each.type], each.type === 'yes' ? yesWords(found) : each.sentence);
  });
  return { type: 'general', properties, checks };
}

const yesWords = ({ markings }: FoundProperties): string =>
  !markings.isAll
    ? 'True of the net.'
    : markings.count === 1
      ? 'True of the only marking that can be reached.'
      : `True of all ${markings.count} markings that can be reached.`;

function answerOf(net: Net<Named, Named>, found: FoundProperties, question: NetQuestion): NetAnswer {
  const answer = found[question];
  switch (answer.type) {
    case 'yes':
      return answer;
    case 'unknown':
      return { type: 'unknown', sentence: unknownWords(found) };
    case 'no':
      return {
        ...answer,
        marking: answer.marking && tokensIn(answer.marking),
        sentence: noWords(net, question, answer),
      };
  }
}

const unknownWords = ({ limit, markings }: FoundProperties): string =>
  limit === undefined
    ? `Not decided: the net has no bound, and the ${markings.count} markings looked at do not tell.`
    : limitWords(limit.name, limit.most);

function noWords(
  net: Net<Named, Named>,
  question: NetQuestion,
  answer: Extract<FoundAnswer, { readonly type: 'no' }>,
): string {
  const names = namesOf(net);
  const steps = answer.trace?.length ?? 0;
  const after = steps === 0 ? 'At the start' : `After ${steps} ${steps === 1 ? 'step' : 'steps'}`;
  const who = answer.transition === undefined ? 'something' : names.transition(answer.transition);
  switch (question) {
    case 'bounded':
      return `${after} a marking is reached that holds more than one on the way to it, so tokens pile up without end.`;
    case 'oneSafe':
      return `${after} a place holds more than one token.`;
    case 'deadlockFree':
      return `${after} nothing can fire.`;
    case 'quasiLive':
      return `${who} can never fire.`;
    case 'live':
      return answer.trace === undefined ? `${who} can never fire.` : `${after} ${who} can never fire again.`;
  }
}
