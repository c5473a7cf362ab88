// A report as headings, facts, tables and quotations: the form that all writers (text, Markdown, HTML) share.
//
// document/J1. Every text may come from a plan, an agent or a program and is unsafe to show. Each writer escapes all of them.
import type { TaskState } from '../run/stage.ts';
import type { TimesSummary } from '../report/times.ts';
import { formatDuration } from '../chart/format.ts';

export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
  /** Where space is short, columns with the highest number are dropped first; columns without a number stay. */
  readonly rank?: number;
}

export interface Row {
  readonly cells: readonly string[];
  /** The state of the row's task, for filtering. */
  readonly state?: TaskState;
}

export type Block =
  | { readonly type: 'facts'; readonly facts: readonly Fact[] }
  | { readonly type: 'table'; readonly columns: readonly Column[]; readonly rows: readonly Row[] }
  | { readonly type: 'list'; readonly items: readonly string[] }
  | { readonly type: 'text'; readonly text: string }
  /** Program output, line by line. */
  | { readonly type: 'output'; readonly of: string; readonly text: string };

export type Fact = readonly [label: string, value: string];

export interface Section {
  readonly id: string;
  readonly title: string;
  /** A summary for readers who leave the section closed. */
  readonly gist: string;
  readonly blocks: readonly Block[];
}

export interface Document {
  readonly title: string;
  /** One sentence on the result of the run. */
  readonly lead: string;
  /** The result of the run as one word, for colours. */
  readonly mood: 'good' | 'bad' | 'open';
  readonly facts: readonly Fact[];
  readonly sections: readonly Section[];
}

const LINES_MAX = 25;
const CHARACTERS_MAX = 4_000;
const ID_CHARACTERS = 10;
/** Below this factor the difference is too small to mention. */
const AS_GOOD_AS = 1.01;

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

export const shortId = (commit: string | undefined): string => commit?.slice(0, ID_CHARACTERS) ?? '';

/** The end of an output; an ellipsis shows that its beginning was cut. */
export function lastLines(text: string): string {
  const lines = text.trimEnd().split('\n');
  const kept = lines.slice(-LINES_MAX).join('\n');
  const cut = kept.slice(-CHARACTERS_MAX).toWellFormed();
  return cut.length < text.trimEnd().length ? `…\n${cut}` : cut;
}

/** A time since the start of the run, as `+4m 10s`. */
export const atTime = (ms: number): string => `+${formatDuration(ms)}`;

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** `3.2 times`, with at most three significant digits. */
export const times = (factor: number): string => `${Number(factor.toPrecision(3))} times`;

export function speedText({ activeMs, workMs, speedUp, boundMs, timesBound }: TimesSummary): string {
  if (activeMs === 0) return 'nothing ran';
  const factor = speedUp < AS_GOOD_AS ? '' : `${times(speedUp)} `;
  const serial = `${factor}as fast as one after the other (${formatDuration(workMs)})`;
  if (boundMs === 0) return serial;
  const bound = formatDuration(boundMs);
  if (timesBound < AS_GOOD_AS) return `${serial}; no schedule of it is shorter than ${bound}`;
  const longer = timesBound < 2 ? `${percent(timesBound - 1)} longer than` : `${times(timesBound)} as long as`;
  return `${serial}; ${longer} the shortest that could be (${bound})`;
}

/** `2026-11-16 01:48:05 UTC`. */
export const dateText = (at: number): string =>
  Math.abs(at) < 8.64e15 ? `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC` : 'at an unknown time';
