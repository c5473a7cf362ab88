// The codes that checking a plan can report, and a finding before it has a line and a column. The reference documents
// list the same codes.

import type { SourcePath } from '../diagnostic.ts';

interface Code {
  readonly severity: 'error' | 'warning';
  readonly meaning: string;
}

export const PLAN_FINDING_CODES = {
  'unknown-need': { severity: 'error', meaning: 'A task needs a task that does not exist.' },
  'need-inside-for-each': {
    severity: 'error',
    meaning: 'A task needs the inner task of a for_each, which exists only as copies.',
  },
  'need-on-self': { severity: 'error', meaning: 'A task needs itself.' },
  'need-on-ancestor': {
    severity: 'error',
    meaning: 'A task needs a subplan that contains it, and each waits for the other.',
  },
  'need-on-descendant': {
    severity: 'error',
    meaning: 'A subplan needs a task inside itself, and each waits for the other.',
  },
  'duplicate-need': { severity: 'warning', meaning: 'A need is written twice.' },
  cycle: { severity: 'error', meaning: 'Tasks wait for each other in a cycle.' },
  'at-least-out-of-range': { severity: 'error', meaning: 'at_least asks for more tasks than of names.' },
  'single-choice': { severity: 'warning', meaning: 'any or race has only one task to choose from.' },
  'unreachable-task': {
    severity: 'warning',
    meaning: 'A task can never start, because a task that it needs never can.',
  },
  'never-runs': { severity: 'warning', meaning: 'A when is always false, so the task or step is always skipped.' },
  'unknown-step-need': { severity: 'error', meaning: 'A step needs a step that does not exist, or that comes later.' },
  'uncollected-async': { severity: 'error', meaning: 'No later step collects an async step.' },
  'join-of-nothing': { severity: 'error', meaning: 'A join has nothing to join.' },
  'join-not-repeatable': {
    severity: 'error',
    meaning: 'A join may be retried, but the steps or tasks that would run again with it cannot.',
  },
  'unstructured-need': { severity: 'error', meaning: 'A structured join needs something that declares no output.' },
  'incompatible-schema': { severity: 'error', meaning: 'The output of a need can never fit the schema of the join.' },
  'schema-may-not-fit': {
    severity: 'warning',
    meaning: 'The join requires a property that its need does not declare.',
  },
  'unusable-pattern': {
    severity: 'error',
    meaning: 'A pattern of an output is no regular expression, or cannot be matched in bounded time.',
  },
  'shared-conversation': {
    severity: 'error',
    meaning: 'Two steps that can run together continue one conversation.',
  },
  'nothing-to-resume': { severity: 'error', meaning: 'A step continues a conversation that no step began.' },
  'cannot-fork': {
    severity: 'warning',
    meaning: 'A step branches off a conversation, but the program of its agent cannot do that.',
  },
  'conversation-stays': {
    severity: 'error',
    meaning:
      'A task continues the conversation of another task, but the program of its agent can do so only in the same folder.',
  },
  'reference-without-path': { severity: 'error', meaning: 'A value is read that may not exist yet.' },
  'unknown-name': { severity: 'error', meaning: 'A template or expression reads something that does not exist.' },
  'unknown-field': { severity: 'error', meaning: 'A task or step has no field of this name.' },
  'unknown-output': { severity: 'error', meaning: 'An output can have no property of this name.' },
  'undeclared-output': { severity: 'warning', meaning: 'An output is read that its schema does not declare.' },
  'template-syntax': { severity: 'error', meaning: 'A template cannot be read.' },
  'expression-syntax': { severity: 'error', meaning: 'An expression cannot be read.' },
  'expression-type': { severity: 'error', meaning: 'An expression has a value of the wrong type.' },
  'unsafe-value': {
    severity: 'error',
    meaning: 'A value is in a place of a command where the shell or a program would run it.',
  },
  'unknown-agent': { severity: 'error', meaning: 'No agent has this name.' },
  'permissions-unkept': {
    severity: 'error',
    meaning: 'The plan has a say in permissions, and an agent uses a program that cannot be held to it.',
  },
  'permissions-unasked': {
    severity: 'warning',
    meaning: 'People are to decide about permissions, and an agent uses a program that cannot ask while it works.',
  },
  'permissions-unused': {
    severity: 'warning',
    meaning: 'A list allows tools without asking, but the policy asks about none.',
  },
  'no-agent-turn': {
    severity: 'error',
    meaning: 'A review, a feedback or an escalation has no agent turn that it could be about.',
  },
  'read-only-beside': {
    severity: 'error',
    meaning: 'What a read-only step writes could not be told from the work of a step that runs beside it.',
  },
  'read-only-in-place': {
    severity: 'error',
    meaning: 'A step is read-only, and the plan works in place, where nothing can be thrown away.',
  },
  'host-in-place': {
    severity: 'error',
    meaning: 'Labels of hosts are asked for, and the plan works in place, which only the machine of its user can do.',
  },
  'escalation-unreached': {
    severity: 'warning',
    meaning: 'An escalation names more agents than a step has attempts.',
  },
  'unknown-pool': { severity: 'error', meaning: 'No pool has this name.' },
  'pool-demand': { severity: 'error', meaning: 'A step takes more tokens of a pool than there are.' },
  'hold-too-small': { severity: 'error', meaning: 'A task holds less of a pool than one of its steps takes.' },
  'hold-cycle': {
    severity: 'error',
    meaning: 'Tasks that hold pools and take others could wait for each other without end.',
  },
  'budget-too-small': {
    severity: 'error',
    meaning: 'A budget is smaller than the smallest reservation it must cover.',
  },
  'reservation-over-budget': { severity: 'error', meaning: 'A step reserves more than a budget around it holds.' },
  'budget-over-enclosing': {
    severity: 'warning',
    meaning: 'A budget is larger than the one around it, so it never binds.',
  },
  'growth-without-budget': {
    severity: 'warning',
    meaning: 'A task grows by tasks with agents, and no budget limits what they spend.',
  },
  'empty-for-each': { severity: 'warning', meaning: 'A for_each has no items, so it does nothing.' },
  'write-overlap': { severity: 'warning', meaning: 'Two tasks that may run together mean to write the same files.' },
  'no-check': { severity: 'warning', meaning: 'No check tests the work of any agent.' },
  'examined-in-part': {
    severity: 'warning',
    meaning: 'The plan is so large that one question was not answered for all of it.',
  },
} as const satisfies Readonly<Record<string, Code>>;

export type PlanFindingCode = keyof typeof PLAN_FINDING_CODES;

export interface PlanFinding {
  readonly code: PlanFindingCode;
  /** Absent means error. */
  readonly severity?: 'error' | 'warning';
  readonly path: SourcePath;
  /** The path of another task without which there would be no finding. */
  readonly other?: string | undefined;
  readonly message: string;
  readonly hint: string;
}

export type ReportFinding = (finding: PlanFinding) => void;
