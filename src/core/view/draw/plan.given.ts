// Plans for tests of pictures, written as nested names: `{ api: { needs: ['types'], run: 'npm test' } }`.

import type { Json, Need, Plan, PoolDemand, RunStep, Settings, Step, Task } from '../../plan/plan.ts';

export interface DrawnTask {
  readonly needs?: readonly string[] | Need;
  readonly prompt?: string;
  readonly run?: string;
  readonly steps?: readonly string[];
  readonly tasks?: Readonly<Record<string, DrawnTask>>;
  readonly join?: 'fail_fast' | 'wait_for_all';
  readonly gate?: string;
  readonly forEach?: { readonly items: readonly Json[] | string; readonly itemsMax?: number; readonly task: DrawnTask };
  readonly agent?: string;
  readonly pools?: readonly PoolDemand[];
  readonly check?: string;
  readonly when?: string;
  readonly cap?: number;
  readonly failureMode?: 'fail_fast';
  readonly rounds?: number;
}

const merge = {
  order: 'completion',
  strategy: 'per_run',
  auto: 'confirm',
  check: undefined,
  onConflict: 'agent',
  conflictAttemptsMax: 2,
  commits: 'task',
  take: [],
} as const;
const settings: Settings = {
  failureMode: 'continue_on_error',
  attemptsMax: 2,
  timeoutMs: 1,
  idleTimeoutMs: 1,
  agent: undefined,
  fallbacks: [],
  merge,
};
const nothing = { usd: undefined, tokens: undefined };

/** Needs are full paths. */
export function givenPlan(tasks: Readonly<Record<string, DrawnTask>>, name = 'given'): Plan {
  const sandbox = {
    include: [],
    setup: undefined,
    link: [],
    ports: 0,
    tree: 'auto',
    isolation: 'auto',
    network: undefined,
    limits: { disk: 20_000_000_000, memory: undefined, processes: 4_000 },
  } as const;
  const rest = {
    base: 'HEAD',
    target: undefined,
    schedule: 'fastest',
    cap: 4,
    hostsCap: undefined,
    budget: undefined,
    pools: [],
    agents: [],
    inputs: [],
    env: [],
    questions: { policy: 'gate', timeoutMs: 1, allow: [] },
    permissions: { policy: 'allow', timeoutMs: 1, allow: [] },
    notify: { on: [], bell: false, desktop: false, webhook: undefined, command: undefined },
    telemetry: undefined,
  } as const;
  return { name, settings, sandbox, ...rest, tasks: tasksOf(tasks, '') };
}

function tasksOf(tasks: Readonly<Record<string, DrawnTask>>, prefix: string): Task[] {
  return Object.entries(tasks).map(([id, task]) => taskOf(task, id, prefix === '' ? id : `${prefix}.${id}`));
}

function taskOf(given: DrawnTask, id: string, path: string): Task {
  const needs = given.needs ?? [];
  const base = {
    id,
    path,
    needs: 'type' in needs ? needs : ({ type: 'all', of: needs } as const),
    when: given.when,
    settings: { ...settings, failureMode: given.failureMode ?? settings.failureMode },
    cap: given.cap,
    budget: undefined,
    estimateMs: undefined,
    output: undefined,
    description: undefined,
    on: undefined,
    item: undefined,
  };
  if (given.tasks !== undefined) return { ...base, type: 'subplan', tasks: tasksOf(given.tasks, path) };
  if (given.join !== undefined) return { ...base, type: 'join', onError: given.join, onResult: undefined };
  if (given.gate !== undefined) return { ...base, type: 'gate', question: given.gate };
  if (given.forEach !== undefined) {
    const { items, itemsMax = 50, task } = given.forEach;
    const list =
      typeof items === 'string' ? ({ type: 'later', list: items } as const) : ({ type: 'known', items } as const);
    return { ...base, type: 'for_each', list, itemsMax, itemName: 'item', task: taskOf(task, 'item', `${path}.item`) };
  }
  const form = given.run !== undefined ? 'run' : given.steps !== undefined ? 'steps' : 'prompt';
  const repeat =
    given.rounds === undefined ? undefined : { until: 'true', roundsMax: given.rounds, feedback: undefined };
  return {
    ...base,
    type: 'work',
    form,
    steps: stepsOf(given),
    repeat,
    files: [],
    check: given.check,
    retry: undefined,
    hold: [],
    drafts: undefined,
  };
}

function stepsOf(given: DrawnTask): Step[] {
  const base = {
    async: false,
    needs: [],
    when: undefined,
    attemptsMax: 2,
    timeoutMs: 1,
    idleTimeoutMs: 1,
    estimateMs: undefined,
    on: undefined,
  };
  const common = { ...base, pools: given.pools ?? [], reserve: nothing, output: undefined, onResult: [] };
  const run: RunStep = { ...common, id: 'main', type: 'run', run: given.run ?? '', onError: 'abort' };
  if (given.run !== undefined) return [run];
  const { agent } = given;
  return (given.steps ?? ['main']).map((id) => ({
    ...common,
    id,
    type: 'prompt',
    prompt: 'Do it.',
    agent,
    fallbacks: [],
    escalation: undefined,
    isReadOnly: undefined,
    resumeTask: undefined,
    resume: 'fresh',
    onError: 'abort',
  }));
}
