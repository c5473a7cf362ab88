// Names of tasks become full paths: a sibling first, then a sibling of the subplan around it, and so on to the root.

import type { Need } from '../plan.ts';

/** A name that fits nowhere stays as written, so that whoever checks references can say so. */
export function resolveNeed(need: Need, container: string, paths: ReadonlySet<string>): Need {
  return { ...need, of: need.of.map((name) => resolveName(name, container, paths)) };
}

export function resolveName(name: string, container: string, paths: ReadonlySet<string>): string {
  let around = container;
  while (around !== '') {
    const candidate = `${around}.${name}`;
    if (paths.has(candidate)) return candidate;
    around = around.slice(0, Math.max(around.lastIndexOf('.'), 0));
  }
  return name;
}
