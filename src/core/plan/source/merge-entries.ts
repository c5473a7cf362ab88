// Merge keys: `<<: *defaults` adds the entries of another map. The map's own entries win over merged ones, and of
// several merged maps the first wins.

import type { MapEntry, MapNode, SourceNode } from './source-node.ts';
import { ALIASES_MAX, DEPTH_MAX, EXPANDED_NODES_MAX } from './limits.ts';

interface MergedEntries {
  readonly entries: readonly MapEntry[];
  readonly added: number;
  readonly error: { readonly code: string; readonly message: string; readonly hint: string } | undefined;
}

export function mergeEntries(node: MapNode, merges: readonly SourceNode[], room: number): MergedEntries {
  const known = new Set(node.entries.map((entry) => entry.key));
  const entries = [...node.entries];
  let looked = 0;
  for (const source of merges.flatMap((merge) => (merge.type === 'list' ? merge.items : [merge]))) {
    if (source.type !== 'map') return { entries, added: looked, error: notAMap };
    looked += source.entries.length;
    if (looked > room) return { entries, added: looked, error: tooMany };
    for (const entry of source.entries) {
      if (known.has(entry.key)) continue;
      known.add(entry.key);
      entries.push(entry);
    }
  }
  return { entries, added: looked, error: undefined };
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

interface AliasUse {
  /** The number of aliases so far, including this one. */
  readonly aliases: number;
  /** The number of nodes from aliases so far, including this one. */
  readonly added: number;
  /** The number of nodes of this alias. */
  readonly nodes: number;
  /** The nesting depth of the plan with this alias expanded. */
  readonly depth: number;
}

/** The limit that this alias exceeds first, if any. */
export function aliasError(use: AliasUse): { code: string; message: string; hint: string } | undefined {
  if (use.aliases === ALIASES_MAX + 1) {
    return {
      code: 'too-many-aliases',
      message: `The plan uses more than ${ALIASES_MAX} aliases.`,
      hint: 'Use for_each for many tasks that are alike, or write the values out.',
    };
  }
  if (use.added > EXPANDED_NODES_MAX && use.added - use.nodes <= EXPANDED_NODES_MAX) {
    return {
      code: 'too-many-aliases',
      message: `Written out, the aliases of this plan stand for more than ${EXPANDED_NODES_MAX} values.`,
      hint: 'Do not nest aliases inside aliases; use for_each for many tasks that are alike.',
    };
  }
  if (use.depth > DEPTH_MAX) {
    return {
      code: 'too-deep',
      message: `This alias nests the plan deeper than ${DEPTH_MAX} levels.`,
      hint: 'Move inner tasks up, or split the plan.',
    };
  }
  return undefined;
}
