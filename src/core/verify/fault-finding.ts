// Turns a fault found by a proof or a search into one finding with the names of the net.

import { at } from '../assert.ts';
import { namesOf, type NetNames } from './explain-trace.ts';
import { tokensIn, type NetFinding, type NetFindingCode } from './net-finding.ts';
import { liftTrace, type JoinedFirings } from './lift-trace.ts';
import { applyFiring, isEnabledIn, type SearchLimits } from './search/explore.ts';
import { endTest, searchSoundness, type WorkflowEnds } from './search/search-soundness.ts';
import type { Named, Net } from '../net/net.ts';
import type { FaultOfResidue } from './prove.ts';
import type { WorkflowShape } from './workflow-shape.ts';
import type { Excess } from './strip.ts';
import type { StructureFault } from './structure.ts';
import type { FlatNet } from './search/flat-net.ts';

const NOTHING_MORE = {
  trace: undefined,
  traceOf: undefined,
  marking: undefined,
  astray: undefined,
  transition: undefined,
  place: undefined,
};

export function endsOf({ net, source, sinks, switches }: WorkflowShape): WorkflowEnds {
  const final = net.initial.slice();
  final[source] = 0;
  return { sinks, final, switches };
}

export function structureFinding(net: Net<Named, Named>, fault: StructureFault): NetFinding {
  const { code, transition, place } = fault;
  return { ...NOTHING_MORE, code, sentence: structureWords(namesOf(net), fault), transition, place };
}

const CYCLE_SHOWN = 8;

function structureWords(names: NetNames, { code, transition, place, cycle }: StructureFault): string {
  const who = names.transition(transition);
  if (code === 'no-way-to-the-end')
    return `No path leads from ${who} to the sink, so what it takes never arrives there.`;
  if (cycle.length > 1) {
    const listed = cycle.slice(0, CYCLE_SHOWN).map(names.transition);
    const more = cycle.length > CYCLE_SHOWN ? [`${cycle.length - CYCLE_SHOWN} more`] : [];
    return `None of ${[...listed, ...more].join(', ')} can ever fire: each waits for the next, and the last for the first.`;
  }
  return `${who} can never fire, because ${place === undefined ? 'what it takes' : names.place(place)} never gets a token.`;
}

export function excessFinding(net: Net<Named, Named>, { place, transition, wanted }: Excess): NetFinding {
  const names = namesOf(net);
  const has = at(net.initial, place);
  const sentence = `${names.transition(transition)} needs ${wanted} of ${names.place(place)}, which has only ${has}; ask for less or enlarge it.`;
  return { ...NOTHING_MORE, code: 'demand-over-capacity', sentence, transition, place };
}

type FaultyMarking = Extract<FaultOfResidue, { readonly type: 'faulty' }>;

interface Suspect {
  readonly shape: WorkflowShape;
  readonly limits: SearchLimits;
  readonly found: FaultOfResidue;
  /** How the transitions of the reduced net are made of those of the net. */
  readonly joined: () => Omit<JoinedFirings, 'trace'>;
}

/** A search for an explanation may cost about as much as a proof, and no more. */
const EXPLAINING: SearchLimits = { markingsMax: 4_000, wordsMax: 1_000_000, triesMax: 2_000_000 };

/**
 * A shortest trace to the fault, where a short search of the original net finds one; else the trace of the reduced net,
 * lifted back; else that trace as it is.
 */
export function faultFinding(net: Net<Named, Named>, suspect: Suspect): NetFinding {
  const { shape, found } = suspect;
  const direct = searchedFrom(suspect, shape.net.initial) ?? liftedFault(suspect);
  const shown = direct ?? found;
  const names = namesOf(net);
  if (shown.type === 'dead') {
    const sentence = `${names.transition(shown.transition)} can never fire, so it is either not needed or wrongly placed.`;
    return { ...NOTHING_MORE, code: 'dead-transition', sentence, transition: shown.transition };
  }
  const code = codeOf(shape, shown);
  const { trace, marking } = shown;
  const left = leftOver(shape, marking);
  // These two findings name the first place as one that still holds a token.
  const astray = code === 'deadlock' || code === 'left-over-tokens' ? filledFirst(marking, left) : left;
  return {
    ...NOTHING_MORE,
    code,
    sentence: sentenceOf(code, names, astray),
    trace,
    traceOf: direct === undefined ? 'reduced net' : 'net',
    marking: tokensIn(marking),
    astray: astray.map((place) => ({ place, tokens: at(marking, place) })),
  };
}

/** The fault that a short search from a marking of the original net finds. */
function searchedFrom({ shape, limits }: Suspect, initial: Int32Array): FaultOfResidue | undefined {
  const least = (limit: keyof SearchLimits): number => Math.min(limits[limit], EXPLAINING[limit]);
  const short = { markingsMax: least('markingsMax'), wordsMax: least('wordsMax'), triesMax: least('triesMax') };
  const search = searchSoundness({ ...shape.net, initial }, endsOf(shape), short);
  return search.type === 'faulty' || search.type === 'dead' ? search : undefined;
}

/** The trace of the reduced net in the original net, and from there on to a fault. */
function liftedFault(suspect: Suspect): FaultOfResidue | undefined {
  const { shape, found, joined } = suspect;
  if (found.type === 'dead') return undefined;
  const lifted = liftTrace(shape.net, { ...joined(), trace: found.trace });
  const near = searchedFrom(suspect, lifted.marking);
  const fault = near?.type === 'faulty' ? near : stuckAfter(shape, lifted.marking);
  return fault === undefined ? undefined : { ...fault, trace: [...lifted.trace, ...fault.trace] };
}

const MORE_THAN_ANY_READ = 0x7fffffff;

/** Where a run from this marking ends, when that is no final marking. */
function stuckAfter(shape: WorkflowShape, marking: Int32Array): FaultyMarking | undefined {
  const { net, switches, flips, sinks } = shape;
  const isFlip = (transition: number): boolean => flips.has(transition);
  const end = runOn(net, marking, isFlip);
  if (end === undefined || endTest(endsOf(shape))(end.marking)) return undefined;
  // Nothing may be enabled by flipping a switch either.
  const flipped = end.marking.slice();
  for (const place of switches.flat()) flipped[place] = MORE_THAN_ANY_READ;
  for (let transition = 0; transition < net.transitionCount; transition += 1) {
    if (!isFlip(transition) && isEnabledIn(net, flipped, transition)) return undefined;
  }
  const fault = sinks.some((sink) => at(end.marking, sink) > 0) ? 'left-over' : 'deadlock';
  return { type: 'faulty', fault, ...end };
}

function codeOf(shape: WorkflowShape, { fault, marking }: FaultyMarking): NetFindingCode {
  switch (fault) {
    case 'unbounded':
    case 'cannot-finish':
      return fault;
    case 'deadlock':
      return waitsForResource(shape, marking) ? 'hold-and-wait' : 'deadlock';
    case 'left-over': {
      if (shape.sinks.some((sink) => at(marking, sink) > 1)) return 'ends-twice';
      const others = leftOver(shape, marking).filter((place) => !shape.resources.includes(place));
      return others.length === 0 ? 'pool-not-returned' : 'left-over-tokens';
    }
  }
}

/** Places that do not hold what they must hold at the end. */
function leftOver(shape: WorkflowShape, marking: Int32Array): number[] {
  const { final, switches } = endsOf(shape);
  const ofSwitches = new Set(switches.flat());
  const isLeft = (tokens: number, place: number): boolean =>
    tokens !== at(final, place) &&
    !shape.sinks.includes(place) &&
    !ofSwitches.has(place) &&
    (tokens > 0 || at(final, place) > 0);
  return [...marking.keys()].filter((place) => isLeft(at(marking, place), place));
}

function filledFirst(marking: Int32Array, places: readonly number[]): readonly number[] {
  const holds = (place: number): boolean => at(marking, place) > 0;
  return [...places.filter(holds), ...places.filter((place) => !holds(place))];
}

/** Whether the transition would be enabled if one resource were complete, while other transitions hold part of it. */
function waitsForResource({ net, resources, switches }: WorkflowShape, marking: Int32Array): boolean {
  const whole = marking.slice();
  const ofSwitches = new Set(switches.flat());
  const held = resources.filter((place) => !ofSwitches.has(place) && at(marking, place) < at(net.initial, place));
  for (const place of held) whole[place] = at(net.initial, place);
  if (held.length === 0) return false;
  for (let transition = 0; transition < net.transitionCount; transition += 1) {
    if (isEnabledIn(net, whole, transition)) return true;
  }
  return false;
}

function sentenceOf(code: NetFindingCode, names: NetNames, left: readonly number[]): string {
  const [first] = left;
  const where = first === undefined ? 'a place' : names.place(first);
  switch (code) {
    case 'hold-and-wait':
      return `A deadlock can be reached in which those who hold resources wait for more of them; ${where} is short.`;
    case 'deadlock':
      return `A deadlock can be reached: nothing can fire, but ${where} still holds a token.`;
    case 'left-over-tokens':
      return `The sink can be reached too early, while ${where} still holds a token.`;
    case 'ends-twice':
      return 'A sink can be reached more than once.';
    case 'pool-not-returned':
      return `The sink can be reached while ${where} does not hold what it held at the start.`;
    case 'cannot-finish':
      return `A marking can be reached from which transitions keep firing but the sink is never reached; ${where} is caught there.`;
    case 'unbounded':
      return 'Some steps can be repeated for ever and leave more tokens each time.';
    case 'no-way-from-the-start':
    case 'no-way-to-the-end':
    case 'demand-over-capacity':
    case 'dead-transition':
      return 'The net is not sound.';
  }
}

interface EndOfRun {
  readonly trace: readonly number[];
  readonly marking: Int32Array;
}

/** Bound on attempts to fire, for each transition of the net. */
const ATTEMPTS_EACH = 40;

/** Undefined when the run is still going on at the bound. `isLeftOut` names transitions that may not fire. */
function runOn(net: FlatNet, from: Int32Array, isLeftOut: (transition: number) => boolean): EndOfRun | undefined {
  const marking = from.slice();
  const takers = takersIn(net);
  const isQueued = new Uint8Array(net.transitionCount).fill(1);
  const queue = Array.from({ length: net.transitionCount }, (_, transition) => transition);
  const trace: number[] = [];
  const most = ATTEMPTS_EACH * net.transitionCount;
  for (let next = 0; next < queue.length; next += 1) {
    if (next > most) return undefined;
    const transition = queue[next] ?? 0;
    isQueued[transition] = 0;
    if (isLeftOut(transition) || !isEnabledIn(net, marking, transition)) continue;
    applyFiring(net, marking, { transition, sign: 1 });
    trace.push(transition);
    const wake = (each: number): void => {
      if (isQueued[each] === 0) queue.push(each);
      isQueued[each] = 1;
    };
    wake(transition);
    for (let arc = at(net.gives.start, transition); arc < at(net.gives.start, transition + 1); arc += 1)
      for (const taker of takers[at(net.gives.place, arc)] ?? []) wake(taker);
  }
  return { trace, marking };
}

function takersIn({ placeCount, transitionCount, takes }: FlatNet): readonly (readonly number[])[] {
  const takers: number[][] = Array.from({ length: placeCount }, () => []);
  for (let transition = 0; transition < transitionCount; transition += 1)
    for (let arc = at(takes.start, transition); arc < at(takes.start, transition + 1); arc += 1)
      takers[at(takes.place, arc)]?.push(transition);
  return takers;
}
