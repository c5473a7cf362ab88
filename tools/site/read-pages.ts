// The documents as pages of a site: every Markdown file below `docs`, in the order in which the first page lists them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SourcePage {
  /** Below `docs`, without `.md`: `guide/first-plan`. */
  readonly name: string;
  readonly text: string;
  readonly title: string;
}

export interface PageGroup {
  readonly title: string;
  readonly pages: readonly SourcePage[];
}

const GROUPS: readonly (readonly [folder: string, title: string])[] = [
  ['guide', 'Guide'],
  ['cookbook', 'Cookbook'],
  ['reference', 'Reference'],
  ['promises', 'Promises'],
  ['decisions', 'Decisions'],
];

/** The page that opens first. */
export const FIRST = 'README';

export function readPages(docs: string): readonly SourcePage[] {
  const names = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => path.slice(0, -'.md'.length));
  return names.toSorted().map((name) => {
    const text = readFileSync(join(docs, `${name}.md`), 'utf8');
    return { name, text, title: /^# (.*)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? name };
  });
}

/** For the list at the side; the first page is the home of the site and in no group. */
export function groupPages(pages: readonly SourcePage[]): readonly PageGroup[] {
  const first = pages.find(({ name }) => name === FIRST)?.text ?? '';
  const placeOf = ({ name }: SourcePage): number => {
    const place = first.indexOf(`(${name}.md)`);
    return place === -1 ? first.length : place;
  };
  const inOrder = (some: readonly SourcePage[]): readonly SourcePage[] =>
    some.toSorted((one, other) => placeOf(one) - placeOf(other));
  const groups = GROUPS.map(([folder, title]) => ({
    title,
    pages: inOrder(pages.filter(({ name }) => name.startsWith(`${folder}/`))),
  }));
  const others = pages.filter(({ name }) => !name.includes('/') && name !== FIRST);
  return [...groups, { title: 'More', pages: inOrder(others) }].filter((group) => group.pages.length > 0);
}
