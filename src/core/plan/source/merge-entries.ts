// Merge keys: `<<: *defaults` adds the entries of another map. The map's own entries win over merged ones, and of
// several merged maps the first wins.

import type { MapEntry, MapNode, SourceNode } from './source-node.ts';

export interface MergedEntries {
  readonly entries: readonly MapEntry[];
  readonly added: number;
  readonly trouble: { readonly code: string; readonly message: string; readonly hint: string } | undefined;
}

export function mergeEntries(node: MapNode, merges: readonly SourceNode[], room: number): MergedEntries {
  const known = new Set(node.entries.map((entry) => entry.key));
  const entries = [...node.entries];
  let looked = 0;
  for (const source of merges.flatMap((merge) => (merge.type === 'list' ? merge.items : [merge]))) {
    if (source.type !== 'map') return { entries, added: looked, trouble: notAMap };
    looked += source.entries.length;
    if (looked > room) return { entries, added: looked, trouble: tooMany };
    for (const entry of source.entries) {
      if (known.has(entry.key)) continue;
      known.add(entry.key);
      entries.push(entry);
    }
  }
  return { entries, added: looked, trouble: undefined };
}

const notAMap = {
  code: 'wrong-type',
  message: 'The merge key << takes a map or a list of maps.',
  hint: 'Write <<: *name, where &name marks a map above.',
};

const tooMany = {
  code: 'too-many-aliases',
  message: 'Merge keys bring in more entries than a plan may hold.',
  hint: 'Use for_each for many tasks that are alike.',
};
