// The keys that are allowed at every level: plan, subplan, task, and in the project and user files.

import { textShape, choice, integer, pattern } from './scalars.ts';
import { count, duration, money } from './literals.ts';
import { field, objectShape } from './object.ts';
import { list, oneOfShape, record } from './collections.ts';
import { mapShape } from './shape.ts';
import type { Shape, ValueOf } from './shape.ts';
import type { AtCeiling, Budget, Ceilings } from '../budget.ts';
import type { TakeRule } from '../plan.ts';
import { reportFinding } from '../source/source-reader.ts';
import type { SourceReader } from '../source/source-reader.ts';
import { NAME_PATTERN } from './name-shapes.ts';
import { notify } from './notify-shape.ts';
import { telemetry } from './telemetry-shape.ts';

export const CAP_RANGE = { min: 1, max: 32 };
/** Over all machines together. */
export const HOSTS_CAP_RANGE = { min: 1, max: 1024 };
export const ATTEMPTS_RANGE = { min: 1, max: 20 };

const amounts = {
  usd: field(money(), 'US dollars: 40, 12.50 or $40.'),
  tokens: field(count(), 'Tokens of a model: 20M, 500k or 1_000.'),
};

export const reserveShape: Shape<Budget> = mapShape(
  objectShape(amounts, { noun: 'reserve', example: 'Write reserve: { usd: 40, tokens: 20M }.' }),
  ({ usd, tokens }) => ({ usd, tokens }),
);

/** Each part may come from another layer, so none has its default here. */
export interface DeclaredBudget extends Budget {
  readonly atCeiling: AtCeiling | undefined;
}

/** Undefined without an amount that could be reached. */
export const ceilingsOf = ({ usd, tokens, atCeiling = 'finish' }: DeclaredBudget): Ceilings | undefined =>
  usd === undefined && tokens === undefined ? undefined : { usd, tokens, atCeiling };

const budget: Shape<DeclaredBudget> = mapShape(
  objectShape(
    {
      ...amounts,
      at_ceiling: field(
        choice('finish', 'stop'),
        'When a ceiling is reached: running steps finish inside their reservations, or are ended. Default: finish.',
      ),
    },
    { noun: 'budget', example: 'Write budget: { usd: 40, tokens: 20M }.' },
  ),
  ({ usd, tokens, at_ceiling: atCeiling }) => ({ usd, tokens, atCeiling }),
);

const agentName = pattern({
  matches: new RegExp(NAME_PATTERN),
  wanted: 'the name of an agent',
  hint: 'Name one agent of the plan, or an adapter such as claude.',
  code: 'invalid-name',
});

const FALLBACKS_MAX = 8;

/** One agent, or several: the first available one gets the prompt. */
export const agentsShape = oneOfShape<readonly string[]>({
  wanted: 'the name of an agent, or a list of them',
  hint: 'Write agent: claude, or agent: [claude, codex] to let another take over when the first cannot.',
  scalar: mapShape(agentName, (name) => [name]),
  list: mapShape(list(agentName, { min: 1, max: FALLBACKS_MAX }), (names) => [...new Set(names)]),
});

/** The agents of one attempt after the other. */
export const escalation: Shape<readonly string[]> = list(agentName, { min: 2, max: FALLBACKS_MAX });

export const timeout = duration({ minMs: 1000 });
export const failureMode = choice('continue_on_error', 'fail_fast');

/** Paths have slashes and dots, so any text that is no path out of the repository is a pattern. */
const take: Shape<readonly TakeRule[]> = mapShape(
  record(choice('task', 'run', 'union'), {
    noun: 'file',
    duplicateCode: 'duplicate-key',
    checkKey: checkPattern,
    keySchema: '.',
  }),
  (entries) => entries.flatMap(({ name, value }) => (value === undefined ? [] : [{ files: name, side: value }])),
);

function checkPattern(files: string, offset: number, reading: SourceReader): void {
  if (!files.startsWith('/') && !files.startsWith('!') && !files.split('/').includes('..')) return;
  reportFinding(reading, {
    code: 'out-of-range',
    offset,
    message: `\`${files}\` names no file of the repository.`,
    hint: 'Write a path or a glob from the top of the repository, such as docs/STATE.md or "*.lock".',
  });
}

export const mergeShape = objectShape(
  {
    order: field(choice('completion', 'plan'), 'In which order finished tasks are merged. Default: completion.'),
    strategy: field(choice('per_run', 'per_task'), 'Land once at the end, or after each task. Default: per_run.'),
    auto: field(choice('auto', 'confirm', 'manual'), 'Who lands the run. Default: confirm.'),
    check: field(textShape(), 'A command that must pass on the merged tree; a template that may read inputs and env.'),
    on_conflict: field(
      choice('agent', 'stop'),
      'Who resolves a conflict: the agent that caused it, or you. Default: agent.',
    ),
    conflict_attempts: field(
      integer({ min: 0, max: 10 }),
      'How often an agent may try to resolve one conflict. Default: 2.',
    ),
    commits: field(choice('task', 'step'), 'One commit per task or per step in the published history. Default: task.'),
    take: field(take, 'Files that never conflict, and which side is taken: task, run, or union (the lines of both).'),
  },
  { noun: 'merge', example: 'Write merge: { check: npm test }.' },
);

export const settingsFields = {
  max_parallel: field(integer(CAP_RANGE), 'The most steps running at once here. Default for the plan: 4.'),
  failure_mode: field(failureMode, 'What the failure of a task does to its siblings. Default: continue_on_error.'),
  attempts: field(integer(ATTEMPTS_RANGE), 'Tries per step, the first included. Default: 2.'),
  timeout: field(timeout, 'The longest that one try of a step may take, such as 45m. Default: 45m.'),
  idle_timeout: field(timeout, 'The longest silence of a step, paused while a tool runs. Default: 10m.'),
  budget: field(budget, 'Ceilings on what is spent here; each part is optional.'),
  agent: field(agentsShape, 'The agent for prompts, by its name in agents; of a list, the first that is available.'),
  merge: field(mergeShape, 'How finished tasks are merged.'),
};

/** Settings of the run as a whole, which tasks and subplans do not have. */
export const notifyField = field(notify, 'Notifications when a person is needed or the run is over. Default: none.');

export const telemetryField = field(
  telemetry,
  'Where traces of the run go, as OTLP over HTTP. Default: as the OTEL_… variables of the environment say.',
);

const hosts = objectShape(
  {
    max_parallel: field(
      integer(HOSTS_CAP_RANGE),
      'The most steps running at once on all machines together. Default: max_parallel of the plan.',
    ),
  },
  { noun: 'hosts', example: 'Write hosts: { max_parallel: 512 }.' },
);

export const hostsField = field(hosts, 'Limits over all machines of a run; max_parallel is that of one machine.');

export const settingsFile = objectShape(
  { ...settingsFields, hosts: hostsField, notify: notifyField, telemetry: telemetryField },
  { noun: 'a settings file', freePrefix: 'x-' },
);

export type DeclaredSettings = ValueOf<typeof settingsFile>;
