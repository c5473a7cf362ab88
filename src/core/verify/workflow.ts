// Runs the soundness checks on a workflow net, cheapest first.

import { at } from '../assert.ts';
import { netCheckOf } from './net-finding.ts';
import { excessFinding, faultFinding, structureFinding } from './fault-finding.ts';
import { limitWords, namesOf } from './explain-trace.ts';
import type { JoinedFirings } from './lift-trace.ts';
import { prove } from './prove.ts';
import { collapse } from './reduce/collapse.ts';
import { linkNet } from './reduce/link-net.ts';
import { dockOf, NONE, TAKES, takersOf } from './reduce/linked-net.ts';
import { haveEqualPorts } from './reduce/twins.ts';
import { strip } from './strip.ts';
import { structureFault } from './structure.ts';
import type { Named, Net } from '../net/net.ts';
import type { NetCheck, NetFinding } from './net-finding.ts';
import type { FlatNet } from './search/flat-net.ts';
import type { FaultOfResidue } from './prove.ts';
import type { Collapsed } from './reduce/collapse.ts';
import type { LinkedNet } from './reduce/linked-net.ts';
import type { LimitName, SearchLimits } from './search/explore.ts';
import type { WorkflowShape } from './workflow-shape.ts';
import type { Stripping } from './strip.ts';
import type { StructureFault } from './structure.ts';

export type NetVerdict =
  | { readonly type: 'sound'; readonly by: 'reduction' }
  | { readonly type: 'sound'; readonly by: 'search'; readonly markings: number }
  | { readonly type: 'unsound'; readonly finding: NetFinding }
  | { readonly type: 'unknown'; readonly limit: LimitName; readonly most: number; readonly sentence: string };

export interface WorkflowVerification {
  readonly type: 'workflow';
  readonly verdict: NetVerdict;
  readonly checks: readonly NetCheck[];
}

interface WorkflowChecks {
  readonly net: Net<Named, Named>;
  readonly shape: WorkflowShape;
  readonly limits: SearchLimits;
}

export function verifyWorkflow({ net, shape, limits }: WorkflowChecks): WorkflowVerification {
  const stripping = strip(shape);
  const collapsed = collapse({ flat: shape.net, role: shape.role, stripped: stripping.stripped });
  const linked = linkNet(collapsed);
  const fault = idleTransition(shape.net) ?? faultInNet(structureFault(linked), collapsed);
  const before = [shapeCheck(shape), pathCheck(net, fault), ...poolChecks(net, shape, stripping)];
  const unsound = (finding: NetFinding, checks: readonly NetCheck[]): WorkflowVerification => ({
    type: 'workflow',
    verdict: { type: 'unsound', finding },
    checks,
  });
  if (fault !== undefined) return unsound(structureFinding(net, fault), before);
  if (stripping.excess !== undefined) return unsound(excessFinding(net, stripping.excess), before);

  const looked = [...before, freeChoiceCheck(linked)];
  const proof = prove(linked, { initial: collapsed.flat.initial, limits });
  switch (proof.type) {
    case 'sound': {
      const verdict: NetVerdict =
        proof.by === 'reduction'
          ? { type: 'sound', by: 'reduction' }
          : { type: 'sound', by: 'search', markings: proof.markings };
      return { type: 'workflow', verdict, checks: [...looked, ...soundChecks(verdict)] };
    }
    case 'unknown': {
      const sentence = limitWords(proof.limit, proof.most);
      const verdict: NetVerdict = { type: 'unknown', limit: proof.limit, most: proof.most, sentence };
      return {
        type: 'workflow',
        verdict,
        checks: [...looked, netCheckOf('bounded', 'unknown', sentence), netCheckOf('sound', 'unknown', sentence)],
      };
    }
    case 'unsound': {
      const finding = faultFinding(net, {
        shape,
        limits,
        found: foundInNet(proof.found, collapsed, shape),
        joined: () => joinedIn(linked, collapsed, shape),
      });
      return unsound(finding, [...looked, ...unsoundChecks(finding)]);
    }
  }
}

/**
 * A transition without arcs is on no path. The original net is searched for one, because stripping may remove all arcs
 * of others.
 */
function idleTransition({ takes, gives, transitionCount }: FlatNet): StructureFault | undefined {
  for (let transition = 0; transition < transitionCount; transition += 1) {
    const isIdle = [takes, gives].every(({ start }) => start[transition] === start[transition + 1]);
    if (isIdle) return { code: 'no-way-to-the-end', transition, place: undefined, cycle: [] };
  }
  return undefined;
}

/** A fault of the reduced net, in the numbers of the original net. */
function faultInNet(
  fault: StructureFault | undefined,
  { placeOf, transitionOf }: Collapsed,
): StructureFault | undefined {
  if (fault === undefined) return undefined;
  const inNet = (transition: number): number => at(transitionOf, transition);
  const place = fault.place === undefined ? undefined : at(placeOf, fault.place);
  return { ...fault, place, transition: inNet(fault.transition), cycle: fault.cycle.map(inNet) };
}

function foundInNet(found: FaultOfResidue, { placeOf, transitionOf }: Collapsed, shape: WorkflowShape): FaultOfResidue {
  if (found.type === 'dead') return { ...found, transition: at(transitionOf, found.transition) };
  const marking = new Int32Array(shape.net.placeCount);
  placeOf.forEach((place, number) => {
    marking[place] = at(found.marking, number);
  });
  return { ...found, marking, trace: found.trace.map((transition) => at(transitionOf, transition)) };
}

/** What the collapse and the rules joined, in the numbers of the original net; switches are flipped on demand. */
function joinedIn(linked: LinkedNet, collapsed: Collapsed, { flips }: WorkflowShape): Omit<JoinedFirings, 'trace'> {
  const drainedBy = collapsed.drainedBy();
  linked.drainedBy.forEach((transition, place) => {
    if (transition !== NONE) drainedBy[at(collapsed.placeOf, place)] = at(collapsed.transitionOf, transition);
  });
  const joined = [...linked.isOnDemand.keys()].filter((transition) => linked.isOnDemand[transition] === 1);
  return { drainedBy, onDemand: [...joined.map((transition) => at(collapsed.transitionOf, transition)), ...flips] };
}

/** Uses no names: a large net creates names on first use, and a sound net needs none. */
function shapeCheck({ sinks }: WorkflowShape): NetCheck {
  const several = `${sinks.length} sinks; it has ended when only sinks hold tokens, at most one each`;
  return netCheckOf('shape', 'holds', `The net has one source and ${sinks.length === 1 ? 'one sink' : several}.`);
}

function pathCheck(net: Net<Named, Named>, fault: ReturnType<typeof structureFault>): NetCheck {
  if (fault === undefined) return netCheckOf('path', 'holds', 'Every transition lies on a way from source to sink.');
  return netCheckOf('path', 'fails', structureFinding(net, fault).sentence);
}

function poolChecks(
  net: Net<Named, Named>,
  { resources, switches, constants }: WorkflowShape,
  stripping: Stripping,
): readonly NetCheck[] {
  const names = namesOf(net);
  const { excess, kept, pools } = stripping;
  const holder = kept.find(({ reason }) => reason === 'hold-and-wait');
  const other = kept.find(({ reason }) => reason !== 'hold-and-wait');
  const ofSwitches = new Set(switches.flat());
  const others = resources.filter((place) => !ofSwitches.has(place));
  const pooled = `${pools.length + constants.length} of ${others.length} resources are returned whenever they are taken`;
  return [
    excess === undefined
      ? netCheckOf('capacity', 'holds', 'No transition asks for more of a resource than there is.')
      : netCheckOf('capacity', 'fails', excessFinding(net, excess).sentence),
    other === undefined
      ? netCheckOf('pools', 'holds', `${pooled}, and ${switches.length} are switches.`)
      : netCheckOf('pools', 'unknown', `${pooled}; ${names.place(other.place)} is not, so it stays in the proof.`),
    holder === undefined
      ? netCheckOf('hold-and-wait', 'holds', 'Each holder of a resource can end without waiting for another resource.')
      : netCheckOf(
          'hold-and-wait',
          'unknown',
          `${names.transition(holder.transition)} waits for a resource while ${names.place(holder.place)} is held; the search tells whether that can deadlock.`,
        ),
  ];
}

/** For display only; the rules and the search are correct for any net. */
function freeChoiceCheck(linked: LinkedNet): NetCheck {
  // By transition, the last transition with the same inputs; two that share many places are compared once.
  const sameAs = new Int32Array(linked.transitionCount).fill(NONE);
  for (let place = 0; place < linked.placeCount; place += 1) {
    if (takersOf(linked, place) > 1 && !haveSameNeeds(linked, place, sameAs)) {
      return netCheckOf(
        'free-choice',
        'unknown',
        'Some transitions share only part of what they need, so more of the net may have to be searched.',
      );
    }
  }
  return netCheckOf('free-choice', 'holds', 'Transitions that share a place need the same places.');
}

/** Transitions that give back all tokens they take decide nothing, so they do not count as choices. */
function haveSameNeeds(linked: LinkedNet, place: number, sameAs: Int32Array): boolean {
  let first: number | undefined;
  for (let arc = at(linked.firstAtDock, dockOf(place, TAKES)); arc !== NONE; arc = at(linked.nextAtDock, arc)) {
    const port = at(linked.port, arc);
    if (haveEqualPorts(linked, port, port + 1)) continue;
    first ??= port;
    if (at(sameAs, port >> 1) === first) continue;
    if (!haveEqualPorts(linked, first, port)) return false;
    sameAs[port >> 1] = first;
  }
  return true;
}

function soundChecks(verdict: Extract<NetVerdict, { readonly type: 'sound' }>): readonly NetCheck[] {
  const how =
    verdict.by === 'reduction'
      ? 'The net was reduced, rule by rule, to one in which everything happens exactly once.'
      : `The net was reduced, and all ${verdict.markings} markings of what was left lead to the end.`;
  return [netCheckOf('bounded', 'holds', 'A sound net is bounded.'), netCheckOf('sound', 'holds', how)];
}

function unsoundChecks(finding: NetFinding): readonly NetCheck[] {
  const bounded =
    finding.code === 'unbounded'
      ? netCheckOf('bounded', 'fails', finding.sentence)
      : netCheckOf('bounded', 'unknown', 'Not looked into further, because another fault was found.');
  return [bounded, netCheckOf('sound', 'fails', finding.sentence)];
}
