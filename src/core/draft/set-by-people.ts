// Keys that a draft may not set, because they reach beyond the sandboxes of a run or decide in the place of a person.
//
// set-by-people/S1. Only a person widens what agents may do: isolation, network, files outside git, permissions, programs,
//     notifications, traces, branches. A revision keeps what the plan had, word for word.
import type { SourcePath } from '../plan/diagnostic.ts';
import { planFile, agentObject } from '../plan/language/plan-shape.ts';
import { sandbox } from '../plan/language/sandbox-shape.ts';
import { declaredKeysOf } from '../plan/language/shape.ts';
import { keysAt, readDraft, valueAt, type DraftFinding, type DraftSource } from './draft-finding.ts';

/**
 * What a draft may set. All other keys of the language are for people, so that a key that is added to the language is
 * out of an agent's reach until it is named here.
 */
const OF_DRAFTS = {
  plan:
    'heddle name schedule max_parallel failure_mode attempts timeout idle_timeout budget agent agents merge pools ' +
    'sandbox inputs tasks',
  sandbox: 'ports',
  agent: 'use model pool reserve on',
};

const without = (keys: readonly string[], some: string): readonly string[] =>
  keys.filter((key) => !some.split(' ').includes(key));

const AT_TOP = without(declaredKeysOf(planFile), OF_DRAFTS.plan);
const OF_SANDBOX = without(declaredKeysOf(sandbox), OF_DRAFTS.sandbox);
const OF_AGENT = without(declaredKeysOf(agentObject), OF_DRAFTS.agent);

/** `revised` is the text of the plan that the draft revises. */
export function keysOfPeople(
  draft: DraftSource,
  { revised, setup }: { readonly revised: string | undefined; readonly setup: string | undefined },
): readonly DraftFinding[] {
  const before = revised === undefined ? undefined : readDraft(revised);
  return pathsOf(draft)
    .filter((path) => {
      const value = valueAt(draft, path);
      const isFound = path.join('.') === 'sandbox.setup' && value === setup;
      return value !== undefined && !isFound && (before === undefined || !isEqual(value, valueAt(before, path)));
    })
    .map((path) => findingAt(draft, path));
}

function pathsOf(draft: DraftSource): readonly SourcePath[] {
  const agents = keysAt(draft, ['agents']);
  return [
    ...AT_TOP.map((key) => [key]),
    ...OF_SANDBOX.map((key) => ['sandbox', key]),
    ['merge', 'auto'],
    ...tasksIn(draft, []).map((task) => [...task, 'merge', 'auto']),
    ...agents.flatMap((agent) => OF_AGENT.map((key) => ['agents', agent, key])),
  ];
}

/** The paths of all tasks, also inside subplans and of the task of a `for_each`. */
function tasksIn(draft: DraftSource, above: SourcePath): readonly SourcePath[] {
  const tasks = [...above, 'tasks'];
  return keysAt(draft, tasks).flatMap((id) => withInner(draft, [...tasks, id]));
}

function withInner(draft: DraftSource, task: SourcePath): readonly SourcePath[] {
  const copied = [...task, 'for_each', 'task'];
  const inner = valueAt(draft, copied) === undefined ? [] : withInner(draft, copied);
  return [task, ...inner, ...tasksIn(draft, task)];
}

function findingAt(draft: DraftSource, path: SourcePath): DraftFinding {
  return {
    code: 'set-by-people',
    severity: 'error',
    message: `The draft sets ${path.join('.')}, which only a person sets.`,
    hint: `Leave ${path.join('.')} out.`,
    position: draft.positionOf(path),
    task: undefined,
  };
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
