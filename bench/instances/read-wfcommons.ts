// WfCommons instances (JSON): tasks with parents or children, named by id or by name, and the seconds each took. Up to
// schema 1.4 everything stands in `workflow.tasks` (once `workflow.jobs`); from 1.5 the graph stands in
// `workflow.specification.tasks` and the seconds in `workflow.execution.tasks`. All are read, and any mixture.

import { unreadable, type Read } from './instance.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Schedules the tasks on `machines` identical machines; seconds become whole milliseconds. */
export function readWfcommons(text: string, machines: number): Read {
  const document = parsed(text);
  if (document === undefined) return unreadable('The file is not JSON.');
  const workflow = fieldsOf(document['workflow']);
  const specified = listOf(fieldsOf(workflow['specification'])['tasks'] ?? workflow['tasks'] ?? workflow['jobs']);
  if (specified.length === 0) return unreadable('The file has no workflow.tasks and no workflow.specification.tasks.');
  const executed = [...listOf(fieldsOf(workflow['execution'])['tasks']), ...specified];
  const place = placesOf(specified);
  const successors: Set<number>[] = specified.map(() => new Set());
  for (const [index, task] of specified.entries()) {
    for (const [name, isParent] of [...namesOf(task['parents'], true), ...namesOf(task['children'], false)]) {
      const other = place.get(name);
      if (other === undefined)
        return unreadable(`Task ${nameOf(task)} names ${name}, which is not a task of the file.`);
      successors[isParent ? other : index]?.add(isParent ? index : other);
    }
  }
  const seconds = secondsByName(executed);
  const activities = specified.map((task, index) => ({
    durationMs: Math.round(1000 * (seconds.get(textOf(task['id'])) ?? seconds.get(textOf(task['name'])) ?? 0)),
    successors: [...(successors[index] ?? [])],
    demands: [{ pool: 0, tokens: 1 }],
  }));
  if (activities.every(({ durationMs }) => durationMs === 0))
    return unreadable('No task of the file says how long it took.');
  return { type: 'given', given: { activities, capacity: [machines] } };
}

function parsed(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function nameOf(task: Fields): string {
  return textOf(task['name'] ?? task['id']);
}

function namesOf(value: unknown, isParent: boolean): readonly (readonly [name: string, isParent: boolean])[] {
  return Array.isArray(value) ? value.map((name) => [textOf(name), isParent]) : [];
}

/** An id wins over a name that is spelt the same. */
function placesOf(tasks: readonly Fields[]): ReadonlyMap<string, number> {
  const place = new Map<string, number>();
  tasks.forEach((task, index) => place.set(textOf(task['name']), index));
  tasks.forEach((task, index) => place.set(textOf(task['id'] ?? task['name']), index));
  return place;
}

function secondsByName(tasks: readonly Fields[]): ReadonlyMap<string, number> {
  const seconds = new Map<string, number>();
  for (const task of tasks) {
    const took = Number(task['runtimeInSeconds'] ?? task['runtime'] ?? Number.NaN);
    if (!Number.isFinite(took) || took < 0) continue;
    for (const name of [textOf(task['name']), textOf(task['id'])]) {
      if (name !== '' && !seconds.has(name)) seconds.set(name, took);
    }
  }
  return seconds;
}
