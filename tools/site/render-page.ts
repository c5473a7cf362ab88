// Markdown → HTML, with headings that can be linked to and links that stay inside the site.
import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { FIRST, type SourcePage } from './read-pages.ts';

export interface RenderedPage {
  readonly html: string;
  /** For the list of contents and the search: the text below each heading. */
  readonly sections: readonly PageSection[];
}

export interface PageSection {
  readonly depth: number;
  readonly title: string;
  /** Empty for what stands before the first heading. */
  readonly anchor: string;
  readonly text: string;
}

/** As people's browsers and the sites that show repositories spell them. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
    .replaceAll(' ', '-');

/** The file of a page in the site. */
export const fileOf = (name: string): string =>
  `${name === FIRST ? 'index' : name.replace(/\/README$/, '/index')}.html`;

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export function renderPage({ name, text }: SourcePage): RenderedPage {
  const seen = new Map<string, number>();
  const sections: { depth: number; title: string; anchor: string; text: string }[] = [
    { depth: 1, title: '', anchor: '', text: '' },
  ];
  const marked = new Marked({
    gfm: true,
    tokenizer: {
      // An address in the text is an example, and leads nowhere.
      url: () => undefined,
    },
    renderer: {
      heading({ tokens, depth, text: source }: Tokens.Heading): string {
        const title = plain(source);
        const anchor = unique(anchorOf(title), seen);
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchor}">${inner}<a class="anchor" href="#${anchor}" aria-label="Link to ${escapeHtml(title)}">#</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        return `<a href="${escapeHtml(linkFrom(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      table(token: Tokens.Table): string {
        const row = (cells: readonly Tokens.TableCell[], tag: 'td' | 'th'): string =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
      code({ text: code, lang }: Tokens.Code): string {
        const language = lang === undefined || lang === '' ? '' : ` class="language-${escapeHtml(lang)}"`;
        return `<pre tabindex="0"><code${language}>${escapeHtml(code)}\n</code></pre>\n`;
      },
    },
  });
  const tokens = marked.lexer(text);
  const named = new Map<string, number>();
  for (const token of tokens) {
    if (token.type === 'heading') {
      const title = plain(String(token['text']));
      sections.push({ depth: Number(token['depth']), title, anchor: unique(anchorOf(title), named), text: '' });
    } else {
      const last = sections.at(-1);
      if (last !== undefined) last.text += ` ${plain(token.raw)}`;
    }
  }
  const html = marked.parser(tokens);
  return { html, sections: sections.filter((section) => section.anchor !== '' || section.text.trim() !== '') };

  /** From the page to another of the site. */
  function linkFrom(href: string): string {
    const [path = '', anchor] = href.split('#');
    if (path === '' || /^[a-z]+:/.test(path)) return href;
    const to = posix.normalize(posix.join(posix.dirname(name), path));
    const from = posix.dirname(fileOf(name));
    const file = to.endsWith('.md') ? fileOf(to.slice(0, -'.md'.length)) : to;
    return `${posix.relative(from, file)}${anchor === undefined ? '' : `#${anchor}`}`;
  }
}

/** The second heading of one name gets a number. */
function unique(anchor: string, seen: Map<string, number>): string {
  const count = seen.get(anchor) ?? 0;
  seen.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

/** Without the signs of Markdown, for the search and for titles. */
const plain = (source: string): string =>
  source
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]|^#+ |^[-:| ]+$/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
