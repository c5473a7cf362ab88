// A report as headings, facts, tables and quotations: what all ways of writing it share.
//
// J1. Every text may come from a plan, an agent or a program, and is not safe to show: whoever writes a document escapes
//     all of them.
import type { TaskState } from '../run/stage.ts';

export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
  /** Where there is no room for all columns, those with the highest go first; those without one stay. */
  readonly rank?: number;
}

export interface Row {
  readonly cells: readonly string[];
  /** Of the task that it is about, for those who filter. */
  readonly state?: TaskState;
}

export type Block =
  | { readonly type: 'facts'; readonly facts: readonly Fact[] }
  | { readonly type: 'table'; readonly columns: readonly Column[]; readonly rows: readonly Row[] }
  | { readonly type: 'list'; readonly items: readonly string[] }
  | { readonly type: 'text'; readonly text: string }
  /** What somebody printed, line for line. */
  | { readonly type: 'output'; readonly of: string; readonly text: string };

export type Fact = readonly [label: string, value: string];

export interface Section {
  readonly id: string;
  readonly title: string;
  /** What it comes to in a few words, for those who do not open it. */
  readonly gist: string;
  readonly blocks: readonly Block[];
}

export interface Document {
  readonly title: string;
  /** One sentence that says how it went. */
  readonly lead: string;
  /** How it went, in one word for colours. */
  readonly mood: 'good' | 'bad' | 'open';
  readonly facts: readonly Fact[];
  readonly sections: readonly Section[];
}
