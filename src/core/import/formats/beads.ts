// Beads: the JSONL export, one issue for each line.

import type { SourceNode } from '../../plan/source/source-node.ts';
import {
  plainItem,
  refusedImport,
  type ImportNote,
  type ItemState,
  type ItemWork,
  type Read,
  type SourceText,
} from '../outline/outline.ts';
import { fieldOf, isTrue, itemsOf, mapsOf, numberOf, nodeTextAt } from '../outline/item-fields.ts';
import { readJsonText } from '../outline/parse-json.ts';
import { idFromWords, labelled, mentionedFiles, paragraphs, countedText } from '../outline/text-pieces.ts';
import { nest, type NestedPart } from '../outline/nest-items.ts';

interface BeadsReading {
  readonly path: string;
  readonly parts: NestedPart[];
  readonly notes: ImportNote[];
  /** The number of items of each kind that could not be converted. */
  readonly left: Map<string, number>;
}

/** Records of beads that are no work: messages between agents, agents, events. */
const NO_WORK: ReadonlySet<string> = new Set(['message', 'agent', 'role', 'event', 'convoy', 'merge-request']);
const MS_PER_MINUTE = 60_000;

export function readBeads({ path, text }: SourceText): Read {
  const reading: BeadsReading = { path, parts: [], notes: [], left: new Map() };
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const read = readJsonText(line);
    if (read.type === 'failed')
      return {
        type: 'refused',
        trouble: { file: path, line: at + 1, column: read.offset + 1, says: `It is not JSON: ${read.says}.` },
      };
    if (read.root.type !== 'map')
      return refusedImport(path, at + 1, 'It is not an issue; an export of beads has one object of JSON in each line.');
    readIssue(reading, read.root, at + 1);
  }
  if (reading.parts.length === 0) return refusedImport(path, undefined, 'There is no issue in it that is work.');
  const { items, notes } = nest(reading.parts);
  const name = idFromWords(reading.parts[0]?.item.key.replace(/-[^-]*$/, '') ?? '') || 'beads';
  return { type: 'outline', name, items, notes: [...leftNotes(reading), ...reading.notes, ...notes] };
}

function readIssue(reading: BeadsReading, issue: SourceNode, line: number): void {
  const key = nodeTextAt(issue, 'id') ?? `line-${line}`;
  const type = nodeTextAt(issue, 'issue_type') ?? 'task';
  const kind = nodeTextAt(issue, '_type');
  const isWork = !NO_WORK.has(type) && !isTrue(fieldOf(issue, 'is_template')) && !isTrue(fieldOf(issue, 'pinned'));
  if (!isWork || (kind !== undefined && kind !== 'issue')) return leave(reading, `${kind ?? type} that is no work`);
  const title = nodeTextAt(issue, 'title') ?? key;
  const { needs, parent } = linksOf(reading, issue, key);
  const minutes = numberOf(fieldOf(issue, 'estimated_minutes'));
  if (itemsOf(fieldOf(issue, 'comments')).length > 0) leave(reading, 'issue with comments, which were not read');
  reading.parts.push({
    parent,
    item: plainItem({
      key,
      id: key,
      place: { file: reading.path, line },
      state: stateOf(reading, nodeTextAt(issue, 'status') ?? 'open', { key, line }),
      isBegun: ['in_progress', 'hooked'].includes(nodeTextAt(issue, 'status') ?? ''),
      needs,
      description: title,
      work: workOf(issue, type, title),
      files: mentionedFiles(paragraphs(title, nodeTextAt(issue, 'description'))),
      estimateMs: minutes === undefined ? undefined : minutes * MS_PER_MINUTE,
    }),
  });
}

function workOf(issue: SourceNode, type: string, title: string): ItemWork {
  if (type === 'gate') return { type: 'gate', question: paragraphs(title, nodeTextAt(issue, 'description')) };
  const prompt = paragraphs(
    title,
    nodeTextAt(issue, 'description'),
    labelled('Design', nodeTextAt(issue, 'design')),
    labelled('Accepted when', nodeTextAt(issue, 'acceptance_criteria')),
    labelled('Notes', nodeTextAt(issue, 'notes')),
  );
  return { type: 'prompt', prompt };
}

function stateOf(reading: BeadsReading, status: string, { key, line }: { key: string; line: number }): ItemState {
  const say = (says: string): void => void reading.notes.push({ file: reading.path, line, says });
  switch (status) {
    case 'closed':
    case 'tombstone':
      return 'done';
    case 'deferred':
    case 'pinned':
      return 'put-off';
    case 'open':
    case 'blocked':
      return 'open';
    case 'in_progress':
    case 'hooked':
      say(`${key} is ${status}; as a task it begins anew.`);
      return 'open';
    // A project may use status names of its own.
    default:
      say(`${key} has the status ${status}; it was taken as open.`);
      return 'open';
  }
}

interface IssueLinks {
  readonly needs: readonly string[];
  readonly parent: string | undefined;
}

function linksOf(reading: BeadsReading, issue: SourceNode, key: string): IssueLinks {
  const needs: string[] = [];
  let parent: string | undefined;
  for (const link of mapsOf(fieldOf(issue, 'dependencies'))) {
    const other = nodeTextAt(link, 'depends_on_id');
    const type = nodeTextAt(link, 'type') ?? 'blocks';
    if (other === undefined || (nodeTextAt(link, 'issue_id') ?? key) !== key)
      leave(reading, 'link that says too little');
    else if (type === 'blocks' || type === 'waits-for') needs.push(other);
    else if (type === 'parent-child' && parent === undefined) parent = other;
    else leave(reading, `link of the kind ${type}`);
  }
  return { needs, parent };
}

function leave({ left }: BeadsReading, what: string): void {
  left.set(what, (left.get(what) ?? 0) + 1);
}

function leftNotes({ left, path }: BeadsReading): readonly ImportNote[] {
  return [...left].map(([what, count]) => ({
    file: path,
    line: undefined,
    says: `Left out: ${countedText(count, what.split(' ')[0] ?? '')} ${what.split(' ').slice(1).join(' ')}.`,
  }));
}
