// GSD-2: a roadmap of slices, a plan of tasks for each slice, a page for each task; any part of that will do.

import {
  plainItem,
  refusedImport,
  type CheckboxMark,
  type ImportNote,
  type Item,
  type Read,
  type SourceText,
} from '../outline/outline.ts';
import type { CheckBox } from '../outline/text-lines.ts';
import { idFromWords, labelled, mentionedFiles, paragraphs } from '../outline/text-pieces.ts';
import { slicePlanOf, slicesIn, type Slice, type SlicePlan, type SliceTask } from './gsd-slices.ts';

interface GsdReading {
  readonly files: readonly GsdFile[];
  readonly notes: ImportNote[];
}

export function readGsd(sources: readonly SourceText[], path: string): Read {
  const files = sources.flatMap((source) => gsdFileOf(source) ?? []);
  const reading: GsdReading = { files, notes: [] };
  const wholes = [...new Set(files.map(({ whole }) => whole))].toSorted();
  const groups = wholes
    .map((whole) => ({ whole, items: itemsOf(reading, whole) }))
    .filter(({ items }) => items.length > 0);
  const [first] = groups;
  if (first === undefined)
    return refusedImport(
      path,
      undefined,
      'There is no slice and no task in it; a roadmap lists slices as "- [ ] **S01: Title** `depends:[]`".',
    );
  const name = idFromWords(titleOf(reading, first.whole) ?? first.whole) || 'gsd';
  if (groups.length === 1) return { type: 'outline', name, items: first.items, notes: reading.notes };
  reading.notes.push({
    file: path,
    line: undefined,
    says: `${groups.length} milestones are done one after the other, in the order of their names.`,
  });
  return {
    type: 'outline',
    name: 'gsd',
    items: groups.map((group, at) => wholeOf(reading, group, groups[at - 1]?.whole)),
    notes: reading.notes,
  };
}

interface SliceGroup {
  readonly whole: string;
  readonly items: readonly Item[];
}

function wholeOf(reading: GsdReading, { whole, items }: SliceGroup, before: string | undefined): Item {
  const file = reading.files.find((one) => one.whole === whole)?.source.path ?? '';
  return plainItem({
    key: whole,
    id: whole === '' ? 'rest' : whole,
    place: { file, line: 1 },
    description: titleOf(reading, whole),
    after: before === undefined ? [] : [before],
    work: { type: 'group' },
    items,
  });
}

const titleOf = ({ files }: GsdReading, whole: string): string | undefined => {
  const text = files.find((file) => file.whole === whole && file.kind === 'slices')?.source.text ?? '';
  return /^\uFEFF?#\s+(?:M\d+\S*\s*[:—–-]\s*)?(.+)$/m.exec(text)?.[1];
};

/** The slices of a roadmap with their plans in them; without a roadmap the plans alone, in the order of their names. */
function itemsOf(reading: GsdReading, whole: string): readonly Item[] {
  const files = reading.files.filter((file) => file.whole === whole);
  const slices = files.flatMap((file) =>
    file.kind === 'slices' ? slicesIn(file.source.text).map((slice) => ({ slice, path: file.source.path })) : [],
  );
  const listed = new Set(slices.map(({ slice }) => slice.id));
  const plans = files.filter(({ kind, slice }) => kind === 'tasks' && !listed.has(slice));
  const alone = plans.map((file) => planItem(reading, file));
  const items = slices.map(({ slice, path }) => sliceItem(reading, slice, { whole, path }));
  const [only] = alone;
  return only !== undefined && alone.length === 1 && items.length === 0 ? only.items : [...items, ...alone];
}

function planItem(reading: GsdReading, file: GsdFile): Item {
  const plan = slicePlanOf(file.source.text);
  const id = file.slice === '' ? 'slice' : file.slice;
  return plainItem({
    key: keyOf(file.whole, id),
    id,
    place: { file: file.source.path, line: 1 },
    description: plan.title,
    work: { type: 'group' },
    items: taskItems(reading, plan, { file, around: paragraphs(plan.title, labelled('Goal', plan.goal)) }),
  });
}

function sliceItem(reading: GsdReading, slice: Slice, { whole, path }: { whole: string; path: string }): Item {
  const file = reading.files.find((one) => one.kind === 'tasks' && one.whole === whole && one.slice === slice.id);
  const plan = file === undefined ? undefined : slicePlanOf(file.source.text);
  return plainItem({
    key: keyOf(whole, slice.id),
    id: slice.id,
    place: { file: path, line: slice.line },
    state: slice.isDone ? 'done' : 'open',
    needs: slice.needs.map((need) => keyOf(whole, need)),
    description: slice.title,
    work: {
      type: 'prompt',
      prompt: paragraphs(slice.title, labelled('Goal', plan?.goal), labelled('After this', slice.shows.join(' '))),
    },
    mark: markOf(path, slice.box),
    items: plan === undefined || file === undefined ? [] : taskItems(reading, plan, { file, around: '' }),
  });
}

interface Tasks {
  readonly file: GsdFile;
  /** The purpose of the slice, when no item of the outline gives it. */
  readonly around: string;
}

/** One after the other, as GSD has it. */
function taskItems(reading: GsdReading, plan: SlicePlan, { file, around }: Tasks): readonly Item[] {
  return plan.tasks.map((task, at) => {
    const before = plan.tasks[at - 1];
    const page = reading.files.find(
      (one) => one.kind === 'task' && one.whole === file.whole && one.slice === file.slice && one.task === task.id,
    );
    const place = { file: file.source.path, line: task.box.line.number };
    if (task.unread !== undefined)
      reading.notes.push({
        ...place,
        says: `${task.id}: its estimate "${task.unread}" cannot be read, and was left out.`,
      });
    return plainItem({
      key: keyOf(file.whole, file.slice, task.id),
      id: task.id,
      place,
      state: task.box.isTicked ? 'done' : 'open',
      after: before === undefined ? [] : [keyOf(file.whole, file.slice, before.id)],
      description: task.title,
      work: {
        type: 'prompt',
        prompt: paragraphs(
          task.title,
          task.more.join('\n'),
          page === undefined ? undefined : withoutFrontMatter(page.source.text),
          labelled('This is a part of', around),
        ),
      },
      files: mentionedFiles(valueOf(task, 'Files') ?? ''),
      check: /^`([^`]+)`\.?$/.exec(valueOf(task, 'Verify') ?? '')?.[1],
      estimateMs: task.estimateMs,
      mark: markOf(file.source.path, task.box),
    });
  });
}

const keyOf = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('/');

const valueOf = ({ more }: SliceTask, label: string): string | undefined =>
  more
    .find((line) => line.startsWith(`${label}:`))
    ?.slice(label.length + 1)
    .trim();

const markOf = (file: string, box: CheckBox | undefined): CheckboxMark | undefined =>
  box === undefined ? undefined : { type: 'box', file, at: box.at };

const withoutFrontMatter = (text: string): string => text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---\r?\n/, '');

interface GsdFile {
  readonly kind: 'slices' | 'tasks' | 'task';
  /** `M001`, or with more behind it; empty when nothing says which. */
  readonly whole: string;
  /** `S01`; empty for a list of slices. */
  readonly slice: string;
  /** `T01`; empty for the others. */
  readonly task: string;
  readonly source: SourceText;
}

function gsdFileOf(source: SourceText): GsdFile | undefined {
  const parts = source.path.split(/[/\\]/);
  const name = parts.at(-1) ?? '';
  const part = (pattern: RegExp): string => parts.findLast((one) => pattern.test(one)) ?? '';
  const whole = /^(M\d+(?:-[a-z0-9]+)?)-ROADMAP\.md$/.exec(name)?.[1] ?? part(/^M\d+(?:-[a-z0-9]+)?$/);
  const kind = kindOf(name, source.text);
  const file = { kind, whole, source };
  switch (kind) {
    case undefined:
      return undefined;
    case 'slices':
      return { ...file, kind, slice: '', task: '' };
    case 'tasks':
      return { ...file, kind, slice: /^S\d+/.exec(name)?.[0] ?? headed(source.text, 'S') ?? part(/^S\d+$/), task: '' };
    case 'task':
      return { ...file, kind, slice: part(/^S\d+$/), task: /^T\d+/.exec(name)?.[0] ?? '' };
  }
}

function kindOf(name: string, text: string): GsdFile['kind'] | undefined {
  if (/(?:^|-)ROADMAP\.md$/i.test(name)) return 'slices';
  if (/^T\d+-PLAN\.md$/i.test(name)) return 'task';
  if (/^S\d+-PLAN\.md$/i.test(name)) return 'tasks';
  if (/^## Slice/m.test(text)) return 'slices';
  return /^## Tasks\b/m.test(text) ? 'tasks' : undefined;
}

const headed = (text: string, letter: string): string | undefined =>
  new RegExp(`^# +(${letter}\\d+)\\b`, 'm').exec(text)?.[1];
