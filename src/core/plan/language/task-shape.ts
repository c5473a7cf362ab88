// A task: its kinds, and the keys of each kind.

import { list, oneOfShape, record } from './collections.ts';
import type { NamedShape } from './collections.ts';
import { jsonShape } from './json-shape.ts';
import { field, objectShape, requiredField } from './object.ts';
import { choice, integer, pattern, textShape } from './scalars.ts';
import { mapShape, namedShape } from './shape.ts';
import type { Shape, ValueOf } from './shape.ts';
import type { ForEachTask } from '../plan.ts';
import { FOREIGN_TASK_KEYS } from './foreign-keys.ts';
import type { SourceNode } from '../source/source-node.ts';
import { reportFinding } from '../source/source-reader.ts';
import type { SourceReader } from '../source/source-reader.ts';
import { ID_PATTERN } from '../safe-id.ts';
import { checkId, IDENTIFIER_PATTERN, reportCaseTwins } from './name-shapes.ts';
import { growShape, type DeclaredGrow } from './grow-shape.ts';
import { labels } from './labels-shape.ts';
import { needs } from './needs-shape.ts';
import { review } from './review-shape.ts';
import { settingsFields } from './settings-shape.ts';
import {
  checkOnError,
  escalate,
  estimate,
  expression,
  stepKindOf,
  pools,
  reportMisplaced,
  stepShape,
  when,
  workFields,
} from './step-shape.ts';

export type TaskKind = 'prompt' | 'run' | 'steps' | 'tasks' | 'join' | 'gate' | 'for_each' | 'grow';

export const FOR_EACH_MAX = 1000;
export const STEPS_MAX = 1000;
const ROUNDS_MAX = 100;

const joinObject = objectShape(
  {
    on_error: field(
      choice('fail_fast', 'wait_for_all'),
      'When one need fails: end the others at once, or wait for all results. Default: fail_fast.',
    ),
  },
  { noun: 'join', example: 'Write join: true, or join: { on_error: wait_for_all }.' },
);

/** `join:`, `join: true`, `join: {}` and `join: { on_error: … }`. */
const join: Shape<ValueOf<typeof joinObject>> = {
  name: 'true or a map',
  schema: (definitions) => ({ anyOf: [{ enum: [true, null] }, joinObject.schema(definitions)] }),
  read: (node, reading) => {
    const isBare = node.type === 'scalar' && (node.value === null || node.value === true);
    return isBare ? { on_error: undefined } : joinObject.read(node, reading);
  },
};

const ownFields = {
  ...workFields,
  steps: field(list(stepShape, { min: 1, max: STEPS_MAX }), 'Several steps in order, in one sandbox.'),
  join: field(join, 'Combines the results of the needs, without an agent.'),
  gate: field(textShape(), 'A question that a person must answer before dependent tasks start.'),
  needs: field(needs, 'Tasks to wait for: siblings by id, others by dotted path.'),
  when,
  description: field(textShape(), 'What the task is for, as a text for people.'),
  estimate,
  files: field(list(textShape()), 'The files that it will write, as globs: [src/types/**].'),
  check: field(textShape(), 'A command that must pass before the task is merged; a template like run.'),
  on: field(labels, 'Labels that a host must have to run it: [linux, gpu]; for a subplan, for all tasks inside it.'),
  hold: field(pools, 'Pools that the task has for itself from its opening to its end: [a] or { a: 2 }.'),
  retry: field(
    choice('continue', 'clean'),
    'What another attempt starts from: the files of the attempt before it, or the last checkpoint. Default: continue after a failed check, clean after a crash or a failure.',
  ),
  repeat: field(
    objectShape(
      {
        until: requiredField(expression(), 'A CEL expression; the steps run again until it holds.'),
        max: requiredField(integer({ min: 1, max: ROUNDS_MAX }), 'The most rounds, the first included.'),
        feedback: field(
          textShape(),
          'A template that is told to the last agent turn, where the next round then starts, as after a failed check.',
        ),
      },
      { noun: 'repeat', example: 'Write repeat: { until: steps.verify.ok, max: 3 }.' },
    ),
    'Runs the steps again until an expression is true, with a maximum number of rounds.',
  ),
  review: field(review, 'Another agent reads the work; what it finds goes back like a failed check.'),
  escalate,
  ...settingsFields,
};

type OwnFields = { readonly [Key in keyof typeof ownFields]: ValueOf<(typeof ownFields)[Key]['shape']> | undefined };

export interface DeclaredForEach {
  readonly in: ForEachTask['list'] | undefined;
  readonly max: number | undefined;
  readonly as: string | undefined;
  readonly task: DeclaredTask | undefined;
}

export interface DeclaredTask extends OwnFields {
  readonly kind: TaskKind | undefined;
  readonly tasks: readonly NamedShape<DeclaredTask>[] | undefined;
  readonly for_each: DeclaredForEach | undefined;
  readonly grow: DeclaredGrow | undefined;
}

const items: Shape<ForEachTask['list']> = oneOfShape<ForEachTask['list']>({
  wanted: 'a list or an expression that gives one',
  hint: 'Write in: [a, b, c], or in: tasks.plan.output.files.',
  scalar: mapShape(textShape(), (expressionText) => ({ type: 'later', list: expressionText })),
  list: mapShape(list(jsonShape(), { max: FOR_EACH_MAX }), (known) => ({ type: 'known', items: known })),
});

const RESERVED_ITEM_NAMES = new Set(['inputs', 'env', 'steps', 'tasks']);

/** A named constant, so that the schema can refer to itself. */
export const task: Shape<DeclaredTask> = namedShape('task', makeTask);

export const tasks: Shape<readonly NamedShape<DeclaredTask>[]> = makeTasks();

function makeTasks(): Shape<readonly NamedShape<DeclaredTask>[]> {
  const entries = record(task, {
    noun: 'task',
    duplicateCode: 'duplicate-id',
    checkKey: checkId,
    keySchema: ID_PATTERN,
    min: 1,
  });
  return {
    name: entries.name,
    schema: entries.schema,
    read: (node, reading) => {
      const read = entries.read(node, reading);
      if (read !== undefined)
        reportCaseTwins(
          node,
          read.map(({ name }) => name),
          reading,
        );
      return read;
    },
  };
}

function makeForEach(): Shape<DeclaredForEach> {
  const name = pattern({
    matches: new RegExp(IDENTIFIER_PATTERN),
    wanted: 'a name that templates can use',
    hint: 'Use letters, digits and _, beginning with a letter.',
    code: 'invalid-name',
  });
  const shape = objectShape(
    {
      in: requiredField(items, 'The list, or a CEL expression that gives one during the run.'),
      max: field(
        integer({ min: 1, max: FOR_EACH_MAX }),
        'The most items; required when the list comes during the run.',
      ),
      as: field(name, 'What the item is called in templates. Default: item.'),
      task: requiredField(task, 'The task to make a copy of for each item.'),
    },
    { noun: 'for_each', example: 'Write for_each: { in: [a, b], task: { run: make } }.' },
  );
  return {
    name: shape.name,
    schema: shape.schema,
    read: (node, reading) => {
      const declared = shape.read(node, reading);
      if (declared !== undefined) checkForEach(node, reading, declared);
      return declared;
    },
  };
}

function checkForEach(node: SourceNode, reading: SourceReader, declared: DeclaredForEach): void {
  const { in: source, max, as } = declared;
  const hasMax = node.type === 'map' && node.entries.some(({ key }) => key === 'max');
  if (source?.type === 'later' && !hasMax) {
    reportFinding(reading, {
      code: 'missing-key',
      offset: node.start,
      message: 'for_each must say max when its list comes during the run.',
      hint: `Add max: the most items that you expect, up to ${FOR_EACH_MAX}.`,
    });
  }
  if (source?.type === 'known' && max !== undefined && source.items.length > max) {
    reportFinding(reading, {
      code: 'out-of-range',
      offset: node.start,
      message: `for_each has ${source.items.length} items, and its max is ${max}.`,
      hint: 'Raise max, leave it out, or shorten the list.',
    });
  }
  if (as !== undefined && RESERVED_ITEM_NAMES.has(as)) {
    reportFinding(reading, {
      code: 'invalid-name',
      offset: node.start,
      message: `The item of for_each cannot be called ${as}, which templates use for something else.`,
      hint: 'Choose another name for as, such as item.',
      path: [...reading.path, 'as'],
    });
  }
}

const TASK_KINDS: readonly TaskKind[] = ['prompt', 'run', 'steps', 'tasks', 'join', 'gate', 'for_each', 'grow'];
const WORK: readonly TaskKind[] = ['prompt', 'run', 'steps'];
/** Keys that only some kinds of task have; all other keys are allowed for every kind. */
const TASK_ONLY: Readonly<Record<string, readonly TaskKind[]>> = {
  pool: WORK,
  pools: WORK,
  reserve: [...WORK, 'grow'],
  agent: [...WORK, 'tasks', 'for_each', 'grow'],
  files: [...WORK, 'grow'],
  check: WORK,
  hold: WORK,
  on: [...WORK, 'tasks', 'for_each', 'grow'],
  retry: WORK,
  repeat: WORK,
  review: ['prompt', 'steps'],
  escalate: ['prompt', 'steps'],
  output: [...WORK, 'join'],
  read_only: ['prompt'],
  resume: ['prompt', 'steps'],
  on_error: ['prompt', 'run'],
  on_result: ['prompt', 'run', 'join'],
};
const NOUNS: Readonly<Record<TaskKind, string>> = {
  prompt: 'a task with a prompt',
  run: 'a task with a command',
  steps: 'a task with steps',
  tasks: 'a subplan',
  join: 'a join',
  gate: 'a gate',
  for_each: 'a for_each',
  grow: 'a task that grows',
};

function makeTask(): Shape<DeclaredTask> {
  const shape = objectShape(
    {
      ...ownFields,
      tasks: field(tasks, 'A subplan: tasks under one name, with their own cap, failure mode and budget.'),
      for_each: field(makeForEach(), 'One copy of a task for each item of a list.'),
      grow: field(growShape, 'A subplan whose tasks an agent or a command writes when its time has come.'),
    },
    {
      noun: 'a task',
      example: `Write its keys below it, further in; one of ${TASK_KINDS.join(', ')} says what it does.`,
      known: FOREIGN_TASK_KEYS,
      schema: { oneOf: TASK_KINDS.map((kind) => ({ required: [kind] })) },
    },
  );
  return {
    name: 'a task',
    schema: shape.schema,
    read: (node, reading) => {
      const declared = shape.read(node, reading);
      if (declared === undefined) return undefined;
      const kind = stepKindOf({ node, reading, kinds: TASK_KINDS, noun: 'A task', foreign: FOREIGN_TASK_KEYS });
      if (kind !== undefined) reportMisplaced({ node, reading, kind, only: TASK_ONLY, noun: NOUNS[kind] });
      if (kind === 'prompt' || kind === 'run') checkOnError(node, reading, false);
      // A fresh object of this call, so it is completed rather than copied: a plan may have many tasks.
      return Object.assign(declared, { kind });
    },
  };
}
