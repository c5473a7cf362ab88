// A declared task with every setting resolved and its needs as full paths.

import { INNER_ID } from '../expand.ts';
import { joinLabels } from '../host-labels.ts';
import { offsetOf } from '../source/source-node.ts';
import { lineAt } from '../source/source-reader.ts';
import { narrow, type SettingName, type SettingOrigin, type SettingsScope } from '../settings/settings-in-force.ts';
import { growTasks } from './build-grow.ts';
import { lastKept, resultStep } from '../result-step.ts';
import { expandReview, type ExpandedReview } from './expand-review.ts';
import { agentNamed, buildOutput, buildStep, resultRulesOf } from './build-step.ts';
import { reportAtPath, resolveNeed, type PromptTurn, type TaskPlace } from './building.ts';
import { ceilingsOf } from '../language/settings-shape.ts';
import type { DeclaredStep } from '../language/step-shape.ts';
import type { DeclaredForEach, DeclaredTask } from '../language/task-shape.ts';
import type { ForEachTask, JoinTask, JsonSchema, Need, Step, Task, WorkTask } from '../plan.ts';

/** The empty list, shared by all tasks of a large plan. */
const NONE: readonly never[] = [];
const NO_NEEDS: Need = { type: 'all', of: NONE };

const WITH_TASKS: ReadonlySet<string> = new Set(['tasks', 'for_each', 'grow']);

export function buildTask(place: TaskPlace, declared: DeclaredTask | undefined): Task {
  const expanded = declared === undefined ? undefined : expandReview(declared);
  if (declared !== undefined && expanded !== undefined) return buildReviewed(place, declared, expanded);
  const scope = declared === undefined ? place.scope : scopeOf(place, declared);
  const inside = { ...place, scope, on: joinLabels(place.on, declared?.on) };
  const base = baseOf(inside, declared);
  if (declared?.kind === undefined) return standIn(base);
  switch (declared.kind) {
    case 'prompt':
    case 'run':
    case 'steps':
      return { ...base, ...workOf({ ...inside, output: base.output }, declared, declared.kind) };
    case 'tasks':
      return { ...base, type: 'subplan', tasks: childrenOf(inside, declared) };
    case 'join':
      return { ...base, ...joinOf(declared) };
    case 'gate':
      return { ...base, type: 'gate', question: declared.gate ?? '' };
    case 'for_each':
      return { ...base, ...forEachOf(inside, declared.for_each) };
    case 'grow':
      return { ...base, type: 'subplan', tasks: growTasks(inside, declared) };
  }
}

function buildReviewed(place: TaskPlace, declared: DeclaredTask, { task, sources }: ExpandedReview): Task {
  const { building, sourcePath } = place;
  if (declared.repeat !== undefined)
    reportAtPath(building, [...sourcePath, 'repeat'], {
      code: 'misplaced-key',
      message: 'The key repeat has no meaning on a task with review, which is a loop of its own.',
      hint: 'Delete one of the two, or write the review as a step with read_only: true.',
    });
  return buildTask({ ...place, sources }, task);
}

function scopeOf(place: TaskPlace, declared: DeclaredTask): SettingsScope {
  const { building, sourcePath } = place;
  const layer = WITH_TASKS.has(declared.kind ?? '') ? 'subplan' : 'task';
  const originOf = (setting: SettingName): SettingOrigin => ({
    layer,
    task: place.path,
    file: building.reading.file,
    line: lineAt(building.reading, offsetOf(building.root, [...sourcePath, ...setting.split('.')])),
  });
  const scope = narrow(place.scope, { declared, originOf });
  building.kept?.set(place.path, { scope, ownOrigin: originOf });
  return scope;
}

type OfWork = 'type' | 'form' | 'steps' | 'repeat' | 'files' | 'check' | 'retry' | 'hold' | 'drafts';
type TaskParts = Omit<WorkTask, OfWork>;

function baseOf(place: TaskPlace, declared: DeclaredTask | undefined): TaskParts {
  const { building, container, sourcePath, scope, on } = place;
  const needs = declared?.needs === undefined ? NO_NEEDS : resolveNeed(declared.needs, container, building.paths);
  return {
    id: place.id,
    path: place.path,
    needs,
    when: declared?.when,
    settings: scope.settings,
    cap: declared?.max_parallel,
    budget: declared?.budget === undefined ? undefined : ceilingsOf(declared.budget),
    estimateMs: declared?.estimate,
    output: buildOutput(building, declared?.output, sourcePath),
    description: declared?.description,
    on,
    item: undefined,
  };
}

/** A placeholder for an invalid task, so that its dependents do not report it as unknown. */
function standIn(base: TaskParts): Task {
  return { ...base, type: 'gate', question: 'unreadable' };
}

function childrenOf(place: TaskPlace, declared: DeclaredTask): readonly Task[] {
  return (declared.tasks ?? []).map(({ name, value }) =>
    buildTask(
      {
        ...place,
        id: name,
        path: `${place.path}.${name}`,
        container: place.path,
        sourcePath: [...place.sourcePath, 'tasks', name],
      },
      value,
    ),
  );
}

function joinOf(declared: DeclaredTask): Pick<JoinTask, 'type' | 'onError' | 'onResult'> {
  const rules = resultRulesOf(declared);
  return {
    type: 'join',
    onError: declared.join?.on_error ?? 'fail_fast',
    onResult: rules.length === 0 ? undefined : rules,
  };
}

type ForEachPart = Pick<ForEachTask, 'type' | 'list' | 'itemsMax' | 'itemName' | 'task'>;

function forEachOf(place: TaskPlace, declared: DeclaredForEach | undefined): ForEachPart {
  const list = declared?.in ?? { type: 'known', items: [] };
  const inner: TaskPlace = {
    ...place,
    id: INNER_ID,
    path: `${place.path}.${INNER_ID}`,
    sourcePath: [...place.sourcePath, 'for_each', 'task'],
  };
  return {
    type: 'for_each',
    list,
    itemsMax: declared?.max ?? (list.type === 'known' ? list.items.length : 1),
    itemName: declared?.as ?? 'item',
    task: buildTask(inner, declared?.task),
  };
}

type WorkPart = Pick<WorkTask, OfWork | 'output'>;

/** The output of the task has been resolved already, so that its faults are reported once. */
interface WorkPlace extends TaskPlace {
  readonly output: JsonSchema | undefined;
}

function workOf(place: WorkPlace, declared: DeclaredTask, form: WorkTask['form']): WorkPart {
  const steps = form === 'steps' ? stepsOf(place, declared) : [onlyStepOf(place, declared, form)];
  const { repeat } = declared;
  return {
    type: 'work',
    form,
    steps,
    repeat:
      repeat === undefined
        ? undefined
        : { until: repeat.until ?? 'true', roundsMax: repeat.max ?? 1, feedback: repeat.feedback },
    files: declared.files ?? NONE,
    check: declared.check,
    retry: declared.retry,
    hold: declared.hold ?? NONE,
    drafts: undefined,
    output: place.output ?? steps[resultStep(steps)]?.output,
  };
}

/** The keys of the task that are about its work belong to its one step; `when` and `needs` stay with the task. */
function onlyStepOf(place: WorkPlace, declared: DeclaredTask, kind: 'prompt' | 'run'): Step {
  const { prompt, run, read_only, reserve, resume, on_error, on_result, estimate, escalate } = declared;
  const { output } = place;
  const work = {
    prompt,
    run,
    read_only,
    escalate,
    reserve,
    output,
    resume,
    on_error,
    on_result,
    estimate,
    pool: undefined,
    pools: undefined,
  };
  const { building, scope, on, sourcePath, container } = place;
  return buildStep({
    building,
    container,
    id: 'main',
    kind,
    declared: work,
    task: declared,
    scope,
    on,
    sourcePath,
    before: undefined,
  });
}

function stepsOf(place: WorkPlace, task: DeclaredTask): readonly Step[] {
  const { building, scope, on, container } = place;
  const declaredSteps = withTaskResume(task, task.steps ?? []);
  const steps: Step[] = [];
  let before: PromptTurn | undefined;
  const resultOf = lastKept(declaredSteps.map(({ read_only }) => read_only === true));
  declaredSteps.forEach((declared, index) => {
    const sourcePath = [...place.sourcePath, ...(place.sources?.[index] ?? ['steps', index])];
    const id = declared.id ?? `step-${index + 1}`;
    // An invalid step still has an id that others may need.
    const kind = declared.kind ?? 'run';
    const step = buildStep({ building, id, kind, declared, task, scope, on, sourcePath, container, before });
    steps.push(index === resultOf && step.output === undefined ? { ...step, output: place.output } : step);
    if (kind === 'prompt' && !step.async) before = { agent: agentNamed({ declared, scope, task }), async: false };
  });
  reportTwinSteps(place, declaredSteps, steps);
  const isForAny = declaredSteps.some((step) => step.kind === 'prompt' && step.agent === undefined);
  if (task.escalate !== undefined && !isForAny)
    reportAtPath(building, [...place.sourcePath, 'escalate'], {
      code: 'no-agent-turn',
      message: `\`${place.path}\` has no step with a prompt for the agents of escalate.`,
      hint: 'Write escalate on a step, delete agent of a step, or delete escalate.',
    });
  return steps;
}

/** The conversation that a task of several steps takes up goes to its first prompt. */
function withTaskResume({ resume }: DeclaredTask, steps: readonly DeclaredStep[]): readonly DeclaredStep[] {
  const first = steps.findIndex(({ kind }) => kind === 'prompt');
  if (resume === undefined || first < 0) return steps;
  return steps.map((step, index) => (index === first ? { ...step, resume: step.resume ?? resume } : step));
}

function reportTwinSteps(place: TaskPlace, declared: readonly DeclaredStep[], steps: readonly Step[]): void {
  const first = new Map<string, number>();
  steps.forEach(({ id }, index) => {
    const key = id.toLowerCase();
    const twin = first.get(key);
    if (twin === undefined) {
      first.set(key, index);
      return;
    }
    const { building } = place;
    const lineOf = (at: number) =>
      lineAt(building.reading, offsetOf(building.root, [...place.sourcePath, 'steps', at]));
    const isSame = steps[twin]?.id === id;
    reportAtPath(
      building,
      [...place.sourcePath, 'steps', index, ...(declared[index]?.id === undefined ? [] : ['id'])],
      {
        code: isSame ? 'duplicate-id' : 'case-twins',
        message: isSame
          ? `The step ${JSON.stringify(id)} is there twice, on line ${lineOf(twin)} and line ${lineOf(index)}.`
          : `The step ids ${steps[twin]?.id} (line ${lineOf(twin)}) and ${id} differ only in case.`,
        hint: 'Rename one of the two.',
      },
    );
  });
}
