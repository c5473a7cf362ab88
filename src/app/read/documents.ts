// The documents that come with the program: a page, a section of a page, the section of a code, or the list of pages.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../package-root.ts';

const DOCS = join(PACKAGE_ROOT, 'docs');
const FOLDERS = ['guide', 'cookbook', 'reference', 'promises'] as const;

/** Pages whose sections are found by a code, in order of precedence: a code has one meaning. */
const CODE_PAGES = [
  'reference/diagnostics',
  'reference/fragments',
  'reference/findings',
  'reference/drafting',
  'reference/reasons',
] as const;

export interface DocumentSection {
  /** The key of the section: its heading, as a word. */
  readonly name: string;
  readonly text: string;
}

/** Names such as `guide/first-plan`, in the order in which the first page lists them. */
export function pageNames(): readonly string[] {
  const index = readPage('README');
  const placeOf = (page: string): number => {
    const place = index.indexOf(`(${page}.md)`);
    return place === -1 ? index.length : place;
  };
  return allPages().toSorted((one, other) => placeOf(one) - placeOf(other));
}

const allPages = (): readonly string[] => [
  'comparison',
  ...FOLDERS.flatMap((folder) =>
    filesOf(join(DOCS, folder)).map((file) => `${folder}/${file.slice(0, -'.md'.length)}`),
  ),
];

const filesOf = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.md') && file !== 'README.md')
        .toSorted()
    : [];

export const readPage = (page: string): string => readFileSync(join(DOCS, `${page}.md`), 'utf8');

const HEADING = /^(#{2,}) +(.*)$/;

/** The sections of a page, each with its text; text in code fences is no heading. */
export function sectionsOf(text: string): readonly DocumentSection[] {
  const lines = text.split('\n');
  let isCode = false;
  const headings = lines.flatMap((line, at) => {
    if (line.startsWith('```')) isCode = !isCode;
    const match = isCode ? undefined : HEADING.exec(line);
    return match?.[1] === undefined ? [] : [{ at, depth: match[1].length, title: match[2] ?? '' }];
  });
  return headings.map(({ at, depth, title }, index) => {
    const next = headings.slice(index + 1).find((other) => other.depth <= depth);
    return { name: nameOf(title), text: lines.slice(at, next?.at).join('\n').trimEnd() };
  });
}

/** A heading that begins with a code is looked up by it; any other by its words. */
const nameOf = (title: string): string =>
  /^`([^`]+)`/.exec(title)?.[1] ?? title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** The documentation of a code, or undefined for an unknown code. */
export function findCode(code: string): DocumentSection | undefined {
  for (const page of CODE_PAGES) {
    const found = sectionsOf(readPage(page)).find(({ name, text }) => name === code && isOfCode(text));
    if (found !== undefined) return found;
  }
  return undefined;
}

const isOfCode = (text: string): boolean => /^#+ `/.test(text);

export const codeNames = (): readonly string[] =>
  CODE_PAGES.flatMap((page) => sectionsOf(readPage(page)).filter(({ text }) => isOfCode(text))).map(({ name }) => name);

/** A page by its name, with or without its folder; `page/part` is a part of it. */
function findPage(topic: string): string | undefined {
  const page = pageNames().find((name) => name === topic || name.endsWith(`/${topic}`));
  if (page !== undefined) return readPage(page);
  const cut = topic.lastIndexOf('/');
  const outer = pageNames().find((name) => name === topic.slice(0, cut) || name.endsWith(`/${topic.slice(0, cut)}`));
  if (cut === -1 || outer === undefined) return undefined;
  return sectionsOf(readPage(outer)).find(({ name }) => name === topic.slice(cut + 1))?.text;
}

/** The names of all pages, each with its title. */
export const pageTitles = (): readonly { readonly page: string; readonly title: string }[] =>
  pageNames().map((page) => ({ page, title: /^# +(.*)$/m.exec(readPage(page))?.[1] ?? '' }));

/** The text about a code or a page; undefined for an unknown topic. */
export const findTopic = (topic: string): string | undefined => findCode(topic)?.text ?? findPage(topic);
