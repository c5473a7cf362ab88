// Checks the commit to land in a disposable tree, by all checks of the tasks that it contains.
import type { Limits } from '../../core/protocol/assignment.ts';
import type { Plan, Task } from '../../core/plan/plan.ts';
import { stepEnvironment } from '../local-parts.ts';
import { checkerFor, type Ground } from '../git-parts.ts';

export interface RecheckOrder {
  readonly run: string;
  readonly plan: Plan;
  readonly home: string;
  readonly ground: Ground;
  readonly commit: string;
  /** Called before each check that is really made. */
  readonly onCheck: (command: string) => void;
}

export type Rechecked =
  | { readonly type: 'passed' }
  | { readonly type: 'check failed'; readonly command: string; readonly tail: string }
  | { readonly type: 'failed'; readonly message: string };

export async function recheck(order: RecheckOrder): Promise<Rechecked> {
  const { run, plan, home, ground, commit, onCheck } = order;
  const tree = await ground.repository.treeOf(commit);
  const { remembered, start } = checkerFor({ run, home, ground, environment: stepEnvironment() });
  for (const { command, limits } of checksOf(plan)) {
    if (remembered.of({ tree, command }, Infinity)?.type === 'passed') continue;
    onCheck(command);
    const checked = await start({ commit, command, limits }).ended;
    if (checked.type === 'trouble') return { type: 'failed', message: checked.message };
    if (checked.type === 'stopped') return { type: 'failed', message: `The check \`${command}\` was stopped.` };
    if (checked.type === 'failed') return { type: 'check failed', command, tail: checked.tail };
    remembered.passed({ tree, command });
  }
  return { type: 'passed' };
}

interface Check {
  readonly command: string;
  readonly limits: Limits;
}

/** The checks for merges first, then those of single tasks, each once. */
function checksOf({ settings, tasks }: Plan): readonly Check[] {
  const { timeoutMs, idleTimeoutMs } = settings;
  const works = tasks.flatMap(worksIn);
  const commands = [
    settings.merge.check,
    ...works.map((task) => task.settings.merge.check),
    ...works.map((task) => (task.type === 'work' ? task.check : undefined)),
  ];
  return [...new Set(commands.filter((command) => command !== undefined))].map((command) => ({
    command,
    limits: { timeoutMs, idleTimeoutMs },
  }));
}

function worksIn(task: Task): readonly Task[] {
  switch (task.type) {
    case 'subplan':
      return task.tasks.flatMap(worksIn);
    case 'for_each':
      return worksIn(task.task);
    case 'work':
    case 'join':
    case 'gate':
      return [task];
  }
}
