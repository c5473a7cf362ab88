// Reads PNML (ISO 15909-2) into a net, in the forms that common tools write for place/transition nets: pages,
// references, labels as <text> or <value>, tool-specific parts. Unsupported features are refused with a message, never
// silently dropped.
//
// read-pnml/R1. Reading never throws. Either there is a net and no problem, or problems, each with a line and a column.
// read-pnml/R2. Reading what `writePnml` wrote gives the same net: ids, arcs and their order, weights, markings,
//   counted places.

import { buildNet } from '../lay-net.ts';
import { collectPnml, refuseModules, reportProblem } from './collect-pnml.ts';
import { readXml } from './read-xml.ts';
import type { ArcTo, Net } from '../net.ts';
import type { CollectedPnml, CollectedArc, Node, ProblemAtOffset } from './collect-pnml.ts';

/** Length of a chain of references; a longer one is taken for a cycle. */
const REFERENCES_MAX = 100;

export interface PnmlProblem {
  readonly message: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

export interface PnmlReading {
  readonly net: Net | undefined;
  readonly problems: readonly PnmlProblem[];
}

export function readPnml(text: string): PnmlReading {
  const collected: CollectedPnml = {
    places: [],
    transitions: [],
    references: [],
    arcs: [],
    problems: [],
    nets: 0,
    module: undefined,
    isModular: false,
  };
  const malformed = readXml(text, collectPnml(collected));
  if (malformed !== undefined) collected.problems.push(malformed);
  else if (collected.problems.length === 0 && isEmpty(collected)) refuseEmpty(collected);
  const net = collected.problems.length === 0 ? joinNet(collected) : undefined;
  if (collected.problems.length === 0) return { net, problems: [] };
  return { net: undefined, problems: placed(text, collected.problems) };
}

/** A net whose nodes all lie in definitions of modules would be read as a net of nothing. */
const isEmpty = ({ nets, module, places, transitions }: CollectedPnml): boolean =>
  nets === 0 || (module !== undefined && places.length + transitions.length === 0);

function refuseEmpty(collected: CollectedPnml): void {
  if (collected.module === undefined) reportProblem(collected, 0, 'The file holds no <net>.');
  else refuseModules(collected, { name: 'module', offset: collected.module });
}

interface ArcsOfOne {
  readonly takes: ArcTo[];
  readonly gives: ArcTo[];
  readonly reads: ArcTo[];
}

function joinNet(collected: CollectedPnml): Net {
  const { places, transitions } = collected;
  const byId = nodesById(collected);
  const builder = buildNet();
  const placeIds = idsOf(places);
  for (const { id, index, tokens, isCounted } of places) {
    builder.place({ id: placeIds[index] ?? id }, { tokens, counted: isCounted });
  }
  const arcs = transitions.map((): ArcsOfOne => ({ takes: [], gives: [], reads: [] }));
  for (const arc of collected.arcs) joinArc({ collected, byId, arcs }, arc);
  const transitionIds = idsOf(transitions);
  for (const [index, of] of arcs.entries()) builder.transition({ id: transitionIds[index] ?? '' }, of);
  return builder.build();
}

interface NetJoining {
  readonly collected: CollectedPnml;
  readonly byId: ReadonlyMap<string, Node>;
  /** By transition. */
  readonly arcs: readonly ArcsOfOne[];
}

function joinArc({ collected, byId, arcs }: NetJoining, arc: CollectedArc): void {
  const source = endOf(byId, arc.source);
  const target = endOf(byId, arc.target);
  if (source === undefined) tellUnknown(collected, arc, arc.source);
  if (target === undefined) tellUnknown(collected, arc, arc.target);
  if (source === undefined || target === undefined) return;
  if (source.type === target.type) {
    return reportProblem(collected, arc.offset, `An arc joins two ${source.type}s, ${arc.source} and ${arc.target}.`);
  }
  const isTaking = source.type === 'place';
  const of = arcs[isTaking ? target.index : source.index];
  const place = isTaking ? source.index : target.index;
  const to: ArcTo = arc.weight === 1 ? place : [place, arc.weight];
  if (arc.reading === 'none') (isTaking ? of?.takes : of?.gives)?.push(to);
  // The writer of this folder writes a read as a pair of arcs for other tools; only the arc to the transition
  // counts.
  else if (arc.reading === 'kind' || isTaking) of?.reads.push(to);
}

function tellUnknown(collected: CollectedPnml, arc: CollectedArc, id: string): void {
  reportProblem(collected, arc.offset, `An arc names "${id}", which is no place and no transition.`);
}

function nodesById(collected: CollectedPnml): ReadonlyMap<string, Node> {
  const { places, transitions, references } = collected;
  const byId = new Map<string, Node>();
  for (const nodes of [places, transitions, references]) {
    for (const node of nodes) {
      if (byId.has(node.id)) reportProblem(collected, node.offset, `The id "${node.id}" is used twice.`);
      byId.set(node.id, node);
    }
  }
  for (const { id, offset } of references) {
    if (endOf(byId, id) !== undefined) continue;
    reportProblem(collected, offset, `The reference "${id}" leads to no place or transition of its kind.`);
  }
  return byId;
}

/** The place or transition of an id; a chain of references that ends nowhere or in a cycle has none. */
function endOf(byId: ReadonlyMap<string, Node>, id: string): Node | undefined {
  const first = byId.get(id);
  let node = first;
  for (let hops = 0; node?.ref !== undefined; hops += 1) {
    if (hops > REFERENCES_MAX) return undefined;
    node = byId.get(node.ref);
  }
  return node?.type === first?.type ? node : undefined;
}

/** Offsets become lines and columns in one walk, so many problems in a long text cost no more than one. */
function placed(text: string, problems: readonly ProblemAtOffset[]): readonly PnmlProblem[] {
  const sorted = [...problems].sort((left, right) => left.offset - right.offset);
  let line = 1;
  let lineStart = 0;
  return sorted.map(({ message, offset }) => {
    for (let end = text.indexOf('\n', lineStart); end >= 0 && end < offset; end = text.indexOf('\n', lineStart)) {
      line += 1;
      lineStart = end + 1;
    }
    return { message, line, column: offset - lineStart + 1 };
  });
}

/**
 * The ids of the nodes of one kind in the net: the name where it is unique, because people know names, else the id of
 * the file. All ids differ.
 */
export function idsOf(nodes: readonly Node[]): readonly string[] {
  const bearers = new Map<string, number>();
  for (const { name } of nodes) bearers.set(name, (bearers.get(name) ?? 0) + 1);
  const isOwn = (name: string): boolean => name !== '' && bearers.get(name) === 1;
  if (bearers.size === nodes.length && !bearers.has('')) return nodes.map(({ name }) => name);
  const used = new Set(nodes.map(({ name }) => name).filter(isOwn));
  return nodes.map(({ id, name }) => (isOwn(name) ? name : unusedId(used, id)));
}

function unusedId(used: Set<string>, wanted: string): string {
  let id = wanted;
  while (used.has(id)) id += "'";
  used.add(id);
  return id;
}
