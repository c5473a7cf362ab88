// P10 and P2 of growth: what grew is what a pure function accepted, once, and nothing of it began before.
import { taskOfPath } from '../../src/core/compile/compiled.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { factsOf } from '../../src/core/engine/facts.ts';
import { judgeFragment } from '../../src/core/grow/judge-fragment.ts';
import { draftIn, grownIn, isDraft } from '../../src/core/plan/grown-plan.ts';
import type { Growth } from '../../src/core/plan/growth.ts';
import type { Task } from '../../src/core/plan/plan.ts';
import type { Invariant, Sight } from './invariant.ts';

type Broken = (message: string) => never;

export const grownAsJudged: Invariant = {
  name: 'P10 a run grows by what was judged and by nothing else',
  watch: (sight, broken) => {
    /** Drafts whose latest fragment is in the log. */
    const kept = new Set<string>();
    return {
      before: (event) => {
        if (event.type === 'plan.grown') checkGrown(sight, event, broken);
        if (event.type === 'plan.grown') kept.add(event.draft);
        if (event.type === 'plan.amended') checkKept(sight, event, broken);
        if (event.type === 'claim.made') checkBegun(sight, event.task, broken);
        if (event.type === 'claim.ended' && event.work === 'step' && event.ending === 'done') kept.delete(event.task);
        if (event.type === 'task.ended' && event.ending === 'done') checkDraft(sight, event.task, { kept, broken });
      },
    };
  },
};

function checkGrown(sight: Sight, event: Extract<RunEvent, { type: 'plan.grown' }>, broken: Broken): void {
  const state = sight.state();
  const draft = taskOfPath(state.compiled, event.draft);
  if (draft === undefined || !isDraft(draft.task)) return broken(`${event.draft} grows, and is no draft.`);
  // It is judged by the plan to come.
  if (state.amending !== undefined) broken(`${event.draft} grows in the middle of an amendment.`);
  const { steps, hasGrown, ended } = factsOf(state, draft.index);
  if (hasGrown || ended !== undefined) broken(`${event.draft} grows twice.`);
  const written = steps.at(-1)?.result?.response ?? '';
  const judged = judgeFragment(state, draft, { written });
  if (judged.type === 'refused') return broken(`${event.draft} grows by what is refused: ${judged.says}`);
  const added = event.fragment.tasks.map(({ path }) => path).join();
  if (added !== judged.fragment.tasks.map(({ path }) => path).join())
    broken(`${event.draft} grows by other tasks: ${added}.`);
  const { drafts } = draft.task;
  const inside = event.fragment.tasks.flatMap(withInside);
  const expected = inside.length + inside.reduce((sum, task) => sum + (growthIn(task)?.tasksMax ?? 0), 0);
  if (expected > drafts.tasksMax) broken(`${event.draft} grows by too many tasks: ${added}.`);
  for (const task of inside) checkWidth(sight, task, { drafts, broken });
}

const withInside = (task: Task): readonly Task[] =>
  task.type === 'subplan' ? [task, ...task.tasks.flatMap(withInside)] : [task];

const growthIn = (task: Task): Growth | undefined => (isDraft(task) ? task.drafts : undefined);

interface Width {
  readonly drafts: Growth;
  readonly broken: Broken;
}

/** Agents, pools and levels are the plan's to say, and not the fragment's. The judge is not asked: it may be wrong. */
function checkWidth(sight: Sight, task: Task, { drafts, broken }: Width): void {
  const { agents } = sight.compiled.plan;
  const ofAgents = new Set(agents.flatMap(({ name, pool }) => (drafts.agents.includes(name) ? [pool] : [])));
  if ((growthIn(task)?.depthMax ?? 0) >= drafts.depthMax) broken(`${task.path} grows too deep.`);
  for (const step of task.type === 'work' ? task.steps : []) {
    if (step.type === 'prompt' && !drafts.agents.includes(step.agent ?? '')) broken(`${task.path} asks ${step.agent}.`);
    const foreign = step.pools.find(({ pool }) => !drafts.pools.includes(pool) && !ofAgents.has(pool));
    if (foreign !== undefined) broken(`${task.path} takes ${foreign.pool}.`);
  }
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

interface DraftEnd {
  readonly kept: ReadonlySet<string>;
  readonly broken: Broken;
}

function checkDraft(sight: Sight, path: string, { kept, broken }: DraftEnd): void {
  const task = taskOfPath(sight.compiled, path);
  if (task === undefined || !isDraft(task.task)) return;
  if (!kept.has(path)) broken(`${path} is done, and its fragment is in no event.`);
  sight.counts.add('a draft was done');
}
