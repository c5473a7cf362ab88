// `on`: labels that a host must have to run a task, a step or an agent.

import { list, oneOfShape } from './collections.ts';
import { pattern } from './scalars.ts';
import { mapShape, type Shape } from './shape.ts';
import { LABEL_PATTERN, LABELS_MAX } from '../host-labels.ts';

const label = pattern({
  matches: new RegExp(LABEL_PATTERN),
  wanted: 'the label of a host',
  hint: 'Use at most 64 letters, digits, _ . and -, as in gpu or linux-x64; heddle host --label says which a host has.',
  code: 'invalid-name',
});

/** Each once, in the order written. */
export const labels: Shape<readonly string[]> = oneOfShape<readonly string[]>({
  wanted: 'the label of a host, or a list of them',
  hint: 'Write on: [linux, gpu]; a host must have all of them.',
  scalar: mapShape(label, (name) => [name]),
  list: mapShape(list(label, { min: 1, max: LABELS_MAX }), (names) => [...new Set(names)]),
});
