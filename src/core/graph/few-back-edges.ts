// An order of a strongly connected component that few edges run against, by the rule of Eades, Lin and Smyth: a node
// that no edge leaves goes last, a node that no edge enters goes first, else the one with the most edges out over in.

import type { Graph } from './directed-graph.ts';

interface EdgeOrdering {
  readonly out: ReadonlyMap<number, readonly number[]>;
  readonly into: ReadonlyMap<number, readonly number[]>;
  /** Edges to and from nodes that are left, by node that is left. */
  readonly outs: Map<number, number>;
  readonly ins: Map<number, number>;
  /** Nodes that are left, by how many more edges leave them than enter them. */
  readonly byLead: Map<number, Set<number>>;
  mostLead: number;
}

export function orderWithFewBackEdges(graph: Graph, nodes: readonly number[]): readonly number[] {
  const ordering = orderingOf(graph, nodes);
  const first: number[] = [];
  const last: number[] = [];
  const ends = nodes.filter((node) => ordering.outs.get(node) === 0);
  const starts: number[] = [];
  while (ordering.outs.size > 0) {
    const end = ends.pop();
    const start = end === undefined ? starts.pop() : undefined;
    const node = end ?? start ?? leading(ordering);
    if (!ordering.outs.has(node)) continue;
    (end === undefined ? first : last).push(node);
    take(ordering, node, { ends, starts });
  }
  return [...first, ...last.toReversed()];
}

function orderingOf({ start, to }: Graph, nodes: readonly number[]): EdgeOrdering {
  const here = new Set(nodes);
  const out = new Map(
    nodes.map((node) => [node, [...to.subarray(start[node], start[node + 1])].filter((next) => here.has(next))]),
  );
  const into = new Map<number, number[]>(nodes.map((node) => [node, []]));
  for (const [node, next] of out) for (const each of next) into.get(each)?.push(node);
  const outs = new Map(nodes.map((node) => [node, out.get(node)?.length ?? 0]));
  const ins = new Map(nodes.map((node) => [node, into.get(node)?.length ?? 0]));
  const ordering: EdgeOrdering = { out, into, outs, ins, byLead: new Map(), mostLead: -Infinity };
  for (const node of nodes) place(ordering, node);
  return ordering;
}

const leadOf = ({ outs, ins }: EdgeOrdering, node: number): number => (outs.get(node) ?? 0) - (ins.get(node) ?? 0);

function place(ordering: EdgeOrdering, node: number): void {
  const lead = leadOf(ordering, node);
  const same = ordering.byLead.get(lead) ?? new Set();
  ordering.byLead.set(lead, same.add(node));
  ordering.mostLead = Math.max(ordering.mostLead, lead);
}

function leading(ordering: EdgeOrdering): number {
  for (; ; ordering.mostLead -= 1) {
    for (const node of ordering.byLead.get(ordering.mostLead) ?? []) return node;
  }
}

/** Takes a node out, with all its edges. */
function take(
  ordering: EdgeOrdering,
  node: number,
  found: { readonly ends: number[]; readonly starts: number[] },
): void {
  const { out, into, outs, ins, byLead } = ordering;
  byLead.get(leadOf(ordering, node))?.delete(node);
  outs.delete(node);
  ins.delete(node);
  const lessen = (counts: Map<number, number>, others: readonly number[] | undefined, emptied: number[]): void => {
    for (const other of others ?? []) {
      const count = counts.get(other);
      if (count === undefined) continue;
      byLead.get(leadOf(ordering, other))?.delete(other);
      counts.set(other, count - 1);
      place(ordering, other);
      if (count === 1) emptied.push(other);
    }
  };
  lessen(outs, into.get(node), found.ends);
  lessen(ins, out.get(node), found.starts);
}
