// Keys that a draft may not set, because they reach beyond the sandboxes of a run or decide in the place of a person.
//
// set-by-people/S1. Only a person widens what agents may do: isolation, network, files outside git, permissions, programs,
//     notifications, branches. A revision keeps what the plan had, word for word.
import type { SourcePath } from '../plan/diagnostic.ts';
import { keysAt, readDraft, valueAt, type DraftFinding, type DraftSource } from './draft-finding.ts';

const AT_TOP = ['base', 'target', 'notify', 'env', 'permissions', 'questions', 'hosts'] as const;
const OF_SANDBOX = ['include', 'network', 'tree', 'isolation', 'limits', 'setup', 'link'] as const;
const OF_AGENT = ['args', 'command', 'env'] as const;

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

/** The paths of all tasks, also inside subplans. */
function tasksIn(draft: DraftSource, above: SourcePath): readonly SourcePath[] {
  const tasks = [...above, 'tasks'];
  return keysAt(draft, tasks).flatMap((id) => [[...tasks, id], ...tasksIn(draft, [...tasks, id])]);
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
