// Which file of GSD-2 a text is: the list of slices, the tasks of one slice, or what one task is.
// Its path says so; a text without such a path is known by its headings.

import type { SourceText } from '../outline/outline.ts';

export interface GsdFile {
  readonly kind: 'slices' | 'tasks' | 'task';
  /** `M001`, or with more behind it; empty when nothing says which. */
  readonly whole: string;
  /** `S01`; empty for a list of slices. */
  readonly slice: string;
  /** `T01`; empty for the others. */
  readonly task: string;
  readonly source: SourceText;
}

export function gsdFileOf(source: SourceText): GsdFile | undefined {
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
