// The open questions of a run to a person, as text, with the possible answers.
import { taskAt } from '../../engine/facts.ts';
import { rejoinable } from '../../engine/reset-set.ts';
import { scopeOf, type RunInputs } from '../../engine/scope.ts';
import type { AnswerWord, Decided } from '../../engine/outcome.ts';
import type { Permission } from '../../protocol/result.ts';
import type { Question, State } from '../../engine/state.ts';
import { readTemplate, renderTemplate } from '../../plan/expressions/template.ts';
import type { CompiledTask } from '../../compile/compiled.ts';
import { lastLine } from './reason-text.ts';

export interface OpenQuestion {
  readonly task: string;
  /** Undefined for a gate, a join task and a conflict. */
  readonly step: string | undefined;
  readonly attempt: number;
  readonly text: string;
  /** The step fails when nobody has answered by then. */
  readonly until: number | undefined;
  /** The permission that an agent requests; undefined for other questions. */
  readonly permission?: Pick<Permission, 'tool' | 'about'> | undefined;
  /**
   * `merge` means resolving the conflict by hand first; `answer` takes text; a permission takes `yes`, `no` or
   * `always`.
   */
  readonly answers: readonly (AnswerWord | Decided | 'merge' | 'answer')[];
}

/** `given` holds the inputs and environment of the run, which the text of a gate may refer to. */
export function openQuestion(state: State, question: Question, given: RunInputs): OpenQuestion {
  const { task: index, step, attempt, asks, permission, until } = question;
  const task = taskAt(state, index);
  const asked = step === undefined ? undefined : task.steps[step];
  const about = { task: task.task.path, step: asked?.step.id, attempt, until };
  if (asks !== undefined && permission !== undefined) {
    const { tool, about: what } = permission;
    return {
      ...about,
      text: asks.trim(),
      permission: { tool, about: what },
      answers: ['yes', 'no', 'always', 'retry'],
    };
  }
  if (asks !== undefined) return { ...about, text: asks.trim(), answers: ['answer', 'reject', 'retry'] };
  if (step === undefined) {
    if (task.task.type === 'gate')
      return { ...about, text: gateText(state, task, given), answers: ['approve', 'reject'] };
    if (task.task.type === 'join') return { ...about, ...joinQuestion(state, task) };
    return { ...about, text: conflictText(state, task), answers: ['merge', 'reject'] };
  }
  const result = state.tasks[index]?.steps[step]?.result;
  const said = lastLine(result?.response);
  const how = result === undefined ? 'did not come to its end' : result.ok ? 'is done' : 'has failed';
  const text = `The step ${asked?.step.id ?? ''} of ${task.task.path} ${how}${said === undefined ? '.' : `: ${said}`}`;
  return { ...about, text, answers: ['approve', 'reject', 'retry'] };
}

/** A join can be retried while a need of it that failed can run again. */
function joinQuestion(state: State, task: CompiledTask): Pick<OpenQuestion, 'text' | 'answers'> {
  const said = lastLine(state.tasks[task.index]?.result?.response);
  const text = `The join ${task.task.path} is made${said === undefined ? '.' : `: ${said}`}`;
  const isRetriable = rejoinable(state, task).tasks.length > 0;
  return { text, answers: ['approve', 'reject', ...(isRetriable ? (['retry'] as const) : [])] };
}

/** Further files in conflict are only counted. */
const PATHS_MAX = 5;

function conflictText({ tasks }: State, { task, index }: CompiledTask): string {
  const conflict = tasks[index]?.conflict;
  const paths = conflict?.paths ?? [];
  const rest = paths.length - PATHS_MAX;
  const files = `${paths.slice(0, PATHS_MAX).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  const others = conflict?.with ?? [];
  const other = others.length === 0 ? 'what was merged before it' : `the work of ${others.join(', ')}`;
  const tried = lastLine(conflict?.refused);
  const refused = tried === undefined ? '' : ` The resolution of its agent was rejected: ${tried}`;
  return `The work of ${task.path} conflicts with ${other}${files === '' ? '' : ` in ${files}`}.${refused}`;
}

/** A text that cannot be rendered is shown as written in the plan: the question is open all the same. */
function gateText(state: State, task: CompiledTask, given: RunInputs): string {
  if (task.task.type !== 'gate') return '';
  const { question } = task.task;
  const { references } = readTemplate(question);
  const rendered = renderTemplate(question, scopeOf(state, task, { references, given }));
  return rendered.type === 'rendered' ? rendered.text.trim() : question.trim();
}
