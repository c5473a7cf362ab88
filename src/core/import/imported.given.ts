// For tests of importing: the tasks from a text, and the notes about it.
import { assert } from '../assert.ts';
import { parsePlan } from '../plan/build/parse.ts';
import type { Task } from '../plan/plan.ts';
import type { ImportFormat } from './formats.ts';
import { importPlan, type ImportOptions } from './import-plan.ts';
import type { SourceText } from './outline/outline.ts';

const OPTIONS: ImportOptions = { path: 'list', agent: 'claude', check: 'make test', tag: undefined };

export interface Seen {
  /** By path of each working task and subplan: its needs. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
  readonly task: (path: string) => Task;
  readonly prompt: (path: string) => string;
  readonly notes: readonly string[];
  readonly text: string;
}

/** The plan that comes of a text, read as any plan is read. */
export function seen(
  format: ImportFormat,
  given: string | readonly SourceText[],
  options: Partial<ImportOptions> = {},
): Seen {
  const sources = typeof given === 'string' ? [{ path: 'list', text: given }] : given;
  const imported = importPlan(format, sources, { ...OPTIONS, ...options });
  assert(imported.type === 'imported', imported.type === 'refused' ? imported.trouble.says : '');
  const { plan, diagnostics } = parsePlan(imported.text, { file: 'plan.yaml' });
  assert(plan !== undefined, `It does not check: ${diagnostics[0]?.message}`);
  const tasks = new Map(allOf(plan.tasks).map((task) => [task.path, task]));
  const task = (path: string): Task => {
    const found = tasks.get(path);
    assert(found !== undefined, `There is no task ${path}; there are ${[...tasks.keys()].join(', ')}.`);
    return found;
  };
  return {
    needs: Object.fromEntries([...tasks].map(([path, { needs }]) => [path, needs.of])),
    task,
    prompt: (path) => promptOf(task(path)),
    notes: imported.notes.map(({ line, says }) => (line === undefined ? says : `${line}: ${says}`)),
    text: imported.text,
  };
}

/** Why there is no plan: place and sentence. */
export function refusal(format: ImportFormat, text: string, options: Partial<ImportOptions> = {}): string {
  const imported = importPlan(format, [{ path: 'list', text }], { ...OPTIONS, ...options });
  assert(imported.type === 'refused', 'It was imported.');
  const { line, column, says } = imported.trouble;
  return [line, column, says].filter((part) => part !== undefined).join(':');
}

const allOf = (tasks: readonly Task[]): readonly Task[] =>
  tasks.flatMap((task) => [task, ...(task.type === 'subplan' ? allOf(task.tasks) : [])]);

function promptOf(task: Task): string {
  if (task.type === 'gate') return task.question;
  if (task.type !== 'work') return '';
  return task.steps.map((step) => (step.type === 'prompt' ? step.prompt : '')).join('\n---\n');
}
