// A task in the form an author would write: settings only where they differ from the enclosing ones.

import { resolveName } from '../build/building.ts';
import { resultStep } from '../result-step.ts';
import { showDuration } from '../language/literals.ts';
import { GROW_ROUNDS } from '../build/build-grow.ts';
import { draftIn, type Draft } from '../grown-plan.ts';
import {
  printBudget,
  printDemands,
  printLabels,
  printReserve,
  printResultRules,
  printSteps,
  printWork,
} from './print-step.ts';
import { fromJson, yamlList, map, shortList, shortMap } from './yaml.ts';
import type { Agent, ForEachTask, MergeSettings, Need, Repeat, Settings, TakeRule, Task, WorkTask } from '../plan.ts';
import type { Yaml, YamlEntry } from './yaml.ts';

export interface EnclosingTask {
  readonly agents: ReadonlyMap<string, Agent>;
  readonly paths: ReadonlySet<string>;
  readonly settings: Settings;
  /** Labels that the task around it asks of hosts. */
  readonly on: readonly string[] | undefined;
  /** Path of the subplan around it; empty at the root. */
  readonly container: string;
}

export function printTasks(tasks: readonly Task[], around: EnclosingTask): Yaml {
  return map(...tasks.map((task): YamlEntry => [task.id, printTask(task, around)]));
}

function printTask(task: Task, around: EnclosingTask): Yaml {
  return map(
    ['description', task.description],
    ['needs', printNeed(task.needs, around)],
    ['when', task.when],
    ['max_parallel', task.cap],
    ...printSettings(task.settings, around.settings),
    ['budget', printBudget(task.budget)],
    ['estimate', task.estimateMs === undefined ? undefined : showDuration(task.estimateMs)],
    ['on', printLabels(task.on, around.on)],
    ...printKind(task, { ...around, settings: task.settings, on: task.on }),
  );
}

function printKind(task: Task, around: EnclosingTask): readonly YamlEntry[] {
  switch (task.type) {
    case 'work':
      return printWorkTask(task, around);
    case 'subplan': {
      const draft = draftIn(task);
      if (draft !== undefined) return printGrow(draft, around);
      return [['tasks', printTasks(task.tasks, { ...around, container: task.path })]];
    }
    case 'join':
      return [
        ['join', shortMap(['on_error', task.onError])],
        ['output', printOutput(task)],
        ['on_result', printResultRules(task.onResult ?? [])],
      ];
    case 'gate':
      return [['gate', task.question]];
    case 'for_each':
      return [['for_each', printForEach(task, around)]];
  }
}

/** Tasks that were added during a run are not part of the plan that a person wrote. */
function printGrow({ steps, drafts }: Draft, around: EnclosingTask): readonly YamlEntry[] {
  const [writer] = steps;
  const { agent, fallbacks } = around.settings;
  const isOfTask = drafts.agents.join() === [...(agent === undefined ? [] : [agent]), ...fallbacks].join();
  return [
    ['files', drafts.files.length === 0 ? undefined : shortList(drafts.files)],
    ['reserve', writer === undefined ? undefined : printReserve(writer, around)],
    [
      'grow',
      map(
        ['prompt', writer?.type === 'prompt' ? writer.prompt : undefined],
        ['run', writer?.type === 'run' ? writer.run : undefined],
        ['max_tasks', drafts.tasksMax],
        ['depth', drafts.depthMax === 1 ? undefined : drafts.depthMax],
        ['rounds', writer?.attemptsMax === GROW_ROUNDS ? undefined : writer?.attemptsMax],
        ['confirm', drafts.confirm === 'none' ? undefined : drafts.confirm],
        ['agents', isOfTask ? undefined : shortList(drafts.agents)],
        ['pools', drafts.pools.length === 0 ? undefined : shortList(drafts.pools)],
      ),
    ],
  ];
}

function printForEach(task: ForEachTask, around: EnclosingTask): Yaml {
  const { list: source, itemsMax } = task;
  const isUsual = source.type === 'known' && source.items.length === itemsMax;
  return map(
    ['in', source.type === 'known' ? yamlList(source.items.map(fromJson)) : source.list],
    ['max', isUsual ? undefined : itemsMax],
    ['as', task.itemName],
    ['task', printTask(task.task, around)],
  );
}

function printWorkTask(task: WorkTask, around: EnclosingTask): readonly YamlEntry[] {
  const { repeat } = task;
  const [first] = task.steps;
  const last = task.steps[resultStep(task.steps)];
  const isSingle = task.form !== 'steps' && first !== undefined;
  const isOutputOfLast = JSON.stringify(last?.output) === JSON.stringify(task.output);
  return [
    ['files', task.files.length === 0 ? undefined : shortList(task.files)],
    ['check', task.check],
    ['retry', task.retry],
    ['hold', printDemands(task.hold)],
    ['repeat', repeat === undefined ? undefined : printRepeat(repeat)],
    ...(isSingle
      ? printWork(first, around, undefined)
      : [
          ['steps', printSteps(task.steps, around)] as const,
          ['output', isOutputOfLast ? undefined : printOutput(task)] as const,
        ]),
  ];
}

function printRepeat({ until, roundsMax, feedback }: Repeat): Yaml {
  return feedback === undefined
    ? shortMap(['until', until], ['max', roundsMax])
    : map(['until', until], ['max', roundsMax], ['feedback', feedback]);
}

function printOutput(task: Task): Yaml | undefined {
  return task.output === undefined ? undefined : fromJson(task.output);
}

function printNeed(need: Need, around: EnclosingTask): Yaml | undefined {
  const names = shortList(need.of.map((path) => nameFor(path, around)));
  switch (need.type) {
    case 'all':
      return need.of.length === 0 ? undefined : names;
    case 'any':
      return shortMap(['any', names]);
    case 'at_least':
      return shortMap(['at_least', need.count], ['of', names]);
    case 'race':
      return shortMap(['race', names]);
  }
}

/** The sibling's id, else the full path, else the shortest path that is unambiguous. */
function nameFor(path: string, { container, paths }: EnclosingTask): string {
  const parts = path.split('.');
  const sibling = container !== '' && path.startsWith(`${container}.`) ? path.slice(container.length + 1) : path;
  const candidates = [sibling, path, ...parts.map((_, index) => parts.slice(index).join('.'))];
  return candidates.find((name) => resolveName(name, container, paths) === path) ?? path;
}

interface AgentNames {
  readonly agent: string | undefined;
  readonly fallbacks: readonly string[];
}

const areSameAgents = (own: AgentNames, around: AgentNames | undefined): boolean =>
  own.agent === around?.agent && own.fallbacks.join() === around?.fallbacks.join();

const printAgents = ({ agent, fallbacks }: AgentNames): Yaml | undefined =>
  agent === undefined || fallbacks.length === 0 ? agent : shortList([agent, ...fallbacks]);

/** The settings that differ from those around. */
export function printSettings(settings: Settings, around: Settings | undefined): readonly YamlEntry[] {
  const entry = <Value>(own: Value, outer: Value | undefined, show: (value: Value) => Yaml | undefined) =>
    around !== undefined && own === outer ? undefined : show(own);
  return [
    ['failure_mode', entry(settings.failureMode, around?.failureMode, (mode) => mode)],
    ['attempts', entry(settings.attemptsMax, around?.attemptsMax, (attempts) => attempts)],
    ['timeout', entry(settings.timeoutMs, around?.timeoutMs, showDuration)],
    ['idle_timeout', entry(settings.idleTimeoutMs, around?.idleTimeoutMs, showDuration)],
    ['agent', areSameAgents(settings, around) ? undefined : printAgents(settings)],
    ['merge', printMerge(settings.merge, around?.merge)],
  ];
}

const areSameTakes = (one: readonly TakeRule[], other: readonly TakeRule[]): boolean =>
  one.length === other.length &&
  one.every(({ files, side }, at) => files === other[at]?.files && side === other[at]?.side);

function printMerge(merge: MergeSettings, around: MergeSettings | undefined): Yaml | undefined {
  const own = <Key extends keyof MergeSettings>(key: Key) =>
    around !== undefined && merge[key] === around[key] ? undefined : merge[key];
  const take = areSameTakes(merge.take, around?.take ?? []) ? undefined : merge.take;
  const entries: readonly YamlEntry[] = [
    ['order', own('order')],
    ['strategy', own('strategy')],
    ['auto', own('auto')],
    ['check', own('check')],
    ['on_conflict', own('onConflict')],
    ['conflict_attempts', own('conflictAttemptsMax')],
    ['commits', own('commits')],
    ['take', take === undefined ? undefined : map(...take.map(({ files, side }): YamlEntry => [files, side]))],
  ];
  return entries.every(([, value]) => value === undefined) ? undefined : map(...entries);
}
