// P10 and P2 of growth: what grew is what a pure function accepted, once, and nothing of it began before.
import { taskOfPath } from '../../src/core/compile/compiled.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { factsOf } from '../../src/core/engine/facts.ts';
import { judgeFragment } from '../../src/core/grow/judge-fragment.ts';
import { draftIn, grownIn, isDraft } from '../../src/core/plan/grown-plan.ts';
import type { Task } from '../../src/core/plan/plan.ts';
import type { Invariant, Sight } from '../invariants/invariant.ts';

type Broken = (message: string) => never;

export const grownAsJudged: Invariant = {
  name: 'P10 a run grows by what was judged and by nothing else',
  watch: (sight, broken) => ({
    before: (event) => {
      if (event.type === 'plan.grown') checkGrown(sight, event, broken);
      if (event.type === 'plan.amended') checkKept(sight, event, broken);
      if (event.type === 'claim.made') checkBegun(sight, event.task, broken);
      if (event.type === 'task.ended' && event.ending === 'done') checkDraft(sight, event.task, broken);
    },
  }),
};

function checkGrown(sight: Sight, event: Extract<RunEvent, { type: 'plan.grown' }>, broken: Broken): void {
  const state = sight.state();
  const draft = taskOfPath(state.compiled, event.draft);
  if (draft === undefined || !isDraft(draft.task)) return broken(`${event.draft} grows, and is no draft.`);
  const { steps, hasGrown, ended } = factsOf(state, draft.index);
  if (hasGrown || ended !== undefined) broken(`${event.draft} grows twice.`);
  const written = steps.at(-1)?.result?.response ?? '';
  const judged = judgeFragment(state, draft, { written });
  if (judged.type === 'refused') return broken(`${event.draft} grows by what is refused: ${judged.says}`);
  const added = event.fragment.tasks.map(({ path }) => path).join();
  if (added !== judged.fragment.tasks.map(({ path }) => path).join())
    broken(`${event.draft} grows by other tasks: ${added}.`);
  for (const task of event.fragment.tasks) checkAgents(task, draft.task.drafts.agents, broken);
  if (event.fragment.tasks.length > draft.task.drafts.tasksMax)
    broken(`${event.draft} grows by too many tasks: ${added}.`);
}

/** Who may be asked is the plan's to say, and not the fragment's. */
function checkAgents(task: Task, allowed: readonly string[], broken: Broken): void {
  if (task.type === 'subplan') for (const child of task.tasks) checkAgents(child, allowed, broken);
  if (task.type !== 'work') return;
  for (const step of task.steps)
    if (step.type === 'prompt' && !allowed.includes(step.agent ?? '')) broken(`${task.path} asks ${step.agent}.`);
}

/** An amendment that keeps a draft keeps what it added. */
function checkKept(sight: Sight, event: Extract<RunEvent, { type: 'plan.amended' }>, broken: Broken): void {
  const gone = new Set(event.cancelled);
  for (const { task } of sight.compiled.tasks) {
    const draft = task.type === 'subplan' ? draftIn(task) : undefined;
    if (task.type !== 'subplan' || draft === undefined || gone.has(draft.path)) continue;
    const lost = grownIn(task).find(({ path }) => gone.has(path));
    if (lost !== undefined) broken(`${lost.path} was added by ${draft.path}, which is kept, and is gone.`);
  }
}

/** A task that was added begins after the draft is done and, where a person confirms, after the person did. */
function checkBegun(sight: Sight, path: string, broken: Broken): void {
  const { compiled } = sight;
  let at = taskOfPath(compiled, path);
  for (let around = compiled.tasks[at?.parent ?? -1]; around !== undefined; around = compiled.tasks[at?.parent ?? -1]) {
    const inner = at?.task;
    at = around;
    const { task } = around;
    if (task.type !== 'subplan' || inner === undefined || !grownIn(task).includes(inner)) continue;
    const own = task.tasks.slice(0, draftIn(task)?.drafts.confirm === 'gate' ? 2 : 1);
    for (const each of own) if (!isPassed(sight, each.path)) broken(`${path} begins, and ${each.path} is not done.`);
  }
}

/** A person may skip the gate, which is a yes. */
function isPassed(sight: Sight, path: string): boolean {
  const { ended } = factsOf(sight.state(), sight.compiled.indexOf.get(path) ?? -1);
  return ended?.ending === 'done' || (ended?.ending === 'skipped' && ended.reason === 'skipped');
}

function checkDraft(sight: Sight, path: string, broken: Broken): void {
  const task = taskOfPath(sight.compiled, path);
  if (task === undefined || !isDraft(task.task)) return;
  if (!factsOf(sight.state(), task.index).hasGrown) broken(`${path} is done, and its fragment is in no event.`);
  sight.counts.add('a draft was done');
}
