// What only the whole plan can tell, placed in the text.

import type { Plan } from './plan.ts';
import type { SourceNode } from './source/node.ts';
import type { Reading } from './source/reading.ts';

export function examineBuilt(given: {
  readonly plan: Plan;
  readonly reading: Reading;
  readonly root: SourceNode;
}): void {
  if (given.plan.tasks.length === 0) return;
}
