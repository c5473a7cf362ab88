// `npm run site`: the documents as a static site in dist/site, with a search and without a network. Open index.html, or
// put the folder on any web server.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { framePage } from './site/page-template.ts';
import { groupPages, readPages } from './site/read-pages.ts';
import { fileOf, renderPage } from './site/render-page.ts';

const root = join(import.meta.dirname, '..');
const docs = join(root, 'docs');

/** Programs of the pages; browsers take them without their types. */
const PROGRAMS = ['theme', 'search'] as const;
/** More of a section is not searched. */
const SEARCHED_MAX = 4_000;

export function writeSite(folder: string): number {
  rmSync(folder, { recursive: true, force: true });
  const pages = readPages(docs);
  const groups = groupPages(pages);
  const index: (readonly string[])[] = [];
  // Of what fits a search equally well, the guide comes before the decisions.
  const listed = groups.flatMap((group) => group.pages);
  for (const page of [...pages.filter((each) => !listed.includes(each)), ...listed]) {
    const rendered = renderPage(page);
    const file = fileOf(page.name);
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), framePage({ page, rendered, groups }));
    for (const { title, anchor, text } of rendered.sections) {
      const to = anchor === '' ? file : `${file}#${anchor}`;
      index.push([to, page.title, title, text.trim().slice(0, SEARCHED_MAX)]);
    }
  }
  writeFileSync(join(folder, 'search-index.js'), `globalThis.HEDDLE_SECTIONS = ${JSON.stringify(index)};\n`);
  cpSync(join(import.meta.dirname, 'site', 'site.css'), join(folder, 'site.css'));
  for (const name of PROGRAMS) {
    const text = readFileSync(join(import.meta.dirname, 'site', 'browser', `${name}.ts`), 'utf8');
    // A module cannot be loaded from a folder, and a plain script shares its names with others.
    writeFileSync(join(folder, `${name}.js`), `{\n${stripTypeScriptTypes(text)}}\n`);
  }
  cpSync(join(docs, 'pictures'), join(folder, 'pictures'), { recursive: true });
  return pages.length;
}

if (process.argv[1] === import.meta.filename) {
  const folder = join(root, 'dist', 'site');
  console.log(`${writeSite(folder)} pages are in ${folder}.`);
}
