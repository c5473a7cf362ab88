// The frame of every page: list of pages, search, contents, light and dark. Nothing is loaded from elsewhere.
import { posix } from 'node:path';
import type { PageGroup, SourcePage } from './read-pages.ts';
import { escapeHtml, fileOf, type RenderedPage } from './render-page.ts';

export interface Framing {
  readonly page: SourcePage;
  readonly rendered: RenderedPage;
  readonly groups: readonly PageGroup[];
}

export function framePage({ page, rendered, groups }: Framing): string {
  const file = fileOf(page.name);
  const to = (path: string): string => posix.relative(posix.dirname(file), path);
  const root = to('.') === '' ? '.' : to('.');
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} · Heddle</title>
<link rel="stylesheet" href="${to('site.css')}">
<script src="${to('theme.js')}"></script>
<script src="${to('search.js')}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="home" href="${to('index.html')}">Heddle</a>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search (press /)" aria-label="Search the documents" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="found">
<ul id="found" role="listbox" aria-label="Found" hidden></ul>
</div>
<button id="theme" type="button" aria-label="Light or dark">◐</button>
</header>
<div class="columns">
<nav aria-label="Pages"><details open><summary>Pages</summary>
${groups.map((group) => groupHtml(group, { page, to })).join('\n')}
</details></nav>
<main id="content">
${rendered.html}</main>
${contentsHtml(rendered)}
</div>
</body>
</html>
`;
}

interface Listing {
  readonly page: SourcePage;
  readonly to: (path: string) => string;
}

function groupHtml({ title, pages }: PageGroup, { page, to }: Listing): string {
  const items = pages.map((each) => {
    const current = each.name === page.name ? ' aria-current="page"' : '';
    return `<li><a href="${to(fileOf(each.name))}"${current}>${escapeHtml(each.title)}</a></li>`;
  });
  return `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}

/** Shorter pages are seen at a glance. */
const HEADINGS_LEAST = 3;

function contentsHtml({ sections }: RenderedPage): string {
  const headings = sections.filter(({ depth, anchor }) => anchor !== '' && (depth === 2 || depth === 3));
  if (headings.length < HEADINGS_LEAST) return '';
  const items = headings.map(
    ({ depth, title, anchor }) => `<li class="depth-${depth}"><a href="#${anchor}">${escapeHtml(title)}</a></li>`,
  );
  return `<aside aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></aside>`;
}
