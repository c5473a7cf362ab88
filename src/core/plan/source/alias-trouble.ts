// Limits on aliases, which can expand a short text to a huge tree.

import { ALIASES_MAX, DEPTH_MAX, EXPANDED_NODES_MAX } from './limits.ts';

export interface AliasUse {
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
