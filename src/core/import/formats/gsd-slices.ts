// The slices that a roadmap of GSD-2 lists (check boxes, the rows of a table, or headings), and the tasks that the plan
// of one slice lists.

import { checkBoxOf, headingOf, linesOf, type CheckBox, type TextLine } from '../outline/text-lines.ts';
import { withoutEmphasis } from '../outline/text-pieces.ts';

export interface Slice {
  readonly id: string;
  readonly title: string;
  readonly line: number;
  readonly isDone: boolean;
  readonly needs: readonly string[];
  /** The demonstration of the finished slice. */
  readonly shows: string[];
  readonly box: CheckBox | undefined;
}

const NAMED_SLICE = /^\*\*(S\w+):\s*(.+?)\*\*\s*(.*)$/;
const HEADED = /^(?:\*\*)?(?:✓\s+)?(?:Slice\s+)?(S\d+)\b(?:\*\*)?[\s:.–—-]*(.+)$/;
const DEPENDS = /depends(?:\s+on)?:?\*{0,2}\s*\[?([^\]`]*)/i;

export function slicesIn(text: string): readonly Slice[] {
  const lines = linesOf(text);
  const ways = [listedSlices, tabledSlices, headedSlices];
  for (const way of ways) {
    const slices = way(lines);
    if (slices.length > 0) return slices;
  }
  return [];
}

function listedSlices(lines: readonly TextLine[]): readonly Slice[] {
  const slices: Slice[] = [];
  let isPart = false;
  for (const line of lines) {
    const box = checkBoxOf(line);
    const found = box === undefined ? null : NAMED_SLICE.exec(box.words);
    const shown = /^\s*>\s*(?:After this:\s*)?(.*)$/i.exec(line.text)?.[1];
    if (box !== undefined && found !== null) {
      const [, id = '', title = '', rest = ''] = found;
      const needs = needsIn(DEPENDS.exec(rest)?.[1] ?? '');
      slices.push({ id, title, line: line.number, isDone: box.isTicked, needs, shows: [], box });
      isPart = true;
    } else if (headingOf(line) !== undefined) isPart = false;
    else if (isPart && shown !== undefined) slices.at(-1)?.shows.push(shown.trim());
  }
  return slices;
}

function tabledSlices(lines: readonly TextLine[]): readonly Slice[] {
  return lines.flatMap((line): readonly Slice[] => {
    if (line.isCode || !/^\s*\|/.test(line.text)) return [];
    const cells = line.text
      .split('|')
      .slice(1)
      .map((cell) => withoutEmphasis(cell.trim()));
    const id = cells.find((cell) => /^S\d+$/.test(cell));
    if (id === undefined) return [];
    const others = cells.filter((cell) => cell !== id && cell !== '');
    const ids = others.find((cell) => /^(?:S\d+(?:(?:-|\.\.)S\d+)?[\s,;]*)+$/.test(cell)) ?? '';
    const words = others.filter((cell) => cell !== ids && !isMark(cell));
    const isDone = others.some((cell) => isMark(cell) && /x|done|complete|✅|✓/i.test(cell));
    return [
      {
        id,
        title: words[0] ?? id,
        line: line.number,
        isDone,
        needs: needsIn(ids),
        shows: words.slice(1),
        box: undefined,
      },
    ];
  });
}

/** A cell that says how far or how dangerous, and nothing else. */
const isMark = (cell: string): boolean =>
  /^(?:\[[ xX]\].*|high|medium|med|low|done|completed?|pending|in.?progress|not started|todo|none|[—–-]|✅|✓|⬜|❌)$/i.test(
    cell,
  );

function headedSlices(lines: readonly TextLine[]): readonly Slice[] {
  const slices: (Slice & { readonly needs: string[] })[] = [];
  let isPart = false;
  for (const line of lines) {
    const heading = headingOf(line);
    const found = heading === undefined ? null : HEADED.exec(heading.words);
    if (found !== null) {
      const [whole, id = '', words = ''] = found;
      const isDone = /✓|\(complete\)/i.test(whole);
      const title = withoutEmphasis(words.replace(/✓|\(complete\)/gi, ''));
      slices.push({ id, title, line: line.number, isDone, needs: [], shows: [], box: undefined });
    }
    if (heading !== undefined) isPart = found !== null;
    else if (isPart && line.text.trim() !== '') {
      const list = DEPENDS.exec(line.text)?.[1];
      if (list === undefined) slices.at(-1)?.shows.push(line.text.trim());
      else slices.at(-1)?.needs.push(...needsIn(list));
    }
  }
  return slices;
}

const SPAN_MAX = 500;

/** `S01, S03-S05` names four. */
function needsIn(list: string): readonly string[] {
  return [...list.matchAll(/S(\d+)(?:\s*(?:-|\.\.)\s*S(\d+))?/g)].flatMap(([, first = '', last]) => {
    const [from, to] = [Number(first), Number(last ?? first)];
    const count = Math.min(Math.max(to - from + 1, 1), SPAN_MAX);
    return Array.from({ length: count }, (_, at) => `S${String(from + at).padStart(first.length, '0')}`);
  });
}

export interface SliceTask {
  readonly id: string;
  readonly title: string;
  readonly box: CheckBox;
  readonly estimateMs: number | undefined;
  /** A length of time that cannot be read, as it was written. */
  readonly unread: string | undefined;
  readonly more: string[];
}

export interface SlicePlan {
  readonly title: string | undefined;
  readonly goal: string | undefined;
  readonly tasks: readonly SliceTask[];
}

const NAMED_TASK = /^\*\*(T\w+):\s*(.+?)\*\*\s*(.*)$/;
const LENGTH = /^(\d+(?:\.\d+)?)\s*(d|h|hrs?|hours?|m|mins?|minutes?)(?:\s*(\d+)\s*m(?:in)?)?$/i;
const MS_OF: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

export function slicePlanOf(text: string): SlicePlan {
  const lines = linesOf(text);
  const tasks: SliceTask[] = [];
  let isPart = false;
  for (const line of lines) {
    const box = checkBoxOf(line);
    const found = box === undefined ? null : NAMED_TASK.exec(box.words);
    if (box !== undefined && found !== null) {
      const [, id = '', title = '', rest = ''] = found;
      const estimate = /`?est:\s*([^`]+)`?/.exec(rest)?.[1]?.trim();
      const estimateMs = estimate === undefined ? undefined : lengthMs(estimate);
      const unread = estimateMs === undefined ? estimate : undefined;
      tasks.push({ id, title, box, estimateMs, unread, more: [] });
      isPart = true;
    } else if (headingOf(line) !== undefined) isPart = false;
    else if (isPart && line.text.trim() !== '') tasks.at(-1)?.more.push(line.text.trim().replace(/^[-*+]\s+/, ''));
  }
  const title = lines
    .map(headingOf)
    .find((heading) => heading?.level === 1)
    ?.words.replace(/^S\d+\s*[:—–-]\s*/, '');
  const goal = /^\*\*Goal:?\*\*:?\s*(.+)$/m.exec(text)?.[1];
  return { title, goal, tasks };
}

function lengthMs(words: string): number | undefined {
  const found = LENGTH.exec(words.trim());
  if (found === null) return undefined;
  const [, count = '', unit = '', minutes = '0'] = found;
  return Number(count) * (MS_OF[unit.charAt(0).toLowerCase()] ?? 0) + Number(minutes) * 60_000;
}
