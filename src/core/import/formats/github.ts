// Issues of GitHub as JSON: what `gh issue list --json …` prints, or a page of its REST interface.

import type { SourceNode } from '../../plan/source/source-node.ts';
import { plainItem, refusedImport, type ImportNote, type Read, type SourceText } from '../outline/outline.ts';
import { fieldOf, itemsOf, mapsOf, numberOf, nodeTextAt } from '../outline/item-fields.ts';
import { readJsonText } from '../outline/parse-json.ts';
import { columnOf, lineFinder, type LineOf } from '../outline/text-lines.ts';
import { labelled, mentionedFiles, paragraphs, countedText } from '../outline/text-pieces.ts';
import { nest, type NestedPart } from '../outline/nest-items.ts';

interface GithubReading {
  readonly path: string;
  readonly lineOf: LineOf;
  readonly parts: NestedPart[];
  readonly notes: ImportNote[];
  /** Needs and parents that other issues declare. */
  readonly needs: Map<string, string[]>;
  readonly parents: Map<string, string>;
}

const WAITS_FOR = /\b(?:blocked by|depends on|requires|after)[:\s]+((?:#\d+(?:\s*(?:,|and|&)\s*)?)+)/gi;
const TRACKED = /^\s*[-*+]\s+\[[ xX]\]\s+#(\d+)\b/gm;
const PART_OF = /^\s*part of:?\s+#(\d+)/im;
const ISSUE = /#(\d+)/g;

export function readGithub({ path, text }: SourceText): Read {
  const read = readJsonText(text);
  const lineOf = lineFinder(text);
  if (read.type === 'failed') {
    const column = columnOf(text, read.offset);
    const says = `It is not JSON: ${read.says}.`;
    return { type: 'refused', trouble: { file: path, line: lineOf(read.offset), column, says } };
  }
  const issues = issuesIn(read.root);
  const reading: GithubReading = { path, lineOf, parts: [], notes: [], needs: new Map(), parents: new Map() };
  const pulls = issues.filter((issue) => fieldOf(issue, 'pull_request') !== undefined);
  for (const issue of issues) if (!pulls.includes(issue)) readIssue(reading, issue);
  if (reading.parts.length === 0)
    return refusedImport(path, 1, 'There is no issue in it; gh issue list --json number,title,body,state prints some.');
  sayLeftOut(reading, issues, pulls.length);
  const { items, notes } = nest(reading.parts.map((part) => withOtherSide(reading, part)));
  return { type: 'outline', name: nameOf(issues), items, notes: [...reading.notes, ...notes] };
}

/** A list, or an object around one, or one issue alone. */
function issuesIn(root: SourceNode): readonly SourceNode[] {
  const around = ['issues', 'items', 'nodes', 'data'].map((key) => fieldOf(root, key));
  const list = root.type === 'list' ? root : around.find((node) => node?.type === 'list');
  return (list === undefined ? [root] : mapsOf(list)).filter((issue) => numberAt(issue) !== undefined);
}

const numberAt = (issue: SourceNode | undefined): string | undefined => {
  const number = numberOf(fieldOf(issue, 'number'));
  return number === undefined ? undefined : String(number);
};

function readIssue(reading: GithubReading, issue: SourceNode): void {
  const number = numberAt(issue) ?? '';
  const key = `#${number}`;
  const title = nodeTextAt(issue, 'title') ?? `Issue ${number}`;
  const body = nodeTextAt(issue, 'body');
  const state = (nodeTextAt(issue, 'state') ?? 'open').toLowerCase();
  const labels = itemsOf(fieldOf(issue, 'labels')).flatMap((label) => nodeTextAt(label, 'name') ?? []);
  const waits = [...(body ?? '').matchAll(WAITS_FOR)].flatMap(([, list = '']) => list.match(ISSUE) ?? []);
  const tracked = [...(body ?? '').matchAll(TRACKED)].map(([, other = '']) => `#${other}`);
  for (const other of linked(issue, 'blocking')) push(reading.needs, other, key);
  for (const other of linked(issue, 'subIssues')) reading.parents.set(other, key);
  const above = numberAt(fieldOf(issue, 'parent')) ?? PART_OF.exec(body ?? '')?.[1];
  reading.parts.push({
    parent: above === undefined ? undefined : `#${above}`,
    item: plainItem({
      key,
      id: `issue-${number}`,
      place: { file: reading.path, line: reading.lineOf(issue.start) },
      state: state === 'closed' ? 'done' : 'open',
      needs: [...linked(issue, 'blockedBy'), ...waits, ...tracked],
      description: title,
      work: { type: 'prompt', prompt: paragraphs(title, body, labelled('Labels', labels.join(', '))) },
      files: mentionedFiles(title),
      isBegun: itemsOf(fieldOf(issue, 'assignees')).length > 0,
    }),
  });
}

/** Issues that a field names, whether it is a list or an object around one. */
function linked(issue: SourceNode, field: string): readonly string[] {
  const node = fieldOf(issue, field);
  const list = node?.type === 'list' ? node : fieldOf(node, 'nodes');
  return itemsOf(list).flatMap((other) => (numberAt(other) === undefined ? [] : [`#${numberAt(other)}`]));
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

/** Relations that other issues state; an issue does not additionally wait for its own parts. */
function withOtherSide({ needs, parents }: GithubReading, { item, parent }: NestedPart): NestedPart {
  return {
    parent: parent ?? parents.get(item.key),
    item: { ...item, needs: [...item.needs, ...(needs.get(item.key) ?? [])] },
  };
}

function sayLeftOut({ notes, path }: GithubReading, issues: readonly SourceNode[], pulls: number): void {
  const say = (says: string): void => void notes.push({ file: path, line: undefined, says });
  const counted = (field: string): number => issues.filter((issue) => isThere(fieldOf(issue, field))).length;
  if (pulls > 0) say(`Left out: ${countedText(pulls, 'pull request')}.`);
  const commented = counted('comments');
  if (commented > 0) say(`Comments on ${countedText(commented, 'issue')} were not read.`);
  const assigned = counted('assignees');
  if (assigned > 0) say(`Who ${countedText(assigned, 'issue is', 'issues are')} assigned to was not carried over.`);
  const planned = counted('milestone');
  if (planned > 0) say(`The milestone of ${countedText(planned, 'issue')} was not carried over.`);
}

const isThere = (node: SourceNode | undefined): boolean =>
  node !== undefined &&
  (node.type === 'list' ? node.items.length > 0 : node.type === 'map' || (numberOf(node) ?? 0) > 0);

function nameOf(issues: readonly SourceNode[]): string {
  const url = issues
    .map((issue) => nodeTextAt(issue, 'url') ?? nodeTextAt(issue, 'html_url'))
    .find((one) => one !== undefined);
  return /github\.com\/(?:repos\/)?[\w.-]+\/([\w.-]+)\//.exec(url ?? '')?.[1] ?? 'github-issues';
}
