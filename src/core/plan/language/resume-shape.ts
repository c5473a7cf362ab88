// The conversation that a turn takes up.

import { field, objectShape } from './object.ts';
import { boolean, choice, pattern } from './scalars.ts';
import type { Shape } from './shape.ts';
import { reportFinding } from '../source/source-reader.ts';

/** `true`, `false`, `fork`, or the conversation of another task: `{ from: tasks.design }`, `{ fork: tasks.design }`. */
export type DeclaredResume =
  | boolean
  | 'fork'
  | { readonly from: string | undefined; readonly fork: string | undefined };

const taskReference = pattern({
  matches: /^tasks(?:\.[A-Za-z0-9_][A-Za-z0-9_-]*)+$/,
  wanted: 'a task, such as tasks.design',
  hint: 'Write tasks. and the path of the task, as in resume: { from: tasks.design }.',
  code: 'invalid-value',
});

const ofTask = objectShape(
  {
    from: field(taskReference, 'The task whose conversation is continued.'),
    fork: field(taskReference, 'The task whose conversation is branched off.'),
  },
  { noun: 'resume', example: 'Write resume: { from: tasks.design }, or fork in the place of from.' },
);

export function resumeShape(): Shape<DeclaredResume> {
  const word = choice('fork');
  const flag = boolean();
  return {
    name: 'true, false, fork or a map',
    schema: (definitions) => ({
      anyOf: [
        { enum: [true, false, 'fork'] },
        { ...ofTask.schema(definitions), oneOf: [{ required: ['from'] }, { required: ['fork'] }] },
      ],
    }),
    read: (node, reading) => {
      if (node.type !== 'map') {
        const isText = node.type === 'scalar' && typeof node.value === 'string';
        return isText ? word.read(node, reading) : flag.read(node, reading);
      }
      const { from, fork } = ofTask.read(node, reading) ?? {};
      const named = node.entries.filter(({ key }) => key === 'from' || key === 'fork').length;
      if (named === 1) return { from, fork };
      reportFinding(reading, {
        code: named === 0 ? 'missing-key' : 'several-kinds',
        offset: node.start,
        message: 'resume must name one task, with from or with fork.',
        hint: 'Write resume: { from: tasks.design }, or fork in the place of from.',
      });
      return undefined;
    },
  };
}
