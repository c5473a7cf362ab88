// A task in a few short lines for a picture: name, work, agent, and special waits.

import type { ForEachTask, Need, Step, Subplan, Task, WorkTask } from '../../plan/plan.ts';
import { draftIn, grownIn } from '../../plan/grown-plan.ts';
import type { NodeKind } from './picture.ts';
import { shorten, wrap } from './label.ts';

const LINE_CHARACTERS_MAX = 34;
const GATE_CHARACTERS_MAX = 22;
const GATE_LINES_MAX = 2;
const NAMES_MAX = 3;

export interface TaskDescription {
  readonly kind: NodeKind;
  readonly label: readonly string[];
}

/** The label of a task that is drawn as one node. */
export function describeTask(task: Task): TaskDescription {
  const { kind, lines } = describeKind(task);
  const label = [shorten(task.id, LINE_CHARACTERS_MAX), ...lines, ...describeWaiting(task)];
  return { kind, label };
}

/** The heading of a subplan, or of a `for_each` over a subplan. */
export function describeGroup(task: Task): string {
  const parts = [shorten(task.id, LINE_CHARACTERS_MAX)];
  if (task.type === 'for_each') parts.push(`for_each ${copiesOf(task)}`);
  const inner = innermost(task);
  if (inner.type === 'subplan') parts.push(...describeGrowth(inner));
  if (inner.cap !== undefined) parts.push(`cap ${inner.cap}`);
  if (inner.settings.failureMode === 'fail_fast') parts.push('fail_fast');
  return [...parts, ...describeWaiting(task)].join(' · ');
}

function describeGrowth(subplan: Subplan): readonly string[] {
  const draft = draftIn(subplan);
  if (draft === undefined) return [];
  const grown = grownIn(subplan).length;
  return [grown === 0 ? `grows by ≤${draft.drafts.tasksMax}` : `grown by ${grown}`];
}

/** The task that is copied, through any number of `for_each`. */
export function innermost(task: Task): Task {
  let inner = task;
  while (inner.type === 'for_each') inner = inner.task;
  return inner;
}

interface KindAndLines {
  readonly kind: NodeKind;
  readonly lines: readonly string[];
}

function describeKind(task: Task): KindAndLines {
  switch (task.type) {
    case 'work':
      return { kind: task.form, lines: describeWork(task) };
    case 'join':
      return { kind: 'join', lines: [task.onError === 'wait_for_all' ? 'join · wait_for_all' : 'join'] };
    case 'gate':
      return { kind: 'gate', lines: wrap(task.question, GATE_CHARACTERS_MAX, GATE_LINES_MAX) };
    case 'subplan':
      return { kind: 'subplan', lines: ['subplan without tasks'] };
    case 'for_each': {
      const inner = innermost(task);
      const lines = [`for_each ${copiesOf(task)}`, ...describeKind(inner).lines, ...describeWaiting(inner)];
      return { kind: 'for_each', lines };
    }
  }
}

function copiesOf(task: ForEachTask): string {
  const own = task.list.type === 'known' ? `×${task.list.items.length}` : `×≤${task.itemsMax}`;
  return task.task.type === 'for_each' ? `${own} ${copiesOf(task.task)}` : own;
}

function describeWork(task: WorkTask): string[] {
  const pools = task.steps.flatMap((step) =>
    step.pools.map(({ pool, tokens }) => (tokens > 1 ? `${pool} ×${tokens}` : pool)),
  );
  const who = [...namesOf(agentsOf(task.steps)), ...(pools.length === 0 ? [] : [`pool ${namesOf(pools).join(', ')}`])];
  const lines = fitTogether([describeSteps(task), who.join(' · ')]);
  if (task.repeat !== undefined) lines.push(`repeat up to ${task.repeat.roundsMax} times`);
  if (task.check !== undefined) lines.push(shorten(`check ${task.check}`, LINE_CHARACTERS_MAX));
  return lines;
}

/** On one line where they fit, else on one each. */
function fitTogether(parts: readonly string[]): string[] {
  const said = parts.filter((part) => part !== '');
  const together = said.join(' · ');
  return together.length <= LINE_CHARACTERS_MAX ? [together] : said.map((part) => shorten(part, LINE_CHARACTERS_MAX));
}

function describeSteps(task: WorkTask): string {
  if (task.form === 'prompt') return 'prompt';
  const [first] = task.steps;
  if (task.form === 'run') return first?.type === 'run' ? `run ${first.run}` : 'run';
  const ids = task.steps.map((step) => step.id);
  return `${ids.length} ${ids.length === 1 ? 'step' : 'steps'}: ${namesOf(ids).join(', ')}`;
}

function agentsOf(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => (step.type === 'prompt' && step.agent !== undefined ? [step.agent] : []));
}

/** Each name once; names beyond the first few are counted. */
function namesOf(names: readonly string[]): string[] {
  const distinct = [...new Set(names)];
  if (distinct.length <= NAMES_MAX) return distinct;
  return [...distinct.slice(0, NAMES_MAX - 1), `+${distinct.length - NAMES_MAX + 1}`];
}

function describeWaiting(task: Task): string[] {
  const need = describeNeed(task.needs);
  const when =
    task.when === undefined
      ? undefined
      : shorten(`when ${task.when}`, task.type === 'gate' ? GATE_CHARACTERS_MAX : LINE_CHARACTERS_MAX);
  return [need, when].filter((line) => line !== undefined);
}

function describeNeed(need: Need): string | undefined {
  switch (need.type) {
    case 'all':
      return undefined;
    case 'any':
      return `after any of ${need.of.length}`;
    case 'at_least':
      return `after ${need.count} of ${need.of.length}`;
    case 'race':
      return `first of ${need.of.length} wins`;
  }
}
