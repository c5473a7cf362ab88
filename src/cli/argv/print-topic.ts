// `heddle help TOPIC`: prints a page of the documents, the section of a code, or the list of pages.
import type { Command } from '@commander-js/extra-typings';
import { codeNames, findTopic, pageNames, pageTitles } from '../../app/read/documents.ts';
import { nearest } from '../../core/plan/language/nearest-name.ts';
import { CommandFailure } from '../terminal/exit-code.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { commandsOf } from './command-tree.ts';

export function printTopic(terminal: Terminal, program: Command, words: readonly string[]): void {
  const topic = words.join(' ');
  if (topic === 'topics') return terminal.out(topicsText(terminal));
  const text = findTopic(topic);
  if (text === undefined) throw new CommandFailure(notFound(program, topic));
  terminal.out(forTerminal(terminal, text));
}

function notFound(program: Command, topic: string): string {
  const commands = commandsOf(program).map(({ path }) => path.join(' '));
  const like = nearest(topic, [...commands, ...codeNames(), ...pageNames()]);
  const hint = like === undefined ? '' : ` Did you mean ${like}?`;
  return `There is no help on ${topic}.${hint} heddle --help lists the commands, heddle help topics the pages.`;
}

function topicsText(terminal: Terminal): string {
  const titles = pageTitles();
  const width = Math.max(...titles.map(({ page }) => page.length));
  const pages = titles.map(({ page, title }) => `  ${page.padEnd(width)}  ${title}`);
  return [
    paint(terminal, 'strong', 'Pages, for heddle help PAGE'),
    ...pages.map((line) => line.trimEnd()),
    '',
    'A command explains itself, as heddle help run, and so does a code, as',
    'heddle help unknown-need. A part of a page is PAGE/PART, as reasons/quota.',
  ].join('\n');
}

/** Markdown reads well as it is, but for the marks that only a browser needs. */
function forTerminal(terminal: Terminal, markdown: string): string {
  let isCode = false;
  return markdown
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('```')) {
        isCode = !isCode;
        return [];
      }
      if (isCode) return [`    ${line}`];
      if (/^#+ /.test(line)) return [paint(terminal, 'strong', line.replace(/^#+ /, ''))];
      return [line.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')];
    })
    .join('\n')
    .trimEnd();
}
