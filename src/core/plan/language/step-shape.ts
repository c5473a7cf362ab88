// A step, and the keys that a single-step task shares with it.

import { FOREIGN_STEP_KEYS } from './foreign-keys.ts';
import { jsonShape } from './json-shape.ts';
import { list, oneOfShape, record } from './collections.ts';
import { duration } from './literals.ts';
import { field, objectShape, requiredField } from './object.ts';
import { boolean, choice, integer, textShape } from './scalars.ts';
import { nearest } from './nearest-name.ts';
import { mapShape } from './shape.ts';
import type { Shape, ValueOf } from './shape.ts';
import type { JsonSchema, PoolDemand } from '../plan.ts';
import { assert } from '../../assert.ts';
import { entryOf } from '../source/source-node.ts';
import type { MapNode, SourceNode } from '../source/source-node.ts';
import { reportFinding, startReading } from '../source/source-reader.ts';
import type { SourceReader } from '../source/source-reader.ts';
import { checkId, checkName, NAME_PATTERN } from './name-shapes.ts';
import { labels } from './labels-shape.ts';
import { nameList, reference } from './needs-shape.ts';
import { resumeShape } from './resume-shape.ts';
import { agentsShape, ATTEMPTS_RANGE, escalation, reserveShape, timeout } from './settings-shape.ts';

const RULES = ['abort', 'continue', 'retry', 'gate'] as const;
const JOIN_RULES = ['fail_fast', 'wait_for_all'] as const;

/** A CEL expression. `when: true` is valid too, although YAML makes it a boolean. */
export function expression(): Shape<string> {
  const words = textShape();
  return {
    name: 'an expression',
    schema: () => ({ type: ['string', 'boolean'] }),
    read: (node, reading) => {
      const isBoolean = node.type === 'scalar' && typeof node.value === 'boolean';
      return isBoolean ? String(node.value) : words.read(node, reading);
    },
  };
}

const poolName = mapShape(reference(), (pool) => [{ pool, tokens: 1 }]);

/** `[a, b]` takes one token of each, `{ a: 2 }` two of `a`. */
export const pools: Shape<readonly PoolDemand[]> = oneOfShape<readonly PoolDemand[]>({
  wanted: 'a list of pools or a map from pool to number',
  hint: 'Write pools: [a, b] or pools: { a: 2 }.',
  scalar: poolName,
  list: mapShape(list(reference()), (names) => names.map((pool) => ({ pool, tokens: 1 }))),
  map: mapShape(
    record(integer({ min: 1, max: 1000 }), {
      noun: 'pool',
      duplicateCode: 'duplicate-key',
      checkKey: checkName,
      keySchema: NAME_PATTERN,
    }),
    (entries) => entries.map(({ name, value }) => ({ pool: name, tokens: value ?? 1 })),
  ),
});

const outputJson = jsonShape();

/** A JSON Schema, or `{ $ref: file }`. */
export const outputShape: Shape<JsonSchema> = {
  name: 'a JSON Schema',
  schema: () => ({ type: 'object' }),
  read: (node, reading) => {
    const value = node.type === 'map' ? outputJson.read(node, reading) : undefined;
    if (isSchema(value)) return value;
    if (node.type !== 'map') {
      reportFinding(reading, {
        code: 'wrong-type',
        offset: node.start,
        message: 'output must be a JSON Schema, which is a map.',
        hint: 'Write output: { type: object } or output: { $ref: schemas/review.json }.',
      });
    }
    return undefined;
  },
};

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const estimate = field(
  duration({ minMs: 0 }),
  'The expected duration, such as 10m, for forecasts and priorities.',
);
export const when = field(expression(), 'A CEL expression; when it is false this is skipped.');

export const escalate = field(
  escalation,
  'The agents of the attempts: [cheap, strong]. The next one has the next attempt after a failed check, a full context, too many turns or a wrong output.',
);

/** Keys for the work of one step, on the step itself or on a single-step task. */
export const workFields = {
  prompt: field(textShape(), 'One turn of an agent: what it should do.'),
  run: field(textShape(), 'One shell command.'),
  read_only: field(boolean(), 'true: nothing that this turn writes is kept; for surveys and reviews.'),
  pool: field(
    mapShape(reference(), (pool) => [{ pool, tokens: 1 }]),
    'A pool to take one token of while working.',
  ),
  pools: field(pools, 'Pools to take tokens of while working: [a, b] or { a: 2 }.'),
  reserve: field(reserveShape, 'The amount reserved before it starts. Default for a prompt: $0.50 and 100k tokens.'),
  output: field(outputShape, 'The JSON Schema that the response must fit, or { $ref: file }.'),
  resume: field(
    resumeShape(),
    'true continues the conversation of the step before, fork branches off it, false starts fresh; { from: tasks.x } continues that of another task, { fork: tasks.x } branches off it.',
  ),
  on_error: field(
    choice(...RULES, ...JOIN_RULES),
    'What happens when it fails: abort, continue, retry or gate; for a join fail_fast or wait_for_all.',
  ),
  on_result: field(
    list(
      objectShape(
        {
          if: requiredField(expression(), 'A CEL expression over the result of the step or join.'),
          do: requiredField(choice(...RULES), 'abort, continue, retry or gate.'),
        },
        { noun: 'a rule of on_result' },
      ),
    ),
    'Rules over the result, the first that holds is applied: [{ if: …, do: retry }].',
  ),
};

const stepObject = objectShape(
  {
    id: field(reference(), 'The name of the step in this task. Default: step-1, step-2 and so on.'),
    ...workFields,
    action: field(choice('join'), 'join: combines the results of the needs, without an agent.'),
    agent: field(agentsShape, 'The agent for this prompt; of a list, the first that is available.'),
    escalate,
    on: field(labels, 'Labels that a host must have to run it, besides those of the task: [gpu].'),
    async: field(boolean(), 'true: the next step does not wait for it; a later step must collect it with needs.'),
    needs: field(nameList, 'Earlier steps to wait for, by id.'),
    when,
    attempts: field(integer(ATTEMPTS_RANGE), 'Tries, the first included.'),
    timeout: field(timeout, 'The longest that one try may take.'),
    idle_timeout: field(timeout, 'The longest silence.'),
    estimate,
  },
  {
    noun: 'a step',
    known: FOREIGN_STEP_KEYS,
    schema: { oneOf: [{ required: ['prompt'] }, { required: ['run'] }, { required: ['action'] }] },
  },
);

export type StepKind = 'prompt' | 'run' | 'action';
export type DeclaredStep = ValueOf<typeof stepObject> & { readonly kind: StepKind | undefined };

const STEP_KINDS: readonly StepKind[] = ['prompt', 'run', 'action'];
/** Keys that only some kinds of step have. */
const STEP_ONLY: Readonly<Record<string, readonly StepKind[]>> = {
  agent: ['prompt'],
  escalate: ['prompt'],
  read_only: ['prompt'],
  resume: ['prompt'],
  on: ['prompt', 'run'],
  pool: ['prompt', 'run'],
  pools: ['prompt', 'run'],
};

export const stepShape: Shape<DeclaredStep> = {
  name: 'a step',
  schema: stepObject.schema,
  read: (node, reading) => {
    const declared = stepObject.read(node, reading);
    // An invalid step keeps its position, so that later steps are numbered correctly.
    if (declared === undefined || node.type !== 'map') return { ...NOTHING_DECLARED, kind: undefined };
    checkStepId(node, reading, declared.id);
    const kind = stepKindOf({ node, reading, kinds: STEP_KINDS, noun: 'A step', foreign: FOREIGN_STEP_KEYS });
    if (kind !== undefined)
      reportMisplaced({ node, reading, kind, only: STEP_ONLY, noun: `a ${kind === 'action' ? 'join' : kind} step` });
    if (kind !== undefined) checkOnError(node, reading, kind === 'action');
    return { ...declared, kind };
  },
};

const NOTHING_DECLARED = declareNothing();

function declareNothing(): ValueOf<typeof stepObject> {
  const nothing = stepObject.read({ type: 'map', start: 0, end: 0, flow: true, entries: [] }, startReading('', ''));
  assert(nothing !== undefined, 'a step without keys is a map, and a map can be read');
  return nothing;
}

function checkStepId(node: MapNode, reading: SourceReader, id: string | undefined): void {
  if (id === undefined) return;
  reading.path.push('id');
  checkId(id, entryOf(node, 'id')?.value.start ?? node.start, reading);
  reading.path.pop();
}

/** Exactly one key determines the kind of a task or step. */
export function stepKindOf<Kind extends string>(given: {
  readonly node: SourceNode;
  readonly reading: SourceReader;
  readonly kinds: readonly Kind[];
  readonly noun: string;
  /** Keys of other tools, already reported as unknown keys. */
  readonly foreign: ReadonlyMap<string, string>;
}): Kind | undefined {
  const { node, reading, kinds, noun, foreign } = given;
  const entries = node.type === 'map' ? node.entries : [];
  const found = kinds.filter((kind) => entries.some(({ key }) => key === kind));
  if (found.length === 1) return found[0];
  // `promt:` has been reported as an unknown key; a second report about a missing prompt would only repeat it.
  const isMisspelt = entries.some(({ key }) => foreign.has(key) || nearest(key, kinds) !== undefined);
  if (found.length === 0 && isMisspelt) return undefined;
  const all = `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`;
  reportFinding(reading, {
    code: found.length === 0 ? 'nothing-to-do' : 'several-kinds',
    offset: node.start,
    message:
      found.length === 0
        ? `${noun} must say what it does.`
        : `${noun} can do only one thing, and this one says ${found.join(' and ')}.`,
    hint: found.length === 0 ? `Add one of ${all}.` : 'Keep one of them, or write several steps.',
  });
  return undefined;
}

export function reportMisplaced<Kind extends string>(given: {
  readonly node: SourceNode;
  readonly reading: SourceReader;
  readonly kind: Kind;
  readonly only: Readonly<Record<string, readonly Kind[]>>;
  readonly noun: string;
}): void {
  const { node, reading, kind, only, noun } = given;
  for (const entry of node.type === 'map' ? node.entries : []) {
    const kinds = Object.hasOwn(only, entry.key) ? only[entry.key] : undefined;
    if (kinds === undefined || kinds.includes(kind)) continue;
    reportFinding(reading, {
      code: 'misplaced-key',
      offset: entry.start,
      message: `The key ${entry.key} has no meaning on ${noun}.`,
      hint: `It belongs to: ${kinds.join(', ')}. Move it there or delete it.`,
      path: [...reading.path, entry.key],
    });
  }
}

/** The `on_error` of a join is about its needs; that of every other step is about the step itself. */
export function checkOnError(node: SourceNode, reading: SourceReader, isJoin: boolean): void {
  const rules: readonly string[] = isJoin ? JOIN_RULES : RULES;
  const others: readonly string[] = isJoin ? RULES : JOIN_RULES;
  const entry = node.type === 'map' ? node.entries.find(({ key }) => key === 'on_error') : undefined;
  if (entry?.value.type !== 'scalar' || !others.includes(String(entry.value.value))) return;
  reportFinding(reading, {
    code: 'invalid-value',
    offset: entry.value.start,
    message: `on_error of ${isJoin ? 'a join' : 'a step that is not a join'} must be one of ${rules.join(', ')}.`,
    hint: `Write ${rules.join(' or ')}.`,
    path: [...reading.path, 'on_error'],
  });
}
