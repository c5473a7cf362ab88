// The plan file as a whole.

import { AGENT_KINDS } from './agent-kinds.ts';
import { list, oneOfShape, record, type RecordRule } from './collections.ts';
import { jsonShape } from './json-shape.ts';
import { field, objectShape, requiredField } from './object.ts';
import { boolean, choice, integer, pattern, textShape } from './scalars.ts';
import { reportFinding } from '../source/source-reader.ts';
import { describeNode, mapShape, type Shape, type ValueOf } from './shape.ts';
import type { AgentVariable, Json, Pool } from '../plan.ts';
import { checkIdentifier, checkName, IDENTIFIER_PATTERN, NAME_PATTERN } from './name-shapes.ts';
import { reference } from './needs-shape.ts';
import { sandbox } from './sandbox-shape.ts';
import { FOREIGN_PLAN_KEYS } from './foreign-keys.ts';
import { labels } from './labels-shape.ts';
import { hostsField, notifyField, reserveShape, settingsFields, telemetryField, timeout } from './settings-shape.ts';
import { tasks } from './task-shape.ts';

/** HEDDLE_ variables tag every process of a claim, so a plan may not set them. */
const VARIABLE_PATTERN = '^(?!HEDDLE_)[A-Za-z_][A-Za-z0-9_]*$';
const VARIABLE = new RegExp(VARIABLE_PATTERN);
const VARIABLE_WANTED = 'the name of an environment variable that does not begin with HEDDLE_';
const VARIABLE_HINT = 'Write names such as MY_KEY; those that begin with HEDDLE_ are set by Heddle.';

const variableNames = mapShape(
  list(pattern({ matches: VARIABLE, wanted: VARIABLE_WANTED, hint: VARIABLE_HINT, code: 'invalid-name' })),
  (given): readonly AgentVariable[] => given.map((name) => ({ name, value: undefined })),
);

const variableTexts = mapShape(
  record(textShape(), {
    noun: 'variable',
    duplicateCode: 'duplicate-key',
    checkKey: (key, offset, reading) => {
      if (VARIABLE.test(key)) return;
      reportFinding(reading, {
        code: 'invalid-name',
        offset,
        message: `${JSON.stringify(key)} is not ${VARIABLE_WANTED}.`,
        hint: VARIABLE_HINT,
      });
    },
    keySchema: VARIABLE_PATTERN,
  }),
  (given): readonly AgentVariable[] => given.map(({ name, value }) => ({ name, value: value ?? '' })),
);

/** Environment variables given to an agent in addition to those of its kind. */
const agentEnvironment: Shape<readonly AgentVariable[]> = oneOfShape<readonly AgentVariable[]>({
  wanted: 'a list of names or a map of names to texts',
  hint: 'Write env: [MY_KEY], or env: { OPENAI_API_KEY: "${MY_KEY}" }.',
  list: variableNames,
  map: variableTexts,
});

const FORMAT_VERSION = 1;
const POOL_SIZE_MAX = 1000;

const poolSize = integer({ min: 1, max: POOL_SIZE_MAX });

/** `2` is a size; in full, `{ size: 2, when_cut_off: continue }`. */
const pool: Shape<Omit<Pool, 'name'>> = oneOfShape<Omit<Pool, 'name'>>({
  wanted: 'a size or a map of settings',
  hint: 'Write a number, as in coder: 4, or coder: { size: 4, when_cut_off: continue }.',
  scalar: mapShape(poolSize, (size) => ({ size, whenCutOff: undefined })),
  map: mapShape(
    objectShape(
      {
        size: requiredField(poolSize, 'How many steps may hold it at once.'),
        when_cut_off: field(
          choice('end', 'continue'),
          'Steps on a host that the server has not heard for its lease: they end before others get their slots, or go on. Default: end.',
        ),
      },
      { noun: 'pool' },
    ),
    ({ size, when_cut_off: whenCutOff }) => ({
      size: size ?? 1,
      whenCutOff: whenCutOff === 'continue' ? whenCutOff : undefined,
    }),
  ),
});

const nameRule = (noun: string): RecordRule => ({
  noun,
  duplicateCode: 'duplicate-key',
  checkKey: checkName,
  keySchema: NAME_PATTERN,
});

export const version: Shape<number> = {
  name: 'the version of the format',
  schema: () => ({ const: FORMAT_VERSION }),
  read: (node, reading) => {
    if (node.type === 'scalar' && node.value === FORMAT_VERSION) return FORMAT_VERSION;
    reportFinding(reading, {
      code: 'unknown-version',
      offset: node.start,
      message: `heddle must be ${FORMAT_VERSION}, the only version of the format so far, got ${describeNode(node)}.`,
      hint: `Write heddle: ${FORMAT_VERSION}, or use a newer Heddle if the plan was made for one.`,
    });
    return undefined;
  },
};

export const agentObject = objectShape(
  {
    use: field(textShape(), `The adapter: ${AGENT_KINDS.join(', ')}. Default: the name of the agent, if that is one.`),
    model: field(textShape(), 'The model that the adapter should ask for.'),
    pool: field(reference(), 'The pool that each of its turns takes one token of.'),
    args: field(list(textShape()), 'Further arguments for the program.'),
    command: field(
      textShape(),
      'The program to start, for the adapters command and acp; the file of an adapter of yours, for module.',
    ),
    env: field(
      agentEnvironment,
      'What it sees of the environment besides what its adapter passes on: names, or texts in which ${NAME} is a value.',
    ),
    reserve: field(reserveShape, 'The amount reserved before each of its turns. Default: $0.50 and 100k tokens.'),
    on: field(labels, 'Labels that a host must have to run its turns, besides those of the task: [gpu].'),
  },
  { noun: 'an agent' },
);

export type DeclaredAgent = ValueOf<typeof agentObject>;

const agent: Shape<DeclaredAgent> = oneOfShape<DeclaredAgent>({
  wanted: 'an adapter or a map',
  hint: 'Write claude: { use: claude, model: opus }, or just claude: claude.',
  scalar: mapShape(textShape(), (use) => ({
    use,
    model: undefined,
    pool: undefined,
    args: undefined,
    command: undefined,
    env: undefined,
    reserve: undefined,
    on: undefined,
  })),
  map: agentObject,
});

const QUESTIONS = ['gate', 'deny'] as const;

const questionsObject = objectShape(
  {
    policy: field(
      choice(...QUESTIONS),
      'gate lets the step wait for a person, deny tells the agent to decide itself. Default: gate.',
    ),
    timeout: field(timeout, 'Time after which an unanswered question fails its step. Default: 1d.'),
    allow: field(list(textShape()), 'Tools that agents may use without asking, by the names of their programs.'),
  },
  { noun: 'questions' },
);

type DeclaredQuestions = ValueOf<typeof questionsObject>;

const questions: Shape<DeclaredQuestions> = oneOfShape<DeclaredQuestions>({
  wanted: 'gate, deny or a map',
  hint: 'Write questions: deny, or questions: { policy: gate, timeout: 8h }.',
  scalar: mapShape(choice(...QUESTIONS), (policy) => ({ policy, timeout: undefined, allow: undefined })),
  map: questionsObject,
});

const PERMISSIONS = ['allow', 'deny', 'gate'] as const;

const permissionsObject = objectShape(
  {
    policy: field(
      choice(...PERMISSIONS),
      'allow grants everything, deny refuses what is not listed, gate lets the step wait for a person. Default: allow, and deny where there is a list.',
    ),
    timeout: field(timeout, 'Time after which an undecided permission request fails its step. Default: 1d.'),
    allow: field(
      list(textShape()),
      'What is granted without asking: a kind (edit), a tool (Bash), or Bash(npm test*).',
    ),
  },
  { noun: 'permissions' },
);

export type DeclaredPermissions = ValueOf<typeof permissionsObject>;

const permissions: Shape<DeclaredPermissions> = oneOfShape<DeclaredPermissions>({
  wanted: 'allow, deny, gate or a map',
  hint: 'Write permissions: gate, or permissions: { policy: gate, allow: [edit, "Bash(npm test*)"] }.',
  scalar: mapShape(choice(...PERMISSIONS), (policy) => ({ policy, timeout: undefined, allow: undefined })),
  map: permissionsObject,
});

const INPUT_TYPES = ['string', 'number', 'boolean', 'list', 'object', 'any'] as const;

const inputObject = objectShape(
  {
    type: field(choice(...INPUT_TYPES), 'What the value must be. Default: what the default value is, else any.'),
    default: field(jsonShape(), 'The value when the caller gives none.'),
    description: field(textShape(), 'What it is for.'),
    required: field(boolean(), 'Whether the caller must give it. Default: true when there is no default.'),
  },
  { noun: 'an input' },
);

export type DeclaredInput =
  | ({ readonly type: 'declared' } & { readonly given: ValueOf<typeof inputObject> })
  | { readonly type: 'value'; readonly value: Json };

const value = jsonShape();

const input: Shape<DeclaredInput> = {
  name: 'an input',
  schema: (definitions) => ({
    anyOf: [{ type: ['string', 'number', 'boolean', 'array', 'null'] }, inputObject.schema(definitions)],
  }),
  read: (node, reading) => {
    if (node.type === 'map') {
      const given = inputObject.read(node, reading);
      return given === undefined ? undefined : { type: 'declared', given };
    }
    const read = value.read(node, reading);
    return read === undefined ? undefined : { type: 'value', value: read };
  },
};

const commitish = pattern({
  matches: /^[^\s-]\S*$/,
  wanted: 'the name of a commit or branch',
  hint: 'Write a branch, a tag or a commit id, such as main.',
  code: 'invalid-value',
});

const branch = pattern({
  matches: /^(?!.*\.\.)(?!.*\.lock$)[^\s\-~^:?*[\\@][^\s~^:?*[\\]*$/,
  wanted: 'the name of a branch',
  hint: 'Write the name of a branch, such as main.',
  code: 'invalid-value',
});

export const planFile = objectShape(
  {
    heddle: requiredField(version, 'The version of the format, which is 1.'),
    name: field(textShape(), 'What the plan is called. Default: the name of the file.'),
    base: field(commitish, 'The commit that the run starts from. Default: HEAD.'),
    target: field(branch, 'The branch that `heddle land` moves. Default: the branch checked out.'),
    schedule: field(
      choice('fastest', 'declared'),
      'Which ready step starts first: the one that ends the run soonest, or the first in the plan. Default: fastest.',
    ),
    ...settingsFields,
    pools: field(
      record(pool, nameRule('pool')),
      'Counted resources: how many steps may hold each at once, and what becomes of them on a host that is cut off.',
    ),
    agents: field(record(agent, nameRule('agent')), 'The agents that prompts may go to, by name.'),
    sandbox: field(sandbox, 'The sandbox of each task.'),
    questions: field(questions, 'Policy for questions of agents.'),
    permissions: field(permissions, 'Policy for permission requests of agents before they use a tool.'),
    hosts: hostsField,
    notify: notifyField,
    telemetry: telemetryField,
    inputs: field(
      record(input, {
        noun: 'input',
        duplicateCode: 'duplicate-key',
        checkKey: checkIdentifier,
        keySchema: IDENTIFIER_PATTERN,
      }),
      'Values that the caller may give, with their defaults.',
    ),
    env: field(
      list(
        pattern({
          matches: new RegExp(IDENTIFIER_PATTERN),
          wanted: 'the name of an environment variable',
          hint: 'Write names only, such as [CI, HOME]; the values come from the environment.',
          code: 'invalid-name',
        }),
      ),
      'Environment variables that templates may read; commands see the whole environment in which the run was started.',
    ),
    tasks: requiredField(tasks, 'The tasks, each under its id.'),
  },
  {
    noun: 'a plan',
    example: 'Begin with heddle: 1, then tasks: and a first task below it.',
    freePrefix: 'x-',
    known: FOREIGN_PLAN_KEYS,
  },
);

export type DeclaredPlan = ValueOf<typeof planFile>;
