// A fragment of a plan: the tasks that a subplan grows by, and nothing else.

import { field, objectShape, requiredField } from './object.ts';
import { planFile, version } from './plan-shape.ts';
import { declaredKeysOf } from './shape.ts';
import { tasks } from './task-shape.ts';

const OF_THE_PLAN = 'That belongs to the plan; a fragment may only have tasks.';

export const fragmentFile = objectShape(
  {
    heddle: field(version, 'The version of the format, which is 1.'),
    tasks: requiredField(tasks, 'The tasks to add, each under its id.'),
  },
  {
    noun: 'a fragment',
    example: 'Answer with tasks: and a first task below it, further in, and with nothing else.',
    known: new Map(declaredKeysOf(planFile).map((key) => [key, OF_THE_PLAN])),
  },
);
