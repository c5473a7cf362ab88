// The tasks that the plan of one slice lists.

import { checkBoxOf, headingOf, linesOf, type CheckBox } from '../outline/text-lines.ts';

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

const NAMED = /^\*\*(T\w+):\s*(.+?)\*\*\s*(.*)$/;
const LENGTH = /^(\d+(?:\.\d+)?)\s*(d|h|hrs?|hours?|m|mins?|minutes?)(?:\s*(\d+)\s*m(?:in)?)?$/i;
const MS_OF: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

export function slicePlanOf(text: string): SlicePlan {
  const lines = linesOf(text);
  const tasks: SliceTask[] = [];
  let isPart = false;
  for (const line of lines) {
    const box = checkBoxOf(line);
    const found = box === undefined ? null : NAMED.exec(box.words);
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
