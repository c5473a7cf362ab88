import type { Node } from './collect-pnml.ts';

/**
 * What the nodes of one kind are called in the net: by their name where it is theirs alone, because people know names,
 * else by their id in the file. All are different.
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
