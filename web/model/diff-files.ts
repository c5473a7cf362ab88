// A unified diff as files, hunks and lines with their numbers.

export interface DiffLine {
  readonly type: 'same' | 'added' | 'removed' | 'note';
  /** The numbers of the line before and after. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly text: string;
}

export interface DiffHunk {
  readonly header: string;
  readonly lines: readonly DiffLine[];
}

export interface DiffFile {
  readonly path: string;
  /** Set when the file was renamed. */
  readonly from: string | undefined;
  readonly type: 'added' | 'removed' | 'renamed' | 'changed' | 'binary';
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly DiffHunk[];
}

type Draft<T> = { -readonly [Key in keyof T]: T[Key] };
interface FileDraft extends Omit<Draft<DiffFile>, 'hunks'> {
  readonly hunks: HunkDraft[];
}
interface HunkDraft {
  readonly header: string;
  readonly lines: DiffLine[];
  before: number;
  after: number;
}

/** Whatever stands before the first file, such as a summary, is left out. */
export function readDiff(text: string): readonly DiffFile[] {
  const files: FileDraft[] = [];
  for (const line of text.split('\n')) {
    const file = files.at(-1);
    const hunk = file?.hunks.at(-1);
    if (line.startsWith('diff --git ')) files.push(fileOf(line));
    else if (file !== undefined && line.startsWith('@@ ')) file.hunks.push(hunkOf(line));
    else if (file !== undefined && hunk !== undefined) takeLine(file, hunk, line);
    else if (file !== undefined) takeHeader(file, line);
  }
  return files;
}

function fileOf(line: string): FileDraft {
  const path = unquoted(/ (?:"?b\/)(.*)$/.exec(line)?.[1] ?? line.slice('diff --git '.length));
  return { path, from: undefined, type: 'changed', added: 0, removed: 0, hunks: [] };
}

/** Git quotes names with special characters. */
const unquoted = (name: string): string => name.replace(/"$/, '');

function takeHeader(file: FileDraft, line: string): void {
  const [, name = ''] = /^\+\+\+ "?b\/(.*)$/.exec(line) ?? [];
  if (name !== '') file.path = unquoted(name);
  if (line.startsWith('new file')) file.type = 'added';
  if (line.startsWith('deleted file')) file.type = 'removed';
  if (line.startsWith('Binary files') || line.startsWith('GIT binary')) file.type = 'binary';
  if (line.startsWith('rename from ')) {
    file.type = 'renamed';
    file.from = line.slice('rename from '.length);
  }
  if (line.startsWith('rename to ')) file.path = line.slice('rename to '.length);
}

function hunkOf(line: string): HunkDraft {
  const [, before = '1', after = '1'] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line) ?? [];
  return { header: line, lines: [], before: Number(before), after: Number(after) };
}

function takeLine(file: FileDraft, hunk: HunkDraft, line: string): void {
  const text = line.slice(1);
  if (line.startsWith('+')) {
    file.added += 1;
    hunk.lines.push({ type: 'added', before: undefined, after: hunk.after++, text });
  } else if (line.startsWith('-')) {
    file.removed += 1;
    hunk.lines.push({ type: 'removed', before: hunk.before++, after: undefined, text });
  } else if (line.startsWith(' ')) hunk.lines.push({ type: 'same', before: hunk.before++, after: hunk.after++, text });
  else if (line.startsWith('\\')) hunk.lines.push({ type: 'note', before: undefined, after: undefined, text });
}

export interface DiffPair {
  readonly left: DiffLine | undefined;
  readonly right: DiffLine | undefined;
}

/** The lines of a hunk side by side: removed lines stand beside the lines that were added in their place. */
export function pairsOf({ lines }: DiffHunk): readonly DiffPair[] {
  const pairs: DiffPair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      pairs.push({ left: removed[at], right: added[at] });
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.type === 'removed') {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.type === 'added') added.push(line);
    else {
      flush();
      pairs.push({ left: line, right: line });
    }
  }
  flush();
  return pairs;
}
