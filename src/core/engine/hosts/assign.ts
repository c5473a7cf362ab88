// From a claim that is owed to what a worker is given: texts rendered over the log. What cannot be rendered is an
// outcome of its own, so that a value that is missing fails its step and never becomes an empty string.
import { renderCommand } from '../../plan/values/command.ts';
import { readTemplate, renderTemplate, type Scope } from '../../plan/values/template.ts';
import type { Step } from '../../plan/plan.ts';
import { assert } from '../../assert.ts';
import type { CompiledTask } from '../../compile/compiled.ts';
import type { Assignment, ClaimRef, Work } from './assignment.ts';
import { stepNamed, taskNamed } from '../apply/transition-of.ts';
import { NOTHING } from '../facts.ts';
import { scopeOf, type Given } from '../judge/scope.ts';
import type { State } from '../state.ts';
import type { WorkOutcome } from './sync.ts';

export type Assigned =
  | { readonly type: 'assigned'; readonly assignment: Assignment }
  | { readonly type: 'refused'; readonly outcome: WorkOutcome };

export function assign(state: State, claim: ClaimRef, given: Given): Assigned {
  const task = taskNamed(state.compiled, claim.task);
  if (claim.step === undefined) return { type: 'assigned', assignment: assignCheck(task, claim) };
  const { step } = stepNamed(task, claim.step);
  const work = workOf(state, task, { step, given });
  if (work.type === 'failed') return { type: 'refused', outcome: refusal(claim, claim.step, work.message) };
  const { timeoutMs, idleTimeoutMs, output } = step;
  return { type: 'assigned', assignment: { claim, work, limits: { timeoutMs, idleTimeoutMs }, output } };
}

function assignCheck({ task }: CompiledTask, claim: ClaimRef): Assignment {
  assert(task.type === 'work' && task.check !== undefined, 'Only a task with a check has its check claimed.');
  const { timeoutMs, idleTimeoutMs } = task.settings;
  const work: Work = { type: 'command', command: task.check, environment: {} };
  return { claim, work, limits: { timeoutMs, idleTimeoutMs }, output: undefined };
}

type Failed = { readonly type: 'failed'; readonly message: string };

function workOf(state: State, task: CompiledTask, { step, given }: { step: Step; given: Given }): Work | Failed {
  switch (step.type) {
    case 'run': {
      const rendered = renderCommand(step.run, scopeFor(state, task, { text: step.run, given }));
      if (rendered.type === 'failed') return rendered;
      return { type: 'command', command: rendered.command, environment: rendered.environment };
    }
    case 'prompt': {
      const rendered = renderTemplate(step.prompt, scopeFor(state, task, { text: step.prompt, given }));
      if (rendered.type === 'failed') return rendered;
      const agent = state.compiled.plan.agents.find(({ name }) => name === step.agent);
      assert(agent !== undefined, 'A checked plan names only agents that it has.');
      return { type: 'turn', agent, prompt: rendered.text };
    }
    case 'join':
      throw new Error('A join is decided, never claimed.');
  }
}

function scopeFor(state: State, task: CompiledTask, { text, given }: { text: string; given: Given }): Scope {
  return scopeOf(state, task, { references: readTemplate(text).references, given });
}

/** Trying again would find the same value missing. */
function refusal({ task, attempt }: ClaimRef, step: string, message: string): WorkOutcome {
  const result = { ok: false, response: message, output: undefined, exitCode: undefined, commit: undefined };
  return { type: 'step.failed', task, step, attempt, spend: NOTHING, reason: 'expression', isFinal: true, result };
}
