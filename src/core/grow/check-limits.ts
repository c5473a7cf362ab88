// The limits of a fragment: never wider than the task that grew it.
//
// check-limits/L1. An added task uses only agents, pools, files, time, attempts and money that its parent may use, and
//   is checked no less than its parent asks.
// check-limits/L2. Growth inside growth counts down: one level less, and its tasks count as tasks of the fragment.
// check-limits/L3. A fragment needs only its own tasks, so it meets the rest of the plan at the opening and at the end
//   of its subplan alone.
import { CONFIRM_ID, draftIn, DRAFT_ID, isDraft, type Draft } from '../plan/grown-plan.ts';
import type { Checking, FragmentLimits, ReportLimit } from './fragment-finding.ts';
import { leavesRepository, liesWithin } from './fragment-files.ts';
import { checkFragmentHosts, checkWork } from './check-work.ts';
import type { SourcePath } from '../plan/diagnostic.ts';
import type { ForEachTask, MergeSettings, Task } from '../plan/plan.ts';

export function checkLimits(limits: FragmentLimits, tasks: readonly Task[], report: ReportLimit): void {
  const { draft } = limits;
  const count = tasks.reduce((sum, task) => sum + countOf(task), 0);
  if (count > draft.drafts.tasksMax)
    report({
      code: 'grown-too-many',
      path: ['tasks'],
      message: `There are ${count} tasks, and max_tasks allows ${draft.drafts.tasksMax}; copies of for_each and max_tasks of inner growth count.`,
      hint: 'Put what belongs together into one task, or leave out what matters least.',
    });
  const inside = new Set(tasks.flatMap(pathsOf));
  const own = new Set([DRAFT_ID, CONFIRM_ID]);
  for (const { id } of tasks) if (own.has(id.toLowerCase())) reportTaken(id, report);
  for (const task of tasks) checkTask({ limits, inside, report }, task, ['tasks', task.id]);
  checkMoney(limits, tasks, report);
}

function reportTaken(id: string, report: ReportLimit): void {
  report({
    code: 'grown-taken',
    path: ['tasks', id],
    message: `\`${id}\` is the name of the task that writes the fragment, or of the gate that confirms it.`,
    hint: 'Choose another id.',
  });
}

/** The tasks that a task stands for in the end. */
function countOf(task: Task): number {
  switch (task.type) {
    case 'work':
    case 'join':
    case 'gate':
      return 1;
    case 'subplan':
      return 1 + (draftIn(task)?.drafts.tasksMax ?? 0) + task.tasks.reduce((sum, child) => sum + countOf(child), 0);
    case 'for_each':
      return 1 + copiesOf(task) * countOf(task.task);
  }
}

function pathsOf(task: Task): readonly string[] {
  if (task.type === 'subplan') return [task.path, ...task.tasks.flatMap(pathsOf)];
  return task.type === 'for_each' ? [task.path, ...pathsOf(task.task)] : [task.path];
}

function checkTask(checking: Checking, task: Task, path: SourcePath): void {
  checkNeeds(checking, task, path);
  checkSettings(checking, task, path);
  checkFragmentHosts(checking, task.on, path);
  switch (task.type) {
    case 'work':
      if (!isDraft(task)) checkFiles(checking, task.files, path);
      return checkWork(checking, task, path);
    case 'subplan': {
      const draft = draftIn(task);
      if (draft !== undefined) checkGrowth(checking, draft, path);
      for (const child of task.tasks)
        checkTask(checking, child, draft === undefined ? [...path, 'tasks', child.id] : [...path, 'grow']);
      return;
    }
    case 'for_each':
      return checkTask(checking, task.task, [...path, 'for_each', 'task']);
    case 'join':
    case 'gate':
      return undefined;
  }
}

function checkNeeds({ limits, inside, report }: Checking, { needs, path: own }: Task, path: SourcePath): void {
  const outside = needs.of.find((need) => !inside.has(need) && !isCopy(inside, need));
  if (outside === undefined) return;
  report({
    code: 'grown-need',
    path: [...path, 'needs'],
    message: `\`${own}\` needs \`${outside}\`, which is no task of this fragment.`,
    hint: `Name tasks of the fragment only; all of them start after \`${limits.draft.path}\` by themselves.`,
  });
}

/** A need may name a copy of a for_each of the fragment. */
const isCopy = (inside: ReadonlySet<string>, need: string): boolean => inside.has(need.replace(/\.[^.]*$/, '.item'));

function checkSettings({ limits, report }: Checking, task: Task, path: SourcePath): void {
  const { settings: own } = task;
  const { settings: around } = limits.subplan;
  const wider = (
    [
      ['attempts', own.attemptsMax > around.attemptsMax],
      ['timeout', own.timeoutMs > around.timeoutMs],
      ['idle_timeout', own.idleTimeoutMs > around.idleTimeoutMs],
      ['merge', mergeText(own.merge) !== mergeText(around.merge)],
    ] as const
  ).find(([, isWider]) => isWider)?.[0];
  if (wider === undefined) return;
  report({
    code: 'grown-setting',
    path: [...path, wider],
    message:
      wider === 'merge'
        ? `\`${task.path}\` is merged in another way than \`${limits.subplan.path}\` says.`
        : `\`${task.path}\` has a larger ${wider} than \`${limits.subplan.path}\`.`,
    hint: `Leave ${wider} out: what \`${limits.subplan.path}\` has holds for its tasks.`,
  });
}

/** A plan that was read from a log has its fields in another order than one that was parsed. */
function mergeText({ take, ...merge }: MergeSettings): string {
  const fields = Object.entries(merge).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([fields, take.map(({ files, side }) => [files, side])]);
}

function checkFiles({ limits, report }: Checking, files: readonly string[], path: SourcePath): void {
  const { drafts } = limits.draft;
  files.forEach((glob, at) => {
    const isOut = leavesRepository(glob);
    if (!isOut && liesWithin(glob, drafts.files)) return;
    report({
      code: 'grown-files',
      path: [...path, 'files', at],
      message: isOut ? `\`${glob}\` leaves the repository.` : `\`${glob}\` is not within ${drafts.files.join(', ')}.`,
      hint: 'Write paths or globs from the top of the repository, below the folders that the plan names.',
    });
  });
  if (files.length > 0 || drafts.files.length === 0) return;
  report({
    code: 'grown-files',
    path,
    message: `The plan says which files may be written here (${drafts.files.join(', ')}), and this task does not say which it writes.`,
    hint: 'Add files: with the paths or globs that the task writes.',
  });
}

function checkGrowth({ limits, report }: Checking, inner: Draft, path: SourcePath): void {
  const { drafts } = limits.draft;
  if (inner.drafts.depthMax >= drafts.depthMax)
    report({
      code: 'grown-too-deep',
      path: [...path, 'grow'],
      message:
        drafts.depthMax === 1
          ? 'The tasks of this fragment may not grow themselves.'
          : `This grow has depth ${inner.drafts.depthMax}, and at most ${drafts.depthMax - 1} is left.`,
      hint: drafts.depthMax === 1 ? 'Write the tasks themselves.' : `Write depth: ${drafts.depthMax - 1} or less.`,
    });
  const { agents, pools, files } = inner.drafts;
  const isWider =
    agents.some((agent) => !drafts.agents.includes(agent)) ||
    pools.some((pool) => !drafts.pools.includes(pool)) ||
    (drafts.files.length > 0 && files.length === 0) ||
    files.some((glob) => leavesRepository(glob) || !liesWithin(glob, drafts.files)) ||
    (drafts.confirm === 'gate' && inner.drafts.confirm === 'none');
  if (!isWider) return;
  report({
    code: 'grown-setting',
    path: [...path, 'grow'],
    message: 'This grow allows more than the one that it is in: agents, pools, files, or growth without confirmation.',
    hint: 'Leave agents and pools out, name files within those of the plan, and keep confirm: gate.',
  });
}

/** The budgets of the tasks together fit into what is left. */
function checkMoney({ left, subplan }: FragmentLimits, tasks: readonly Task[], report: ReportLimit): void {
  for (const part of ['usd', 'tokens'] as const) {
    const room = left[part];
    const sum = budgetsOf(tasks, part);
    if (room === undefined || sum <= room) continue;
    report({
      code: 'grown-budget',
      path: ['tasks'],
      message: `The budgets of the tasks are ${sum} ${part} together, and ${Math.max(0, room)} is left of the budget around \`${subplan.path}\`.`,
      hint: 'Lower the budgets, or leave them out: the budget around the tasks holds for all of them.',
    });
  }
}

/** A task asks for its own budget, or for those of the tasks inside it when these are more. */
const budgetsOf = (tasks: readonly Task[], part: 'usd' | 'tokens'): number =>
  tasks.reduce((sum, task) => sum + Math.max(task.budget?.[part] ?? 0, budgetInside(task, part)), 0);

function budgetInside(task: Task, part: 'usd' | 'tokens'): number {
  if (task.type === 'subplan') return budgetsOf(task.tasks, part);
  return task.type === 'for_each' ? copiesOf(task) * budgetsOf([task.task], part) : 0;
}

const copiesOf = ({ list, itemsMax }: ForEachTask): number => (list.type === 'known' ? list.items.length : itemsMax);
