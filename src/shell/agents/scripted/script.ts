// Parses the script of the scripted agent: the lines of a prompt that begin with `@`.
//
// script/S1. Any text can be parsed; an error names its line.
// script/S2. A script with an error is not begun, so it runs completely or not at all.
import { constants } from 'node:os';
import { durationMs } from '../../../core/plan/language/literals.ts';
import type { Reason } from '../../../core/protocol/result.ts';
import type { Json } from '../../../core/plan/plan.ts';
import { FAIL_REASONS } from './scripted-message.ts';

type Plain =
  | { readonly type: 'write' | 'append'; readonly path: string; readonly text: string }
  | { readonly type: 'delete' | 'next'; readonly path: string }
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'output'; readonly output: Json }
  | { readonly type: 'spend'; readonly usd: number | undefined; readonly tokens: number | undefined }
  | { readonly type: 'sleep'; readonly ms: number }
  /** Undefined when no time is given. */
  | { readonly type: 'quota' | 'limit'; readonly ms: number | undefined }
  | { readonly type: 'ask'; readonly question: string }
  | { readonly type: 'forget' }
  | { readonly type: 'run' | 'fork' | 'use'; readonly command: string }
  | { readonly type: 'fail'; readonly reason: Reason; readonly message: string }
  | { readonly type: 'exit'; readonly code: number }
  | { readonly type: 'signal' | 'ignore'; readonly signal: NodeJS.Signals }
  | { readonly type: 'hang' }
  | { readonly type: 'print'; readonly lines: number };

export type Directive = Plain | { readonly type: 'once'; readonly path: string; readonly directive: Plain };

export type Script =
  | { readonly type: 'script'; readonly directives: readonly Directive[] }
  /** `message` names the first line that is wrong and lists the directives. */
  | { readonly type: 'mistake'; readonly message: string };

const PRINTED_LINES_MAX = 10_000_000;
const EXIT_CODE_MAX = 255;
/** A week; timers cannot count much further. */
const DURATION_MS_MAX = 7 * 86_400_000;

/** The syntax of each directive, in the request of the reference. */
const FORMS: Readonly<Record<Directive['type'], string>> = {
  write: '@write PATH TEXT',
  append: '@append PATH TEXT',
  delete: '@delete PATH',
  say: '@say TEXT',
  next: '@next PATH',
  output: '@output JSON',
  spend: '@spend usd=0.10 tokens=500',
  sleep: '@sleep 200ms',
  run: '@run COMMAND',
  use: '@use COMMAND',
  fork: '@fork COMMAND',
  fail: '@fail REASON',
  exit: '@exit CODE',
  signal: '@signal SIGKILL',
  hang: '@hang',
  ignore: '@ignore SIGTERM',
  quota: '@quota 2s',
  limit: '@limit 2s',
  ask: '@ask QUESTION',
  forget: '@forget',
  print: '@print LINES',
  once: '@once PATH DIRECTIVE',
};

export function readScript(prompt: string): Script {
  const directives: Directive[] = [];
  for (const [index, line] of prompt.split(/\r?\n/u).entries()) {
    if (!line.startsWith('@')) continue;
    const directive = readDirective(line);
    if (typeof directive === 'string') return { type: 'mistake', message: mistakeAt(index + 1, line, directive) };
    directives.push(directive);
  }
  return { type: 'script', directives };
}

const LINE_SHOWN_MAX = 80;

function mistakeAt(number: number, line: string, why: string): string {
  const shown = line.length > LINE_SHOWN_MAX ? `${line.slice(0, LINE_SHOWN_MAX)}…` : line;
  return `Line ${number} of the prompt, \`${shown}\`, ${why}. The directives are ${Object.values(FORMS).join(', ')}.`;
}

/** The directive, or the end of an error message. */
function readDirective(line: string): Directive | string {
  const [word, rest] = splitWord(line.slice(1));
  if (word !== 'once') return readPlain(word, rest);
  const [path, inner] = splitWord(rest);
  if (path === '' || inner === '') return wrongForm('once');
  const [innerWord, innerRest] = splitWord(inner.replace(/^@/u, ''));
  if (innerWord === 'once') return 'has one @once inside another, which says nothing more';
  const directive = readPlain(innerWord, innerRest);
  return typeof directive === 'string' ? directive : { type: 'once', path, directive };
}

const wrongForm = (type: Directive['type']): string => `should look like \`${FORMS[type]}\``;

/** The first word, and the rest after one space. */
function splitWord(text: string): readonly [word: string, rest: string] {
  const end = text.search(/\s/u);
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}

function readPlain(word: string, rest: string): Plain | string {
  switch (word) {
    case 'write':
    case 'append':
      return readText(word, rest);
    case 'next': {
      // The words after the path are the goal of a drafting.
      const [path] = splitWord(rest.trim());
      return path === '' ? wrongForm(word) : { type: word, path };
    }
    case 'delete':
      return rest.trim() === '' ? wrongForm(word) : { type: word, path: rest.trim() };
    case 'say':
      return { type: word, text: unescaped(rest) };
    case 'output':
      return readOutput(rest);
    case 'spend':
      return readSpend(rest);
    case 'sleep': {
      const ms = durationIn(rest);
      return ms === undefined ? wrongForm(word) : { type: word, ms };
    }
    case 'quota':
    case 'limit': {
      const ms = durationIn(rest);
      return ms === undefined && rest.trim() !== '' ? wrongForm(word) : { type: word, ms };
    }
    case 'ask':
      return rest.trim() === '' ? wrongForm(word) : { type: word, question: unescaped(rest.trim()) };
    case 'forget':
      return rest.trim() === '' ? { type: word } : wrongForm(word);
    case 'run':
    case 'fork':
    case 'use':
      return rest.trim() === '' ? wrongForm(word) : { type: word, command: rest };
    case 'fail':
      return readFailure(rest);
    case 'exit': {
      const code = wholeNumber(rest, EXIT_CODE_MAX);
      return code === undefined ? wrongForm(word) : { type: word, code };
    }
    case 'signal':
    case 'ignore': {
      const signal = rest.trim();
      return isSignal(signal) ? { type: word, signal } : wrongForm(word);
    }
    case 'hang':
      return rest.trim() === '' ? { type: word } : wrongForm(word);
    case 'print': {
      const lines = wholeNumber(rest, PRINTED_LINES_MAX);
      return lines === undefined ? wrongForm(word) : { type: word, lines };
    }
    default:
      return 'is no directive that it knows';
  }
}

function durationIn(text: string): number | undefined {
  const ms = durationMs(text.trim());
  return ms === undefined || ms > DURATION_MS_MAX ? undefined : ms;
}

function readText(type: 'write' | 'append', rest: string): Plain | string {
  const [path, text] = splitWord(rest);
  return path === '' ? wrongForm(type) : { type, path, text: unescaped(text) };
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\' };

/** `\n`, `\t` and `\\` are a line break, a tab and a backslash; any other backslash is literal. */
const unescaped = (text: string): string => text.replaceAll(/\\([nt\\])/gu, (_, sign: string) => ESCAPED[sign] ?? sign);

function readOutput(rest: string): Plain | string {
  try {
    // JSON.parse returns JSON, but its type is wider.
    return { type: 'output', output: JSON.parse(rest) as Json };
  } catch (error) {
    return `has no JSON after @output (${error instanceof Error ? error.message : String(error)})`;
  }
}

const AMOUNT = /^(usd|tokens)=(\d+(?:\.\d+)?)$/u;

function readSpend(rest: string): Plain | string {
  const amounts = new Map<string, number>();
  for (const part of rest.trim().split(/\s+/u)) {
    const [, name = '', amount = ''] = AMOUNT.exec(part) ?? [];
    const value = Number(amount);
    if (name === '' || !Number.isFinite(value)) return wrongForm('spend');
    amounts.set(name, name === 'tokens' ? Math.round(value) : value);
  }
  return { type: 'spend', usd: amounts.get('usd'), tokens: amounts.get('tokens') };
}

/** The name of a reason, a message for people, or a name and then a message. */
function readFailure(rest: string): Plain {
  const [word, message] = splitWord(rest.trim());
  const reason = FAIL_REASONS.find((each) => each === word);
  if (reason === undefined) return { type: 'fail', reason: 'failed', message: unescaped(rest.trim()) };
  return { type: 'fail', reason, message: unescaped(message) };
}

function wholeNumber(text: string, max: number): number | undefined {
  const value = /^\d+$/u.test(text.trim()) ? Number(text) : Number.NaN;
  return value <= max ? value : undefined;
}

const isSignal = (name: string): name is NodeJS.Signals => Object.hasOwn(constants.signals, name);
