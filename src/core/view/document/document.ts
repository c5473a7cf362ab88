// A report as headings, facts, tables and quotations: the form that all writers (text, Markdown, HTML) share.
//
// document/J1. Every text may come from a plan, an agent or a program and is unsafe to show. Each writer escapes all of them.
import type { TaskState } from '../run/stage.ts';

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
