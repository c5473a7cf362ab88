// From an owed claim to the assignment of a worker: texts rendered over the log. A text that cannot be rendered is an
// outcome of its own, so that a missing value fails its step and never becomes an empty string.
//
// A claim's sandbox has three sources: the run's base, the work of the task's needs, and the task's own progress.
//
// assign/N1. A task starts from the work of its needs at the time it opened, merged in the order of the run branch, however
//     often its claims are assigned.
// assign/N2. A need without work of its own (a join, a gate, a draft, a skipped task) is replaced by its own needs. A
//     subplan is replaced by all tasks in it, and the tasks in a subplan also have the needs of the subplan.
import { isDraft } from '../../plan/grown-plan.ts';
import { renderCommand } from '../../plan/expressions/shell-command.ts';
import { readTemplate, renderTemplate, type Scope } from '../../plan/expressions/template.ts';
import { assert } from '../../assert.ts';
import type { CompiledStep, CompiledTask } from '../../compile/compiled.ts';
import { redoPoint } from '../../compile/sequence.ts';
import type { SandboxPlan } from '../../plan/plan.ts';
import type { Assignment, ClaimRef, SandboxSource, Work } from '../../protocol/assignment.ts';
import { claimAt, claimOnStep, factsOf, ZERO_SPEND, stepFactsOf, stepNamed, taskAt, taskNamed } from '../facts.ts';
import { scopeOf, type RunInputs } from '../scope.ts';
import { roomInUsd } from '../ledger.ts';
import type { Claim, State } from '../state.ts';
import { draftEnvironment, draftGuide } from './draft-guide.ts';
import { agentOfClaim, mergeWork, resolveWork } from './merge-work.ts';
import { conversationThere, NO_CONVERSATION, withSummary, type ConversationThere } from './moved-conversation.ts';
import { permittedIn } from './taken-up.ts';
import { renderCheck } from './task-checks.ts';
import type { Assigned } from '../../protocol/answer-hosts.ts';
import type { WorkOutcome } from '../../protocol/work-outcome.ts';
import type { TaskIndex } from '../../compile/meaning.ts';
import { satisfies } from '../token.ts';

/** `host` is undefined for the coordinator's machine. */
export function assign(state: State, claim: ClaimRef, given: RunInputs, host?: string): Assigned {
  const task = taskNamed(state.compiled, claim.task);
  if (claim.work === 'check') return assignCheck(state, task, { claim, given, host });
  if (claim.work === 'merge') return { type: 'assigned', assignment: assignMerge(state, task, { claim, given }) };
  const step = stepNamed(task, claim.step ?? '');
  const { timeoutMs, idleTimeoutMs, output } = step.step;
  const limits = { timeoutMs, idleTimeoutMs };
  const known = claimOnStep(state, step);
  const sandbox = sandboxOf(state, task, { claim: known, host });
  const there =
    known?.agent === undefined ? NO_CONVERSATION : conversationThere(state, step, { claim: known, given, host });
  const conversation = there.moved;
  if (known?.work === 'resolve') {
    const work = resolveWork(state, task, { claim: known, given, there });
    return { type: 'assigned', assignment: { claim, work, limits, output: undefined, sandbox }, conversation };
  }
  const work = workOf(state, task, { step, given, claim: known, there });
  if (work.type === 'failed') return { type: 'refused', outcome: refusal(claim, work.message) };
  return { type: 'assigned', assignment: { claim, work, limits, output, sandbox }, conversation };
}

function assignCheck(
  state: State,
  compiled: CompiledTask,
  { claim, given, host }: { claim: ClaimRef; given: RunInputs; host: string | undefined },
): Assigned {
  const check = renderCheck(state, compiled, given);
  assert(check !== undefined, 'Only a task with a check has its check claimed.');
  if (check.type === 'failed') return { type: 'refused', outcome: refusal(claim, check.message) };
  const { timeoutMs, idleTimeoutMs } = compiled.task.settings;
  const work: Work = { type: 'command', command: check.script, environment: {} };
  const sandbox = sandboxOf(state, compiled, { claim: claimAt(state, compiled.places.checking), host });
  const limits = { timeoutMs, idleTimeoutMs };
  return { type: 'assigned', assignment: { claim, work, limits, output: undefined, sandbox } };
}

function assignMerge(
  state: State,
  compiled: CompiledTask,
  { claim, given }: { readonly claim: ClaimRef; readonly given: RunInputs },
): Assignment {
  const { timeoutMs, idleTimeoutMs } = compiled.task.settings;
  const work = mergeWork(state, compiled, given);
  return { claim, work, limits: { timeoutMs, idleTimeoutMs }, output: undefined, sandbox: undefined };
}

type Failed = { readonly type: 'failed'; readonly message: string };

interface Working {
  readonly step: CompiledStep;
  readonly given: RunInputs;
  readonly claim: Claim | undefined;
  readonly there: ConversationThere;
}

function workOf(state: State, task: CompiledTask, { step: compiled, given, claim, there }: Working): Work | Failed {
  const { step } = compiled;
  switch (step.type) {
    case 'run': {
      const rendered = renderCommand(step.run, scopeFor(state, task, { text: step.run, given }));
      if (rendered.type === 'failed') return rendered;
      const environment = { ...rendered.environment, ...draftEnvironment(task, stepFactsOf(state, compiled)) };
      return { type: 'command', command: rendered.command, environment };
    }
    case 'prompt': {
      const rendered = renderTemplate(step.prompt, scopeFor(state, task, { text: step.prompt, given }));
      if (rendered.type === 'failed') return rendered;
      assert(claim !== undefined, 'What is assigned is claimed.');
      const { conversation, summary } = there;
      const text = `${rendered.text}${draftGuide(task)}`;
      const prompt = withSummary(promptOf(state, compiled, { text, isTakenUp: conversation !== undefined }), summary);
      const ceilingUsd = roomInUsd(state.ledger, compiled.task, claim.reserve);
      return {
        type: 'turn',
        agent: agentOfClaim(state, claim),
        prompt,
        conversation,
        ...(step.isReadOnly === true ? { isReadOnly: true } : {}),
        ...permittedIn(state, compiled, claim),
        ...(ceilingUsd === undefined ? {} : { ceilingUsd }),
      };
    }
    case 'join':
      throw new Error('A join is decided, never claimed.');
  }
}

interface Prompting {
  readonly text: string;
  /** The agent remembers its earlier prompts. */
  readonly isTakenUp: boolean;
}

/** A continued turn gets the reason why it continues; an agent without the conversation gets the full prompt again. */
function promptOf(state: State, step: CompiledStep, { text, isTakenUp }: Prompting): string {
  const { goesOn } = stepFactsOf(state, step);
  if (goesOn === undefined) return `${text}${whatFailed(state, step)}`;
  const asked = goesOn.asked === undefined ? '' : `You asked: ${goesOn.asked}\n\n`;
  const says = goesOn.type === 'answer' ? goesOn.says : `${goesOn.says} ${ANSWER_AGAIN}`;
  if (isTakenUp) return says;
  return `${text}\n\nThis was done before, and what was made then is still there. ${asked}${says}`;
}

const ANSWER_AGAIN = 'Answer again, with nothing but JSON of the shape that was asked for; change nothing else.';

/** Addition to the prompt when the work could not be saved, or a check sent the task back. */
function whatFailed(state: State, compiled: CompiledStep): string {
  const { task, index } = compiled;
  const { unsaved } = stepFactsOf(state, compiled);
  if (unsaved !== undefined)
    return `\n\nThis was done before, and the work could not be saved. It is still there; mend this first: ${unsaved}`;
  const { failedCheck: tail, feedback, told } = factsOf(state, task);
  if (index !== redoPoint(taskAt(state, task).steps.map(({ step }) => step))) return '';
  const asked = told === undefined ? '' : `\n\nThis was done before, and a person asks for it again:\n\n${told}`;
  if (feedback !== undefined) return `${asked}\n\nThis was done before. ${feedback}`;
  if (tail === undefined) return asked;
  return `${asked}\n\nThis was done before, and then the check failed. The end of what it said:\n\n${tail}`;
}

function scopeFor(state: State, task: CompiledTask, { text, given }: { text: string; given: RunInputs }): Scope {
  return scopeOf(state, task, { references: readTemplate(text).references, given });
}

/** Final: a retry would miss the same value. */
function refusal(claim: ClaimRef, message: string): WorkOutcome {
  const result = { ok: false, response: message, output: undefined, exitCode: undefined, commit: undefined };
  return { type: 'failed', ...claim, spend: ZERO_SPEND, reason: 'expression', isFinal: true, result };
}

interface Sandboxed {
  readonly claim: Claim | undefined;
  readonly host: string | undefined;
}

/** Undefined when the run works in place. */
function sandboxOf(state: State, task: CompiledTask, { claim, host }: Sandboxed): SandboxSource | undefined {
  const { base } = state.run;
  if (base === undefined || state.compiled.plan.sandbox.tree === 'none' || claim === undefined) return undefined;
  const { tip, conflict, life } = factsOf(state, task.index);
  const onto = claim.work === 'resolve' ? conflict?.onto : undefined;
  const { take } = task.task.settings.merge;
  const source = {
    base,
    needs: tipsOfNeeds(state, task),
    from: tip,
    onto,
    settings: settingsOn(state, host),
    take,
    at: claim.at,
    isClean: claim.startsClean,
  };
  return life === 0 ? source : { ...source, life };
}

/**
 * With the tree and the isolation that were found on the coordinator's machine. Another machine has the tree of the plan that
 * is the best one there, and no less isolation.
 */
function settingsOn(state: State, host: string | undefined): SandboxPlan {
  const { sandbox } = state.compiled.plan;
  const { tree, isolation } = state.run.sandboxes ?? sandbox;
  if (host === undefined) return { ...sandbox, tree, isolation };
  return { ...sandbox, isolation: isolation === 'os' ? isolation : sandbox.isolation };
}

/**
 * In the order in which they were merged, each once: in another order they may conflict, though on the run branch they did not,
 * or in a way that was resolved there.
 */
function tipsOfNeeds(state: State, task: CompiledTask): readonly string[] {
  const found = new Set<TaskIndex>();
  const seen = new Set<TaskIndex>();
  const before = factsOf(state, task.index).openingEvent;
  const pending = [...neededBy(state, task)];
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    if (seen.has(index)) continue;
    seen.add(index);
    const { ended, endingEvent, tip } = factsOf(state, index);
    if (ended === undefined || endingEvent > before) continue;
    const need = taskAt(state, index);
    if (ended.ending === 'done' && tip !== undefined && !isDraft(need.task)) found.add(index);
    else if (need.task.type === 'subplan') pending.push(...need.children);
    else if (satisfies(ended.ending)) pending.push(...neededBy(state, need));
  }
  const endedAt = (index: TaskIndex): number => factsOf(state, index).endingEvent;
  const inOrder = [...found].sort((one, other) => endedAt(one) - endedAt(other));
  return [...new Set(inOrder.flatMap((index) => factsOf(state, index).tip ?? []))];
}

/** The needs of the task and of the subplans around it. */
function neededBy(state: State, task: CompiledTask): readonly TaskIndex[] {
  const needs = [...task.needs];
  for (let at = task.parent; at !== undefined; at = taskAt(state, at).parent) needs.push(...taskAt(state, at).needs);
  return needs;
}
