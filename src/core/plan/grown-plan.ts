// Plans that grow: the draft and the gate of a subplan that grows, and the plan with the tasks of an accepted fragment.
//
// grown-plan/G1. A subplan grows when its first task drafts; with `confirm: gate` its second task is a gate that needs
//   the draft. All tasks after these were added during the run.
// grown-plan/G2. An added task without needs waits for the gate, or else for the draft, so none starts before the
//   fragment is accepted and confirmed.
import type { Growth } from './growth.ts';
import type { GateTask, Need, Plan, Step, Subplan, Task, WorkTask } from './plan.ts';

export const DRAFT_ID = 'draft';
export const CONFIRM_ID = 'confirm';

export type Draft = WorkTask & { readonly drafts: Growth };

/** The task that writes the tasks of this subplan; undefined for a subplan whose tasks were written before the run. */
export function draftIn({ tasks: [first] }: Subplan): Draft | undefined {
  return first !== undefined && isDraft(first) ? first : undefined;
}

export const isDraft = (task: Task): task is Draft => task.type === 'work' && task.drafts !== undefined;

const ownCount = ({ drafts }: Draft): number => (drafts.confirm === 'gate' ? 2 : 1);

/** The tasks that were added to a subplan that grows. */
export function grownIn(subplan: Subplan): readonly Task[] {
  const draft = draftIn(subplan);
  return draft === undefined ? [] : subplan.tasks.slice(ownCount(draft));
}

/** Whether the task was added to the subplan during the run. */
export const isGrown = (subplan: Subplan, task: Task): boolean => grownIn(subplan).includes(task);

/** The plan with these tasks in the subplan around the draft, in place of any that an earlier draft added. */
export function growPlan(plan: Plan, draftPath: string, added: readonly Task[]): Plan {
  return { ...plan, tasks: growIn(plan.tasks, draftPath, added) };
}

function growIn(tasks: readonly Task[], draftPath: string, added: readonly Task[]): readonly Task[] {
  return tasks.map((task) => {
    if (task.type !== 'subplan' || !draftPath.startsWith(`${task.path}.`)) return task;
    const draft = draftIn(task);
    if (draft?.path !== draftPath) return { ...task, tasks: growIn(task.tasks, draftPath, added) };
    const own = task.tasks.slice(0, ownCount(draft));
    const asked = own.map((each) => (each.type === 'gate' ? askAbout(each, task.path, added) : each));
    return { ...task, tasks: [...asked, ...added.map((each) => after(own, each))] };
  });
}

/** A gate about nothing is skipped. */
const askAbout = (gate: GateTask, subplan: string, added: readonly Task[]): GateTask => ({
  ...gate,
  when: added.length === 0 ? 'false' : undefined,
  question: growQuestion(subplan, added),
});

/** Tasks shown in the question; the rest are counted. */
const SHOWN_MAX = 20;
const OUTLINE_MAX = 160;

/** The question of the gate: before the draft in general, after it about each added task and its work. */
export function growQuestion(subplan: string, added: readonly Task[] | undefined): string {
  if (added === undefined) return `Start the tasks that ${subplan} has grown?`;
  const what = added.length === 1 ? 'the task' : `the ${added.length} tasks`;
  const lines = added.slice(0, SHOWN_MAX).map((task) => `- ${task.id}: ${shown(outline(task))}`);
  const more = added.length > SHOWN_MAX ? [`- and ${added.length - SHOWN_MAX} more`] : [];
  return [`Start ${what} that ${subplan} has grown?`, ...lines, ...more].join('\n');
}

/** One line. The question is a template, and the texts in it are not to be evaluated. */
function shown(text: string): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/\{(?=[{%])/g, '{ ');
  return line.length > OUTLINE_MAX ? `${line.slice(0, OUTLINE_MAX)}…` : line;
}

function outline(task: Task): string {
  switch (task.type) {
    case 'work':
      return [...task.steps.map(stepOutline), ...(task.check === undefined ? [] : [`check: ${task.check}`])].join('; ');
    case 'subplan':
      return `${task.tasks.length} tasks: ${task.tasks.map(({ id }) => id).join(', ')}`;
    case 'join':
      return 'join';
    case 'gate':
      return `gate: ${task.question}`;
    case 'for_each':
      return `for each item: ${outline(task.task)}`;
  }
}

function stepOutline(step: Step): string {
  switch (step.type) {
    case 'prompt':
      return step.prompt;
    case 'run':
      return `run: ${step.run}`;
    case 'join':
      return 'join';
  }
}

function after(own: readonly Task[], task: Task): Task {
  const last = own.at(-1);
  const needs: Need = { type: 'all', of: last === undefined ? [] : [last.path] };
  return task.needs.of.length > 0 ? task : { ...task, needs };
}
