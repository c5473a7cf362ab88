// The tasks of a subplan that grows, before it has grown: the draft, and the gate where a person confirms.

import { CONFIRM_ID, DRAFT_ID, growQuestion } from '../grown-plan.ts';
import { buildStep } from './build-step.ts';
import type { Growth } from '../growth.ts';
import type { TaskPlace } from './building.ts';
import type { DeclaredGrow } from '../language/grow-shape.ts';
import type { DeclaredTask } from '../language/task-shape.ts';
import type { GateTask, Need, Settings, Step, Task, WorkTask } from '../plan.ts';

/** Tries at an accepted fragment, where `rounds` says nothing. */
export const GROW_ROUNDS = 3;

const NO_NEEDS: Need = { type: 'all', of: [] };

export function growTasks(place: TaskPlace, declared: DeclaredTask): readonly Task[] {
  const { grow } = declared;
  const { path, scope } = place;
  const base = {
    when: undefined,
    settings: scope.settings,
    cap: undefined,
    budget: undefined,
    estimateMs: declared.estimate,
    output: undefined,
    description: undefined,
    on: place.on,
    item: undefined,
  };
  const draft: WorkTask = {
    ...base,
    type: 'work',
    id: DRAFT_ID,
    path: `${path}.${DRAFT_ID}`,
    needs: NO_NEEDS,
    form: grow?.run === undefined ? 'prompt' : 'run',
    steps: [writerOf(place, declared)],
    repeat: undefined,
    files: [],
    check: undefined,
    retry: undefined,
    hold: [],
    drafts: growthOf(grow, declared, scope.settings),
  };
  if (grow?.confirm !== 'gate') return [draft];
  const confirm: GateTask = {
    ...base,
    type: 'gate',
    id: CONFIRM_ID,
    path: `${path}.${CONFIRM_ID}`,
    needs: { type: 'all', of: [draft.path] },
    estimateMs: undefined,
    question: growQuestion(path, undefined),
  };
  return [draft, confirm];
}

/** The step that writes the fragment; its attempts are the rounds. */
function writerOf(place: TaskPlace, declared: DeclaredTask): Step {
  const { building, scope, sourcePath } = place;
  const { prompt, run, rounds } = declared.grow ?? {};
  const { reserve, estimate } = declared;
  const work = {
    prompt,
    run,
    reserve,
    estimate,
    output: undefined,
    read_only: undefined,
    resume: undefined,
    on_error: undefined,
    on_result: undefined,
    pool: undefined,
    pools: undefined,
  };
  const step = buildStep({
    building,
    container: place.path,
    id: 'main',
    kind: run === undefined ? 'prompt' : 'run',
    declared: work,
    task: declared,
    scope,
    on: place.on,
    sourcePath: [...sourcePath, 'grow'],
    before: undefined,
  });
  return { ...step, attemptsMax: rounds ?? GROW_ROUNDS };
}

function growthOf(grow: DeclaredGrow | undefined, { files }: DeclaredTask, { agent, fallbacks }: Settings): Growth {
  return {
    tasksMax: grow?.max_tasks ?? 1,
    depthMax: grow?.depth ?? 1,
    confirm: grow?.confirm ?? 'none',
    agents: grow?.agents ?? (agent === undefined ? [] : [agent, ...fallbacks]),
    pools: grow?.pools ?? [],
    files: files ?? [],
  };
}
