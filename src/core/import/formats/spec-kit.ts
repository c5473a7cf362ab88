// GitHub Spec Kit: `tasks.md`, with phases, `[P]` for parallel tasks, and user stories.

import {
  plainItem,
  refusedImport,
  type ImportNote,
  type Item,
  type Read,
  type SourceText,
} from '../outline/outline.ts';
import { checkBoxOf, headingOf, linesOf, type CheckBox, type TextLine } from '../outline/text-lines.ts';
import {
  fileName,
  idFromWords,
  mentionedFiles,
  paragraphs,
  countedText,
  withoutEmphasis,
} from '../outline/text-pieces.ts';

interface Phase {
  readonly key: string;
  readonly line: number;
  readonly words: string;
  readonly goal: string[];
  readonly tasks: ListedTask[];
}

interface ListedTask {
  readonly key: string;
  readonly hasId: boolean;
  readonly box: CheckBox;
  readonly words: string;
  readonly isParallel: boolean;
  readonly isOfStory: boolean;
  /** The heading that it stands under; those of one heading alone run side by side. */
  readonly heading: number;
  readonly more: string[];
  readonly needs: string[];
}

const TASK = /^(T-?\d+[a-z]?|TXXX)\b[:.]?\s*(.*)$/;
const LABEL = /^\[([A-Za-z0-9 ]+)\]\s*/;
const PHASE = /^Phase\s+([\w.]+)/i;
const OF_STORY = /\bUser Story\b|\bUS\s?\d+\b/i;
const DEPENDS = /\(?\b(?:depends on|requires|blocked by|after)\s+((?:T-?\d+[\s,&]*(?:and\s+)?)+)\)?/gi;
const BLOCKS = /\b(T-?\d+)\s+blocks\s+((?:T-?\d+[\s,&]*(?:and\s+)?)+)/gi;
const WAITS = /\b(T-?\d+)\s+depends on\s+((?:T-?\d+[\s,&]*(?:and\s+)?)+)/gi;
/** A chain: each before the next. */
const CHAIN = /T-?\d+(?:\s*(?:→|->|-->|=>)\s*T-?\d+)+/g;
const TASK_IDS = /T-?\d+/g;

export function readSpecKit({ path, text }: SourceText): Read {
  const notes: ImportNote[] = [];
  const phases = withoutCriteria(phasesIn(linesOf(text), path, notes), path, notes);
  const count = phases.reduce((sum, { tasks }) => sum + tasks.length, 0);
  if (count === 0)
    return refusedImport(
      path,
      1,
      'There is no task in it; a task is a line such as "- [ ] T001 [P] Add the parser in src/parse.ts".',
    );
  return { type: 'outline', name: nameOf(text, path), items: itemsOf(phases, path), notes };
}

function phasesIn(lines: readonly TextLine[], path: string, notes: ImportNote[]): readonly Phase[] {
  const phases: Phase[] = [{ key: '', line: 1, words: '', goal: [], tasks: [] }];
  const after = new Map<string, string[]>();
  let heading = 0;
  let isAboutOrder = false;
  for (const line of lines) {
    const found = headingOf(line);
    const phase = phases.at(-1);
    if (found !== undefined) {
      heading = line.number;
      if (found.level <= 2) isAboutOrder = /dependenc|execution order/i.test(found.words);
      if (found.level === 2) phases.push(phaseOf(found.words, line));
      if (found.level <= 2 && isAboutOrder) notes.push(orderNote(path, line));
    } else if (isAboutOrder) readOrder(line.text, after);
    else if (phase !== undefined) readLine({ line, phase, heading });
  }
  for (const { tasks } of phases) for (const task of tasks) task.needs.push(...(after.get(task.key) ?? []));
  return phases.filter(({ tasks }) => tasks.length > 0);
}

/** Where tasks have ids, a check box without one is a criterion of something and no task. */
function withoutCriteria(phases: readonly Phase[], path: string, notes: ImportNote[]): readonly Phase[] {
  const all = phases.flatMap(({ tasks }) => tasks);
  const others = all.filter(({ hasId }) => !hasId);
  const [first] = others;
  if (first === undefined || others.length === all.length) return phases;
  const says = `Left out: ${countedText(others.length, 'check box', 'check boxes')} without the id of a task, the first here.`;
  notes.push({ file: path, line: first.box.line.number, says });
  return phases.flatMap((phase) => {
    const tasks = phase.tasks.filter(({ hasId }) => hasId);
    return tasks.length === 0 ? [] : [{ ...phase, tasks }];
  });
}

const orderNote = (path: string, line: TextLine): ImportNote => ({
  file: path,
  line: line.number,
  says: 'Sentences about the order of work were read only as far as they say "T002 depends on T001", "T001 blocks T002" or "T001 → T002"; phases and [P] say the rest.',
});

function phaseOf(words: string, line: TextLine): Phase {
  const number = PHASE.exec(words)?.[1];
  const key = number === undefined ? idFromWords(words) || 'phase' : `phase-${number.toLowerCase()}`;
  return { key, line: line.number, words: withoutEmphasis(words), goal: [], tasks: [] };
}

function readOrder(text: string, after: Map<string, string[]>): void {
  const add = (task: string, needed: string): void => void after.set(task, [...(after.get(task) ?? []), needed]);
  for (const [, first = '', rest = ''] of text.matchAll(BLOCKS))
    for (const task of rest.match(TASK_IDS) ?? []) add(task, first);
  for (const [chain] of text.matchAll(CHAIN)) {
    const ids = chain.match(TASK_IDS) ?? [];
    ids.slice(1).forEach((task, at) => add(task, ids[at] ?? ''));
  }
  for (const [, task = '', rest = ''] of text.matchAll(WAITS))
    for (const needed of rest.match(TASK_IDS) ?? []) add(task, needed);
}

function readLine({ line, phase, heading }: { line: TextLine; phase: Phase; heading: number }): void {
  const box = checkBoxOf(line);
  const last = phase.tasks.at(-1);
  const listed = box === undefined ? undefined : listedOf(box, heading);
  const isPart = last !== undefined && line.text.trim() !== '' && line.indent > last.box.indent;
  if (isPart && (listed === undefined || !TASK.test(withoutEmphasis(box?.words ?? ''))))
    last.more.push(line.text.trim());
  else if (listed !== undefined) phase.tasks.push(listed);
  else if (/^\*\*(?:Goal|Purpose)\*\*/.test(line.text)) phase.goal.push(withoutEmphasis(line.text));
}

function listedOf(box: CheckBox, heading: number): ListedTask {
  const found = TASK.exec(box.words.replace(/^\*\*(T-?\w+)\*\*/, '$1'));
  const key = found?.[1] ?? `line-${box.line.number}`;
  let words = found?.[2] ?? box.words;
  let isParallel = false;
  let isOfStory = false;
  for (let label = LABEL.exec(words); label !== null; label = LABEL.exec(words)) {
    if (label[1] === 'P') isParallel = true;
    else if (/^US\d+$/i.test(label[1] ?? '')) isOfStory = true;
    else break;
    words = words.slice(label[0].length);
  }
  const needs = [...words.matchAll(DEPENDS)].flatMap(([, ids = '']) => ids.match(TASK_IDS) ?? []);
  return { key, hasId: found !== null, box, words, isParallel, isOfStory, heading, more: [], needs };
}

function itemsOf(phases: readonly Phase[], path: string): readonly Item[] {
  const items: Item[] = [];
  let shared: Item | undefined;
  let stories: Item[] = [];
  for (const phase of phases) {
    const tasks = tasksOf(phase, path);
    if (phase.words === '') {
      items.push(...tasks);
      continue;
    }
    const isStory = OF_STORY.test(phase.words) || phase.tasks.every(({ isOfStory }) => isOfStory);
    const before = isStory || stories.length === 0 ? (shared === undefined ? [] : [shared]) : stories;
    const item = plainItem({
      key: phase.key,
      id: phase.key,
      place: { file: path, line: phase.line },
      description: [phase.words, ...phase.goal].join('. '),
      after: before.map(({ key }) => key),
      work: { type: 'group' },
      items: tasks,
    });
    items.push(item);
    if (isStory) stories.push(item);
    else [shared, stories] = [item, []];
  }
  return items;
}

/** A task waits for the tasks before it in its phase; neighbours marked [P] wait for the same tasks. */
function tasksOf({ tasks, words, goal }: Phase, path: string): readonly Item[] {
  let before: readonly string[] = [];
  let together: ListedTask[] = [];
  return tasks.map((task) => {
    const last = together.at(-1);
    const isBeside = last !== undefined && last.isParallel && task.isParallel && last.heading === task.heading;
    if (!isBeside) {
      before = together.map(({ key }) => key);
      together = [];
    }
    together.push(task);
    const context = `This is ${task.key} of ${fileName(path)}${words === '' ? '' : ` (${[words, ...goal].join('. ')})`}; the specification and the plan of the feature are beside that file.`;
    return plainItem({
      key: task.key,
      id: task.key,
      place: { file: path, line: task.box.line.number },
      state: task.box.isTicked ? 'done' : 'open',
      needs: task.needs,
      after: before,
      work: { type: 'prompt', prompt: paragraphs(task.words, task.more.join('\n'), context) },
      files: mentionedFiles([task.words, ...task.more].join('\n')),
      mark: { type: 'box', file: path, at: task.box.at },
    });
  });
}

function nameOf(text: string, path: string): string {
  const title = /^\uFEFF?#\s+Tasks:\s*(.+)$/m.exec(text)?.[1];
  const parts = path.split(/[/\\]/);
  return idFromWords(title ?? '') || idFromWords(parts.at(-2) ?? '') || 'spec-kit';
}
