// Parses a fragment: tasks for a subplan that grows, with the settings that the subplan has.
//
// parse-fragment/F1. Never throws; what is wrong is a diagnostic with a place in the fragment.
// parse-fragment/F2. The text may stand alone or be the only fenced block of an answer. It is never run or rendered here.

import { fragmentFile } from '../language/fragment-shape.ts';
import type { DeclaredTask } from '../language/task-shape.ts';
import type { NamedShape } from '../language/collections.ts';
import type { Plan, Subplan, Task } from '../plan.ts';
import { readYaml } from '../source/read-yaml.ts';
import { entryOf, type SourceNode } from '../source/source-node.ts';
import { reportFinding, type SourceReader } from '../source/source-reader.ts';
import { buildTask } from './build-task.ts';
import { reportAtPath, type Building } from './building.ts';
import { collectPaths } from './collect-paths.ts';

export interface ParsedFragment {
  readonly reading: SourceReader;
  readonly root: SourceNode | undefined;
  /** Undefined where nothing could be built; a diagnostic says why. */
  readonly tasks: readonly Task[] | undefined;
}

interface Around {
  readonly plan: Plan;
  /** The subplan that grows. */
  readonly subplan: Subplan;
}

/** The name of the fragment in diagnostics. */
const FILE = 'fragment';

export function parseFragment(answer: string, around: Around): ParsedFragment {
  const { reading, root } = readYaml(FILE, unfenced(answer));
  if (reading.diagnostics.length === 0 && isNothing(root)) {
    reportFinding(reading, {
      code: 'empty-plan',
      offset: 0,
      message: 'The answer is empty.',
      hint: 'Answer with tasks: and the tasks, or with tasks: {} when there is nothing to do.',
    });
  }
  if (root === undefined || isNothing(root)) return { reading, root, tasks: undefined };
  if (hasNoTasks(root)) return { reading, root, tasks: [] };
  const declared = fragmentFile.read(root, reading);
  const tasks = declared?.tasks === undefined ? undefined : buildAll({ reading, root }, declared.tasks, around);
  return { reading, root, tasks };
}

const FENCED = /^```[^\n]*\n([^]*?)\n?^```[ \t]*$/gm;

/** The only fenced block of the answer, or the whole answer. */
function unfenced(answer: string): string {
  const [only, ...others] = [...answer.matchAll(FENCED)];
  return only === undefined || others.length > 0 ? answer : (only[1] ?? '');
}

const isNothing = (root: SourceNode | undefined): boolean =>
  root === undefined || (root.type === 'scalar' && root.value === null);

/** `tasks: {}` says that there is nothing to do. */
function hasNoTasks(root: SourceNode): boolean {
  const tasks = root.type === 'map' ? entryOf(root, 'tasks')?.value : undefined;
  return root.type === 'map' && root.entries.length === 1 && tasks?.type === 'map' && tasks.entries.length === 0;
}

function buildAll(
  place: { readonly reading: SourceReader; readonly root: SourceNode },
  declared: readonly NamedShape<DeclaredTask>[],
  { plan, subplan }: Around,
): readonly Task[] | undefined {
  const { path: container, settings, on } = subplan;
  const depth = container.split('.').length;
  const { paths, withinLimits } = collectPaths(place, declared, { path: container, depth });
  if (!withinLimits) return undefined;
  const building: Building = {
    ...place,
    schemas: new Map(),
    agents: new Map(plan.agents.map((agent) => [agent.name, agent])),
    paths: new Set([...pathsIn(plan.tasks), ...paths]),
    kept: undefined,
    orphans: [],
  };
  const scope = { settings, origins: new Map(), locked: new Set<never>() };
  const tasks = declared.map(({ name, value }) =>
    buildTask(
      { building, id: name, path: `${container}.${name}`, container, sourcePath: ['tasks', name], scope, on },
      value,
    ),
  );
  const [orphan] = building.orphans;
  if (orphan !== undefined)
    reportAtPath(place, orphan, {
      code: 'no-agent',
      message: 'No agent is named for this prompt.',
      hint: 'Write run: with a command instead.',
    });
  return tasks;
}

function* pathsIn(tasks: readonly Task[]): Generator<string> {
  for (const task of tasks) {
    yield task.path;
    if (task.type === 'subplan') yield* pathsIn(task.tasks);
  }
}
