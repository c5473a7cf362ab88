// `grow`: a task that writes the tasks of its subplan during the run.

import { list } from './collections.ts';
import { field, objectShape, requiredField } from './object.ts';
import { choice, integer, textShape } from './scalars.ts';
import { nameList } from './needs-shape.ts';
import type { Shape, ValueOf } from './shape.ts';
import type { SourceNode } from '../source/source-node.ts';
import { reportFinding, type SourceReader } from '../source/source-reader.ts';

export const GROWN_TASKS_MAX = 1000;
export const GROW_DEPTH_MAX = 8;
export const GROW_ROUNDS_MAX = 20;

const shape = objectShape(
  {
    prompt: field(textShape(), 'One turn of an agent that answers with a fragment: tasks: and the tasks to do.'),
    run: field(textShape(), 'One shell command that prints a fragment.'),
    max_tasks: requiredField(
      integer({ min: 1, max: GROWN_TASKS_MAX }),
      'The most tasks that may be added, those of growth inside growth included.',
    ),
    depth: field(
      integer({ min: 1, max: GROW_DEPTH_MAX }),
      'Levels of growth: 1 means that the added tasks do not grow themselves. Default: 1.',
    ),
    rounds: field(
      integer({ min: 1, max: GROW_ROUNDS_MAX }),
      'Tries at an accepted fragment, the first included; findings go back to the same conversation. Default: 3.',
    ),
    confirm: field(choice('gate', 'none'), 'gate asks a person before the added tasks start. Default: none.'),
    agents: field(nameList, 'Agents that the added tasks may use. Default: the agents of this task.'),
    pools: field(
      list(textShape()),
      'Pools that the added tasks may take besides those of their agents. Default: none.',
    ),
  },
  {
    noun: 'grow',
    example: 'Write grow: { prompt: One task per module., max_tasks: 20 }.',
    schema: { oneOf: [{ required: ['prompt'] }, { required: ['run'] }] },
  },
);

export type DeclaredGrow = ValueOf<typeof shape>;

export const growShape: Shape<DeclaredGrow> = {
  name: shape.name,
  schema: shape.schema,
  read: (node, reading) => {
    const declared = shape.read(node, reading);
    if (declared !== undefined) checkWriter(node, reading);
    return declared;
  },
};

/** Exactly one of `prompt` and `run` writes the fragment. */
function checkWriter(node: SourceNode, reading: SourceReader): void {
  const keys = node.type === 'map' ? node.entries.map(({ key }) => key) : [];
  const count = ['prompt', 'run'].filter((key) => keys.includes(key)).length;
  if (count === 1) return;
  reportFinding(reading, {
    code: count === 0 ? 'missing-key' : 'several-kinds',
    offset: node.start,
    message:
      count === 0
        ? 'grow must say who writes the tasks.'
        : 'grow has a prompt and a run, and only one can write the tasks.',
    hint: 'Keep one of prompt (an agent writes them) and run (a command prints them).',
  });
}
