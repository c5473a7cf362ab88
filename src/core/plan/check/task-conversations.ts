// Conversations that go on from one task to another, and programs that cannot branch one off.

import { ADAPTERS_THAT_MOVE, ADAPTERS_WITHOUT_FORK } from '../language/agent-kinds.ts';
import { contains, findTask, forEachAround, sourceOf } from './plan-index.ts';
import { sourceOfStep } from './step-order.ts';
import type { PromptStep } from '../plan.ts';
import type { NameGuesses } from './known-names.ts';
import type { NeedsIndex } from './needs-index.ts';
import type { PlanFinding, ReportFinding } from './plan-finding.ts';
import type { IndexedTask } from './plan-index.ts';

/** A step that takes up a conversation. */
interface Taking {
  readonly needs: NeedsIndex;
  readonly names: NameGuesses;
  readonly at: IndexedTask;
  readonly step: PromptStep;
  /** The adapter of its agent. */
  readonly use: string | undefined;
  readonly say: (finding: Omit<PlanFinding, 'path'>) => void;
}

export function checkTaskConversations(needs: NeedsIndex, names: NameGuesses, report: ReportFinding): void {
  const { index } = needs;
  const uses = new Map(index.plan.agents.map((agent) => [agent.name, agent.use]));
  const continued = new Map<IndexedTask, Taking[]>();
  for (const at of index.tasks) {
    const { task } = at;
    if (task.type !== 'work') continue;
    for (const [place, step] of task.steps.entries()) {
      if (step.type !== 'prompt' || step.resume === 'fresh') continue;
      const source = () => [...sourceOfStep(sourceOf(index, at), task, place), 'resume'];
      const say = (finding: Omit<PlanFinding, 'path'>): void => report({ ...finding, path: source() });
      const taking: Taking = { needs, names, at, step, use: uses.get(step.agent ?? ''), say };
      if (step.resume === 'fork') reportUnforkable(taking);
      const from = step.resumeTask === undefined ? undefined : checkFrom(taking, step.resumeTask, uses);
      if (from === undefined || step.resume === 'fork') continue;
      reportTogether(taking, from, continued.get(from) ?? []);
      continued.set(from, [...(continued.get(from) ?? []), taking]);
    }
  }
}

function reportUnforkable({ step, use, at, say }: Taking): void {
  if (use === undefined || !ADAPTERS_WITHOUT_FORK.includes(use)) return;
  say({
    code: 'cannot-fork',
    severity: 'warning',
    message: `Step \`${step.id}\` of \`${at.task.path}\` branches off a conversation, and ${use} cannot: the turn begins one of its own.`,
    hint: 'Write resume: false, and put what it has to know into the prompt; or use claude, codex, opencode or pi.',
  });
}

/** The task that is named, where its conversation can be taken up. */
function checkFrom(taking: Taking, path: string, uses: ReadonlyMap<string, string>): IndexedTask | undefined {
  const { needs, names, at, step, use, say } = taking;
  const { index } = needs;
  const from = findTask(index, path);
  if (from === undefined) {
    const meant = names.nearestOf(path, [...index.byPath.keys()]);
    say({
      code: 'unknown-name',
      message: `\`tasks.${path}\` is to be gone on with, and there is no task \`${path}\`.`,
      hint: meant === undefined ? 'Name a task by its dotted path.' : `Did you mean \`tasks.${meant}\`?`,
    });
    return undefined;
  }
  if (needs.certaintyOf(from.index, at.index) === 'no') {
    say({
      code: 'reference-without-path',
      message: `The conversation of \`${path}\` is gone on with, and \`${path}\` is not certain to have ended when \`${at.task.path}\` starts.`,
      hint: `Add \`${path}\` to the needs of \`${at.task.path}\`.`,
    });
    return undefined;
  }
  const prompts = from.task.type === 'work' ? from.task.steps.filter((each) => each.type === 'prompt') : [];
  if (!prompts.some((each) => uses.get(each.agent ?? '') === use)) {
    say({
      code: 'nothing-to-resume',
      message: `\`${at.task.path}\` goes on with the conversation of \`${path}\`, which has none with ${use ?? 'an agent'}.`,
      hint: 'Name a task with a prompt for the same program, and not a subplan.',
    });
    return undefined;
  }
  if (use !== undefined && !ADAPTERS_THAT_MOVE.includes(use)) {
    say({
      code: 'conversation-stays',
      message: `Step \`${step.id}\` of \`${at.task.path}\` goes on with a conversation of another task, and ${use} goes on only in the folder where a conversation began.`,
      hint: 'Make it a step of the same task, use claude or codex, or pass on what was said: {{ tasks.….response }}.',
    });
    return undefined;
  }
  return from;
}

/** Two that can run together may not both go on with one conversation; copies of a for_each run together. */
function reportTogether({ needs, at, say }: Taking, from: IndexedTask, others: readonly Taking[]): void {
  const { index } = needs;
  const copies = forEachAround(index, at);
  const isCopied = copies !== undefined && !contains(copies, from);
  const other = others.find((each) => each.at !== at && needs.mayRunTogether(each.at.index, at.index));
  if (!isCopied && other === undefined) return;
  const who = other === undefined ? `other copies of \`${copies?.task.path}\`` : `\`${other.at.task.path}\``;
  say({
    code: 'shared-conversation',
    message: `\`${at.task.path}\` continues the conversation of \`${from.task.path}\`, and ${who} may do so at the same time.`,
    hint: `Write resume: { fork: tasks.${from.task.path} }, or let one need the other.`,
  });
}
