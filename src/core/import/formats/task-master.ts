// Task Master: `tasks.json`, in both shapes: one list of tasks, or one list for each tag.

import type { MapNode, SourceNode } from '../../plan/source/source-node.ts';
import {
  plainItem,
  refusedImport,
  type CheckboxMark,
  type ImportNote,
  type Item,
  type ItemState,
  type Read,
  type SourceText,
} from '../outline/outline.ts';
import { fieldOf, itemsOf, mapsOf, nodeTextAt, textOfNode, textsOfNode } from '../outline/item-fields.ts';
import { readJsonText } from '../outline/parse-json.ts';
import { columnOf, lineFinder, type LineOf } from '../outline/text-lines.ts';
import { idFromWords, labelled, mentionedFiles, paragraphs, countedText } from '../outline/text-pieces.ts';

interface TaskMasterReading {
  readonly path: string;
  readonly lineOf: LineOf;
  readonly notes: ImportNote[];
}

/** The tag that is asked for; else `master`, else the first. */
export function readTaskMaster({ path, text }: SourceText, tag: string | undefined): Read {
  const read = readJsonText(text);
  const lineOf = lineFinder(text);
  if (read.type === 'failed')
    return {
      type: 'refused',
      trouble: {
        file: path,
        line: lineOf(read.offset),
        column: columnOf(text, read.offset),
        says: `It is not JSON: ${read.says}.`,
      },
    };
  const reading: TaskMasterReading = { path, lineOf, notes: [] };
  const chosen = chooseList(reading, read.root, tag);
  if (chosen.type === 'refused') return chosen;
  const items = itemsIn(reading, chosen.tasks);
  if (items.length === 0) return refusedImport(path, undefined, 'There is no task in it.');
  return { type: 'outline', name: idFromWords(chosen.name) || 'task-master', items, notes: reading.notes };
}

type ChosenTag =
  | { readonly type: 'chosen'; readonly name: string; readonly tasks: SourceNode }
  | Extract<Read, { type: 'refused' }>;

function chooseList(reading: TaskMasterReading, root: SourceNode, tag: string | undefined): ChosenTag {
  const own = root.type === 'list' ? root : fieldOf(root, 'tasks');
  const tags = tagsOf(root);
  if (tags.length === 0 && own?.type === 'list') {
    if (tag !== undefined)
      return refusedImport(reading.path, undefined, `It has no tags, so there is no tag ${tag} in it.`);
    const name = nodeTextAt(fieldOf(root, 'meta'), 'projectName') ?? 'task-master';
    return { type: 'chosen', name, tasks: own };
  }
  const names = tags.map(({ name }) => name);
  if (names.length === 0)
    return refusedImport(
      reading.path,
      1,
      'There is no list of tasks in it; tasks.json of Task Master has one under "tasks".',
    );
  const wanted = tag ?? (names.includes('master') ? 'master' : names[0]);
  const found = tags.find(({ name }) => name === wanted);
  if (found === undefined)
    return refusedImport(reading.path, undefined, `There is no tag ${wanted} in it; there are: ${names.join(', ')}.`);
  const others = names.filter((name) => name !== wanted);
  if (others.length > 0)
    reading.notes.push({
      file: reading.path,
      line: undefined,
      says: `Only the tag ${wanted} was imported; --tag takes another one: ${others.join(', ')}.`,
    });
  return { type: 'chosen', name: wanted === 'master' ? 'task-master' : found.name, tasks: found.tasks };
}

function tagsOf(root: SourceNode): readonly { readonly name: string; readonly tasks: SourceNode }[] {
  if (root.type !== 'map') return [];
  return root.entries.flatMap(({ key, value }) => {
    const tasks = fieldOf(value, 'tasks');
    return tasks?.type === 'list' ? [{ name: key, tasks }] : [];
  });
}

function itemsIn(reading: TaskMasterReading, tasks: SourceNode): readonly Item[] {
  const found = mapsOf(tasks);
  const { length } = itemsOf(tasks);
  if (found.length < length)
    sayWhole(reading, `The list holds ${countedText(length - found.length, 'value')} that no task is, left out.`);
  const prioritised = found.filter((task) => fieldOf(task, 'priority') !== undefined).length;
  if (prioritised > 0)
    sayWhole(
      reading,
      `${countedText(prioritised, 'priority', 'priorities')} left out: what has the longest way to the end goes first.`,
    );
  return found.map((task, at) => taskOf(reading, task, nodeTextAt(task, 'id') ?? String(at + 1)));
}

function taskOf(reading: TaskMasterReading, task: MapNode, key: string): Item {
  const parts = mapsOf(fieldOf(task, 'subtasks'));
  const siblings = new Set(parts.map((part, at) => nodeTextAt(part, 'id') ?? String(at + 1)));
  const items = parts.map((part, at) => {
    const id = nodeTextAt(part, 'id') ?? String(at + 1);
    // A bare number means a part of the same task, where there is one.
    const needs = textsOfNode(fieldOf(part, 'dependencies')).map((need) =>
      siblings.has(need) ? `${key}.${need}` : need,
    );
    return itemOf(reading, part, { key: `${key}.${id}`, id: `sub-${id}`, needs, items: [] });
  });
  const needs = textsOfNode(fieldOf(task, 'dependencies'));
  return itemOf(reading, task, { key, id: `task-${key}`, needs, items });
}

interface EnclosingItem {
  readonly key: string;
  readonly id: string;
  readonly needs: readonly string[];
  readonly items: readonly Item[];
}

function itemOf(reading: TaskMasterReading, node: MapNode, { key, id, needs, items }: EnclosingItem): Item {
  const title = nodeTextAt(node, 'title') ?? `Task ${key}`;
  const line = reading.lineOf(node.start);
  const status = nodeTextAt(node, 'status') ?? 'pending';
  const details = nodeTextAt(node, 'details');
  const prompt = paragraphs(
    title,
    nodeTextAt(node, 'description'),
    details,
    labelled('Accepted when', textsOfNode(fieldOf(node, 'acceptanceCriteria')).join('\n')),
    labelled('How it is verified', nodeTextAt(node, 'testStrategy')),
  );
  if (status === 'in-progress' || status === 'review')
    reading.notes.push({ file: reading.path, line, says: `${key} is ${status}; as a task it begins anew.` });
  return plainItem({
    key,
    id,
    place: { file: reading.path, line },
    state: stateOf(reading, status, { key, line }),
    needs,
    description: title,
    work: { type: 'prompt', prompt },
    files: mentionedFiles([title, nodeTextAt(node, 'description') ?? ''].join('\n')),
    mark: markOf(reading.path, fieldOf(node, 'status')),
    isBegun: status === 'in-progress' || status === 'review',
    items,
  });
}

const OPEN: ReadonlySet<string> = new Set(['pending', 'in-progress', 'review', 'blocked', 'todo']);

function stateOf(reading: TaskMasterReading, status: string, { key, line }: { key: string; line: number }): ItemState {
  if (status === 'done' || status === 'completed' || status === 'cancelled') return 'done';
  if (status === 'deferred') return 'put-off';
  if (!OPEN.has(status))
    reading.notes.push({ file: reading.path, line, says: `${key} has the status ${status}; it was taken as pending.` });
  return 'open';
}

function markOf(path: string, node: SourceNode | undefined): CheckboxMark | undefined {
  if (textOfNode(node) === undefined || node === undefined) return undefined;
  return { type: 'word', file: path, start: node.start, end: node.end };
}

function sayWhole({ notes, path }: TaskMasterReading, says: string): void {
  notes.push({ file: path, line: undefined, says });
}
