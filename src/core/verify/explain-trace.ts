// Findings as sentences for people.

import type { Named, Net } from '../net/net.ts';
import type { NetFinding, NetFindingCode, TokensAt } from './net-finding.ts';
import type { LimitName } from './search/explore.ts';

export interface NetNames {
  readonly transition: (transition: number) => string;
  readonly place: (place: number) => string;
}

export function namesOf(net: Net<Named, Named>): NetNames {
  return {
    transition: (transition) => net.transitions[transition]?.id ?? `transition ${transition}`,
    place: (place) => net.places[place]?.id ?? `place ${place}`,
  };
}

/** A longer trace is shortened in the middle. */
const STEPS_SHOWN = 24;
const PLACES_SHOWN = 6;

export interface ExplainOptions {
  /** The display name of a transition, for instance "claim api"; its id by default. */
  readonly describe?: (transition: number) => string;
}

/** The finding and, where there is one, its trace: "After claim a, claim b nothing can happen, but …". */
export function explainTrace(finding: NetFinding, net: Net<Named, Named>, options: ExplainOptions = {}): string {
  const names = namesOf(net);
  const describe = options.describe ?? names.transition;
  if (finding.trace === undefined) return finding.sentence;
  const after = `${afterWords(finding.trace, describe)} ${happens(finding.code)}`;
  const held = heldWords(finding.astray ?? [], names);
  const sentence = held === '' ? `${after}.` : `${after}${joint(finding.code)}${held}.`;
  return finding.traceOf === 'reduced net'
    ? `${sentence} (Steps that the proof joined to others are left out.)`
    : sentence;
}

function afterWords(trace: readonly number[], describe: (transition: number) => string): string {
  if (trace.length === 0) return 'At the very start';
  const steps = trace.map(describe);
  if (steps.length <= STEPS_SHOWN) return `After ${steps.join(', ')}`;
  const half = STEPS_SHOWN / 2;
  const left = steps.length - 2 * half;
  return `After ${steps.slice(0, half).join(', ')}, … (${left} more) …, ${steps.slice(-half).join(', ')}`;
}

function happens(code: NetFindingCode): string {
  switch (code) {
    case 'deadlock':
      return 'nothing can happen';
    case 'hold-and-wait':
      return 'everyone who holds something waits for more, so nothing can happen';
    case 'left-over-tokens':
      return 'the end is reached too early';
    case 'ends-twice':
      return 'the end is reached more than once';
    case 'pool-not-returned':
      return 'the end is reached while a pool does not hold what it held at the start';
    case 'cannot-finish':
      return 'the end can no longer be reached, though transitions keep firing';
    case 'unbounded':
      return 'the same steps can be repeated for ever, and tokens pile up';
    case 'dead-transition':
    case 'demand-over-capacity':
    case 'no-way-from-the-start':
    case 'no-way-to-the-end':
      return 'this shows';
  }
}

const joint = (code: NetFindingCode): string => (code === 'deadlock' || code === 'left-over-tokens' ? ', but ' : ': ');

function heldWords(astray: readonly TokensAt[], names: NetNames): string {
  const shown = astray.slice(0, PLACES_SHOWN).map(({ place, tokens }, index) => {
    if (tokens === 0) return `${names.place(place)} is empty`;
    const what = tokens === 1 ? 'a token' : `${tokens} tokens`;
    return index === 0 ? `${names.place(place)} still holds ${what}` : `${names.place(place)} ${what}`;
  });
  const left = astray.length - shown.length;
  return [...shown, ...(left > 0 ? [`${left} more places some`] : [])].join(', ');
}

export function limitWords(limit: LimitName, most: number): string {
  const count = most.toLocaleString('en-US');
  switch (limit) {
    case 'markingsMax':
      return `Not decided: the search met ${count} markings, its limit, and there are more.`;
    case 'wordsMax':
      return `Not decided: the markings met need more than ${count} words of memory, the search's limit.`;
    case 'triesMax':
      return `Not decided: the search looked at transitions and places ${count} times, its limit, and was not done.`;
    case 'tokensMax':
      return `Not decided: a place can hold more than ${count} tokens, which is as far as the search counts.`;
  }
}
