// The survey of a tree: its files, their sizes, and the imports between them.
//
// survey/V1. Imports name files of the survey only, and never the file itself.
// survey/V2. The same tree gives the same survey.

import { join } from 'node:path';
import type { SourceFile } from '../../core/split/source-file.ts';
import { NO_WORDS } from './language.ts';
import type { Scanned } from './language.ts';
import { languageOf } from './languages.ts';
import { listFiles, type SurveyRefusal } from './list-files.ts';
import { readSource } from './read-source.ts';
import { indexTree } from './tree-index.ts';
import type { TreeIndex } from './tree-index.ts';
import { generatedBy, unwritten, type Unwritten } from './unwritten.ts';

export interface LeftOut {
  readonly path: string;
  readonly why: 'link' | 'binary' | 'unreadable' | Unwritten;
}

export type Surveyed =
  | {
      readonly type: 'surveyed';
      readonly root: string;
      readonly files: readonly SourceFile[];
      readonly leftOut: readonly LeftOut[];
    }
  | { readonly type: 'refused'; readonly refusal: SurveyRefusal };

interface ReadFile extends Scanned {
  readonly path: string;
  readonly tokens: number;
}

const NOTHING: Scanned = { imports: [], declares: [], words: NO_WORDS };

export interface SurveyOptions {
  /** Files that are surveyed although no person writes them, because the caller named them. */
  readonly keeps: (path: string) => boolean;
}

export function survey(
  places: readonly string[],
  cwd: string,
  { keeps }: SurveyOptions = { keeps: () => false },
): Surveyed {
  const listed = listFiles(places, cwd);
  if (listed.type === 'refused') return listed;
  const read: ReadFile[] = [];
  const leftOut: LeftOut[] = [];
  const isGenerated = generatedBy(attributesIn(listed.root));
  for (const path of listed.paths) {
    const source = readSource(join(listed.root, path));
    if (source.type === 'left out') {
      leftOut.push({ path, why: source.why });
      continue;
    }
    const isNamed = listed.named.has(path) || keeps(path);
    const why = isNamed ? undefined : isGenerated(path) ? 'generated' : unwritten({ path, text: source.text });
    if (why !== undefined) leftOut.push({ path, why });
    else read.push({ path, tokens: source.tokens, ...(languageOf(path)?.scan(source.text, path) ?? NOTHING) });
  }
  const index = indexTree(read);
  const files = read.map((file) => ({ path: file.path, tokens: file.tokens, imports: importsOf(file, index) }));
  return { type: 'surveyed', root: listed.root, files, leftOut };
}

function attributesIn(root: string): string {
  const source = readSource(join(root, '.gitattributes'));
  return source.type === 'text' ? source.text : '';
}

function importsOf({ path, imports, words }: ReadFile, index: TreeIndex): readonly string[] {
  const language = languageOf(path);
  if (language === undefined) return [];
  const found = new Set<string>();
  for (const name of imports)
    for (const target of language.resolve({ from: path, name, words, index })) if (index.has(target)) found.add(target);
  found.delete(path);
  return [...found].sort();
}
