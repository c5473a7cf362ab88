// PNML (ISO 15909-2) to a net. Reads what tools in the world write for place/transition nets: pages, references, labels
// as <text> or <value>, tool-specific parts. What cannot be honoured is refused in words, never silently dropped.
//
// R1. Reading never throws. Either there is a net and no problem, or problems, each with a line and a column.
// R2. Reading what `writePnml` wrote gives the same net: ids, arcs and their order, weights, markings, counted places.

import { buildNet } from '../build-net.ts';
import type { ArcTo, Net } from '../net.ts';
import { collectPnml, tell } from './collect-pnml.ts';
import type { Collected, CollectedArc, Node, Problem } from './collect-pnml.ts';
import { idsOf } from './ids-of.ts';
import { readXml } from './xml/read-xml.ts';

/** References that lead to references; more is a circle, or as good as one. */
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
  const collected: Collected = { nodes: [], arcs: [], problems: [], nets: 0 };
  const malformed = readXml(text, collectPnml(collected));
  if (malformed !== undefined) collected.problems.push(malformed);
  else if (collected.problems.length === 0 && collected.nets === 0) tell(collected, 0, 'The file holds no <net>.');
  const net = collected.problems.length === 0 ? joinNet(collected) : undefined;
  if (collected.problems.length === 0) return { net, problems: [] };
  return { net: undefined, problems: placed(text, collected.problems) };
}

interface ArcsOfOne {
  readonly takes: ArcTo[];
  readonly gives: ArcTo[];
  readonly reads: ArcTo[];
}

function joinNet(collected: Collected): Net {
  const byId = nodesById(collected);
  const builder = buildNet();
  const places = collected.nodes.filter(({ type }) => type === 'place');
  const transitions = collected.nodes.filter(({ type }) => type === 'transition');
  const placeIds = idsOf(places);
  const indexOf = new Map<Node, number>();
  for (const [index, node] of places.entries()) {
    indexOf.set(node, index);
    builder.place({ id: placeIds[index] ?? node.id }, { tokens: node.tokens, counted: node.isCounted });
  }
  const arcs = new Map<Node, ArcsOfOne>(transitions.map((node) => [node, { takes: [], gives: [], reads: [] }]));
  for (const arc of collected.arcs) joinArc({ collected, byId, indexOf, arcs }, arc);
  const none: ArcsOfOne = { takes: [], gives: [], reads: [] };
  const transitionIds = idsOf(transitions);
  for (const [index, node] of transitions.entries()) {
    builder.transition({ id: transitionIds[index] ?? node.id }, arcs.get(node) ?? none);
  }
  return builder.build();
}

interface Joining {
  readonly collected: Collected;
  readonly byId: ReadonlyMap<string, Node>;
  readonly indexOf: ReadonlyMap<Node, number>;
  readonly arcs: ReadonlyMap<Node, ArcsOfOne>;
}

function joinArc({ collected, byId, indexOf, arcs }: Joining, arc: CollectedArc): void {
  const [source, target] = [endOf(byId, arc.source), endOf(byId, arc.target)];
  for (const [end, id] of [
    [source, arc.source],
    [target, arc.target],
  ] as const) {
    if (end === undefined) tell(collected, arc.offset, `An arc names "${id}", which is no place and no transition.`);
  }
  if (source === undefined || target === undefined) return;
  if (source.type === target.type) {
    const kind = source.type === 'place' ? 'places' : 'transitions';
    return tell(collected, arc.offset, `An arc joins two ${kind}, ${arc.source} and ${arc.target}.`);
  }
  const isTaking = source.type === 'place';
  const of = arcs.get(isTaking ? target : source);
  const place = indexOf.get(isTaking ? source : target);
  if (of === undefined || place === undefined) return;
  const to: ArcTo = [place, arc.weight];
  if (arc.reading === 'none') (isTaking ? of.takes : of.gives).push(to);
  // Our own writer makes a pair of arcs of a reading for the sake of other tools; the way there alone says it.
  else if (arc.reading === 'kind' || isTaking) of.reads.push(to);
}

function nodesById(collected: Collected): ReadonlyMap<string, Node> {
  const byId = new Map<string, Node>();
  for (const node of collected.nodes) {
    if (byId.has(node.id)) tell(collected, node.offset, `The id "${node.id}" is used twice.`);
    byId.set(node.id, node);
  }
  for (const node of collected.nodes) {
    if (node.ref === undefined || endOf(byId, node.id) !== undefined) continue;
    tell(collected, node.offset, `The reference "${node.id}" leads to no place or transition of its kind.`);
  }
  return byId;
}

/** The place or transition behind an id; a chain of references that leads nowhere or round in a circle has none. */
function endOf(byId: ReadonlyMap<string, Node>, id: string): Node | undefined {
  let node = byId.get(id);
  const isPlace = node?.type === 'place' || node?.type === 'referencePlace';
  for (let hops = 0; node?.ref !== undefined; hops += 1) {
    if (hops > REFERENCES_MAX) return undefined;
    node = byId.get(node.ref);
  }
  return node !== undefined && isPlace === (node.type === 'place') ? node : undefined;
}

/** Offsets become lines and columns in one walk, so many problems in a long text cost no more than one. */
function placed(text: string, problems: readonly Problem[]): readonly PnmlProblem[] {
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
