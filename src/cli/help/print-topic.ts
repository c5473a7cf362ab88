// Prints the documentation of a topic: a code, a page, a section of a page, or the list of pages.
import type { Command } from '@commander-js/extra-typings';
import { nearest } from '../../core/plan/language/nearest-name.ts';
import { Failure } from '../terminal/exit-code.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { commandsOf } from './command-tree.ts';
import { codeNames, findCode, pageNames, readPage, sectionsOf } from './pages.ts';

export function printTopic(terminal: Terminal, program: Command, words: readonly string[]): void {
  const topic = words.join(' ');
  if (topic === 'topics') return terminal.out(topicsText(terminal));
  const text = findCode(topic)?.text ?? findPage(topic);
  if (text === undefined) throw new Failure(notFound(program, topic));
  terminal.out(forTerminal(terminal, text));
}

/** A page by its name, with or without its folder; `page/part` is a part of it. */
function findPage(topic: string): string | undefined {
  const page = pageNames().find((name) => name === topic || name.endsWith(`/${topic}`));
  if (page !== undefined) return readPage(page);
  const cut = topic.lastIndexOf('/');
  const outer = pageNames().find((name) => name === topic.slice(0, cut) || name.endsWith(`/${topic.slice(0, cut)}`));
  if (cut === -1 || outer === undefined) return undefined;
  return sectionsOf(readPage(outer)).find(({ name }) => name === topic.slice(cut + 1))?.text;
}

function notFound(program: Command, topic: string): string {
  const commands = commandsOf(program).map(({ path }) => path.join(' '));
  const like = nearest(topic, [...commands, ...codeNames(), ...pageNames()]);
  const hint = like === undefined ? '' : ` Did you mean ${like}?`;
  return `There is no help on ${topic}.${hint} heddle --help lists the commands, heddle help topics the pages.`;
}

function topicsText(terminal: Terminal): string {
  const names = pageNames();
  const width = Math.max(...names.map((name) => name.length));
  const pages = names.map((name) => `  ${name.padEnd(width)}  ${/^# +(.*)$/m.exec(readPage(name))?.[1] ?? ''}`);
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
