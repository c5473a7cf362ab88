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
const LINE_MAX = 1_000;
const PROMPT_MAX = 160;
/** A person who says yes lets commands run, so more is shown of them. */
const COMMAND_MAX = 400;
const CUT = '…';

/** The question of the gate: before the draft in general, after it about each added task and its work. */
export function growQuestion(subplan: string, added: readonly Task[] | undefined): string {
  if (added === undefined) return `Start the tasks that ${subplan} has grown?`;
  const what = added.length === 1 ? 'the task' : `the ${added.length} tasks`;
  const rows = added.flatMap((task) => rowsOf(task, task.id));
  const shown = rows.slice(0, SHOWN_MAX).map((row) => `- ${cut(row, LINE_MAX)}`);
  const left = rows.length - shown.length;
  const isWhole = left === 0 && !shown.some((row) => row.includes(CUT));
  return [
    `Start ${what} that ${subplan} has grown?`,
    ...shown,
    ...(left === 0 ? [] : [`- and ${left} more`]),
    ...(isWhole ? [] : [`All of it: heddle turns ${subplan}.${DRAFT_ID}`]),
  ].join('\n');
}

/** A task and the tasks inside it, each with its work. */
function rowsOf(task: Task, name: string): readonly string[] {
  switch (task.type) {
    case 'work':
      return [`${name}: ${[...task.steps.map(stepOutline), ...commandOf('check', task.check)].join('; ')}`];
    case 'subplan':
      return [`${name}: subplan`, ...task.tasks.flatMap((each) => rowsOf(each, `${name}.${each.id}`))];
    case 'join':
      return [`${name}: join`];
    case 'gate':
      return [`${name}: gate: ${cut(task.question, PROMPT_MAX)}`];
    case 'for_each':
      return rowsOf(task.task, `${name}, for each item`);
  }
}

function stepOutline(step: Step): string {
  switch (step.type) {
    case 'prompt':
      return cut(step.prompt, PROMPT_MAX);
    case 'run':
      return commandOf('run', step.run).join('');
    case 'join':
      return 'join';
  }
}

const commandOf = (key: string, command: string | undefined): readonly string[] =>
  command === undefined ? [] : [`${key}: ${cut(command, COMMAND_MAX)}`];

/** On one line. The question is a template, and the texts in it are not to be evaluated. */
function cut(text: string, max: number): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/\{(?=[{%])/g, '{ ');
  return line.length > max ? `${line.slice(0, max)}${CUT}` : line;
}

function after(own: readonly Task[], task: Task): Task {
  const last = own.at(-1);
  const needs: Need = { type: 'all', of: last === undefined ? [] : [last.path] };
  return task.needs.of.length > 0 ? task : { ...task, needs };
}
