// Limits on aliases, which can make a short text expand to a huge one.

import { ALIASES_MAX, DEPTH_MAX, EXPANDED_NODES_MAX } from './limits.ts';

export interface AliasUse {
  /** Aliases so far, this one included. */
  readonly aliases: number;
  /** Nodes that aliases stand for so far, this one included. */
  readonly added: number;
  /** Nodes that this one stands for. */
  readonly nodes: number;
  /** How deep the plan is nested with this one written out. */
  readonly depth: number;
}

/** The limit that this alias is the first to pass, if it is. */
export function aliasTrouble(use: AliasUse): { code: string; message: string; hint: string } | undefined {
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
