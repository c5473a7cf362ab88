// Writes the progress of a run back into the files that its plan was imported from.
//
// write-back/B1. Nothing in a file changes but the mark in a check box or the word of a status; every other byte stays.
// write-back/B2. An item that is marked done stays done, whatever the run says.
// write-back/B3. A task is found by its path, which does not depend on what is done.

import { placeItems, type PlacedItem } from './outline/place-items.ts';
import { foldFolders } from './outline/fold-folders.ts';
import type { ImportFormat } from './formats.ts';
import type { CheckboxMark, ImportOutline, SourceText } from './outline/outline.ts';

export type ItemProgress = 'done' | 'begun';

export interface Change {
  readonly task: string;
  readonly key: string;
  readonly file: string;
  readonly line: number;
  readonly was: string;
  readonly is: string;
}

export interface WrittenBack {
  readonly sources: readonly SourceText[];
  readonly changes: readonly Change[];
  /** The number of items that are tasks of the run. */
  readonly known: number;
}

export interface RunProgress {
  /** Undefined when the run has no task of this path. */
  readonly of: (path: string) => ItemProgress | 'neither' | undefined;
}

interface Edit {
  readonly mark: CheckboxMark;
  readonly is: string;
  readonly change: Change;
}

export function writeProgress(
  given: { readonly format: ImportFormat; readonly outline: ImportOutline; readonly sources: readonly SourceText[] },
  run: RunProgress,
): WrittenBack {
  const { all, byKey } = placeItems(foldFolders(given.outline.items));
  /** A folded item is as far as the task that does it. */
  const progressOf = ({ item, path }: PlacedItem): ReturnType<RunProgress['of']> =>
    run.of(item.foldedInto === undefined ? path : (byKey.get(item.foldedInto)?.path ?? path));
  const tick = tickOf(given.format, given.sources);
  const texts = new Map(given.sources.map(({ path, text }) => [path, text]));
  const edits = all.flatMap((placed) => {
    const text = texts.get(placed.item.mark?.file ?? '');
    return text === undefined ? [] : (editOf(placed, { text, tick, progress: progressOf(placed) }) ?? []);
  });
  return {
    sources: given.sources.map((source) => withEdits(source, edits)),
    changes: edits.map(({ change }) => change),
    known: all.filter(({ path }) => run.of(path) !== undefined).length,
  };
}

interface WriteBackContext {
  readonly text: string;
  readonly tick: string;
  readonly progress: ItemProgress | 'neither' | undefined;
}

function editOf({ item, path }: PlacedItem, { text, tick, progress }: WriteBackContext): Edit | undefined {
  const { mark, place, key } = item;
  if (mark === undefined || progress === undefined || progress === 'neither' || item.state === 'done') return undefined;
  const was = mark.type === 'box' ? text.charAt(mark.at) : text.slice(mark.start, mark.end);
  const is = mark.type === 'box' ? (progress === 'done' ? tick : was) : wordFor(progress, was);
  if (is === was) return undefined;
  return { mark, is, change: { task: path, key, file: mark.file, line: place.line, was, is } };
}

/** Only an item that was still waiting is marked as begun. */
const wordFor = (progress: ItemProgress, was: string): string => {
  if (progress === 'done') return '"done"';
  return was === '"pending"' ? '"in-progress"' : was;
};

/** The sign that the files use already; else the one that their tool writes. */
function tickOf(format: ImportFormat, sources: readonly SourceText[]): string {
  const ticks = sources.flatMap(({ text }) => text.match(/^\s*(?:[-*+]|\d+[.)])[ \t]+\[[xX]\]/gm) ?? []);
  const large = ticks.filter((tick) => tick.endsWith('[X]')).length;
  if (ticks.length === 0) return format === 'spec-kit' ? 'X' : 'x';
  return large * 2 > ticks.length ? 'X' : 'x';
}

function withEdits({ path, text }: SourceText, edits: readonly Edit[]): SourceText {
  const own = edits
    .filter(({ mark }) => mark.file === path)
    .map(({ mark, is }) => ({ is, ...(mark.type === 'box' ? { start: mark.at, end: mark.at + 1 } : mark) }))
    .toSorted((left, right) => left.start - right.start);
  let written = '';
  let rest = 0;
  for (const { start, end, is } of own) {
    written += text.slice(rest, start) + is;
    rest = end;
  }
  return { path, text: written + text.slice(rest) };
}
