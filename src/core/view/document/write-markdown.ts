// A document as Markdown. Foreign text cannot become a heading, a link, an image or HTML, nor end its table.
import { cleanText, plainLine } from '../draw/label.ts';
import type { Block, Document, Row } from './document.ts';

export function writeMarkdown({ title, lead, facts, sections }: Document): string {
  const parts = [
    `# ${inline(title)}`,
    inline(lead),
    writeBlock({ type: 'facts', facts }),
    ...sections.flatMap(({ title: heading, blocks }) => [`## ${inline(heading)}`, ...blocks.map(writeBlock)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function writeBlock(block: Block): string {
  switch (block.type) {
    case 'facts':
      return block.facts.map(([label, value]) => `- **${inline(label)}**: ${inline(value)}`).join('\n');
    case 'table':
      return [
        lineOf(block.columns.map(({ title }) => title)),
        lineOf(
          block.columns.map(({ isNumber }) => (isNumber === true ? '--:' : '---')),
          true,
        ),
        ...block.rows.map(({ cells }: Row) => lineOf(cells)),
      ].join('\n');
    case 'list':
      return block.items.map((item) => `- ${inline(item)}`).join('\n');
    case 'text':
      return inline(block.text);
    case 'output':
      return `${inline(block.of)}:\n\n${fenced(block.text)}`;
  }
}

const lineOf = (cells: readonly string[], isPlain = false): string =>
  `| ${cells.map((cell) => (isPlain ? cell : inline(cell))).join(' | ')} |`;

/** Escapes every character that has a meaning in Markdown or HTML. */
const inline = (text: string): string =>
  plainLine(text)
    .replace(/[\\`*_[\]<>|~#!$&]/gu, '\\$&')
    // A bare URL would become a link, and a marker at the beginning of a line a list or a quotation.
    .replace(/(https?|ftp):\/\//giu, '$1:\u200B//')
    .replace(/\bwww\./giu, 'www\u200B.')
    .replace(/@(?=\w)/gu, '@\u200B')
    .replace(/^([-+]|\d+[.)])(?=\s|$)/u, '\\$1');

/** The fence is longer than any fence in the text. */
function fenced(text: string): string {
  const longest = (text.match(/`{3,}/gu) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${cleanText(text)}\n${fence}`;
}
