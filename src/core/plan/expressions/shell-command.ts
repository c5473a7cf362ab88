// Templates that are shell commands.
//
// shell-command/S1. A value is never part of the command's text. It is passed in an environment variable, and the
//   command contains that variable, quoted for its position.
// shell-command/S2. Where no quoting could prevent a value from being read as code, the command is refused with a
//   message.
// shell-command/S3. `{% if %}` and similar tags only choose among the author's own text, so they are allowed.

import { TEMPLATE_LENGTH_MAX, makeLiquidEngine } from './liquid.ts';
import { VALUE_MARK, shellPlacesOf } from './shell-context.ts';
import { HAS_MARKUP, printValue } from './template.ts';
import type { Template } from '../plan.ts';
import type { ValueFailure } from './text-reference.ts';
import type { QuotePlace } from './shell-frames.ts';
import type { Scope } from './template.ts';

export type RenderedCommand =
  | {
      readonly type: 'rendered';
      readonly command: string;
      readonly environment: Readonly<Record<string, string>>;
    }
  | ValueFailure;

/** The most UTF-8 bytes of one environment variable; systems refuse a little over 128 KiB. */
const VALUE_BYTES_MAX = 120_000;
/** The most UTF-8 bytes of all values of one command together. */
const VALUES_BYTES_MAX = 1_000_000;

/** Values of the current rendering; the engine prints synchronously, so there is one at a time. */
let values: string[] = [];
const engine = makeLiquidEngine((value) => `\0${values.push(printValue(value))}\0`);

export function renderCommand(text: Template, scope: Scope): RenderedCommand {
  if (text.includes('\0')) return refuse('syntax', 'the command holds a NUL character, which no shell takes');
  if (/\{%-?\s*(?:capture|liquid)\b/.test(text)) {
    return refuse('unsafe', '`capture` and `liquid` tags are not allowed in a command; use `assign` and `if`');
  }
  if (!HAS_MARKUP.test(text) && text.length <= TEMPLATE_LENGTH_MAX) {
    return { type: 'rendered', command: text, environment: {} };
  }
  values = [];
  const marked = engine.render(text, scope);
  return marked.type === 'failed' ? marked : quoteValues(marked.text, values);
}

/** The most UTF-8 bytes of a command with its values in one text; systems refuse an argument over 128 KiB. */
const SCRIPT_BYTES_MAX = 120_000;

export type RenderedScript = { readonly type: 'rendered'; readonly script: string } | ValueFailure;

/**
 * A command as one text that holds its values, as quoted assignments before it. Checks are rendered like this: they are
 * compared, remembered and shown as texts, and run where no environment can be passed along.
 */
export function renderScript(text: Template, scope: Scope): RenderedScript {
  const rendered = renderCommand(text, scope);
  if (rendered.type === 'failed') return rendered;
  const values = Object.entries(rendered.environment).map(([name, value]) => `${name}=${quoted(value)}; `);
  const script = values.join('') + rendered.command;
  if (values.length === 0 || bytesOf(script) <= SCRIPT_BYTES_MAX) return { type: 'rendered', script };
  return refuse('limit', `the command and its values are larger than ${SCRIPT_BYTES_MAX} bytes together`);
}

/** Stands for a command that could not be rendered. */
export const scriptThatFails = (message: string): string => `printf '%s\\n' ${quoted(message)} >&2; exit 1`;

const quoted = (value: string): string => `'${value.replaceAll("'", String.raw`'\''`)}'`;

/** The faults of a command that are known without values: positions where no value is allowed. */
export function readCommandPlaces(text: Template): readonly { readonly why: string; readonly offset: number }[] {
  const outputs = [...text.matchAll(/\{\{(?:[^"'}]|"[^"]*"|'[^']*')*\}\}/g)];
  if (outputs.length === 0 || text.includes('\0') || /\{%/.test(text)) return [];
  let count = 0;
  const places = shellPlacesOf(text.replaceAll(/\{\{(?:[^"'}]|"[^"]*"|'[^']*')*\}\}/g, () => `\0${(count += 1)}\0`));
  const wrong: { why: string; offset: number }[] = [];
  for (const [index, place] of places.entries()) {
    if (place.type === 'unsafe') wrong.push({ why: place.why, offset: outputs[index]?.index ?? 0 });
  }
  return wrong;
}

function quoteValues(marked: string, printed: readonly string[]): RenderedCommand {
  const places = shellPlacesOf(marked);
  const environment: Record<string, string> = {};
  const pieces: string[] = [];
  let from = 0;
  let bytes = 0;
  for (const [index, match] of [...marked.matchAll(VALUE_MARK)].entries()) {
    const place = places[index];
    const value = printed[Number(match[1]) - 1];
    if (value === undefined || place === undefined) return refuse('unsafe', 'a value stands where no shell word is');
    if (place.type === 'unsafe') return refuse('unsafe', `a value cannot be made safe ${place.why}`);
    const reader = place.readers.find((each) => each.codeLike.test(value));
    if (reader !== undefined) return refuse('unsafe', codeLike(reader.program));
    bytes += bytesOf(value);
    const wrong = whatIsWrongWith(value, bytes);
    if (wrong !== undefined) return wrong;
    const name = `HEDDLE_VALUE_${index + 1}`;
    environment[name] = value;
    pieces.push(marked.slice(from, match.index), QUOTED[place.place](name));
    from = match.index + match[0].length;
  }
  pieces.push(marked.slice(from));
  return { type: 'rendered', command: pieces.join(''), environment };
}

const codeLike = (program: string): string =>
  `a value is what \`${program}\` would read as an option or a setting with code; give \`${program}\` the value in a file`;

const QUOTED: Readonly<Record<QuotePlace, (name: string) => string>> = {
  bare: (name) => `"$${name}"`,
  double: (name) => `\${${name}}`,
  heredoc: (name) => `\${${name}}`,
  single: (name) => `'"$${name}"'`,
  'dollar-single': (name) => `'"$${name}"$'`,
};

function whatIsWrongWith(value: string, bytesTogether: number): ValueFailure | undefined {
  if (value.includes('\0'))
    return refuse('wrong-type', 'a value holds a NUL character, which no environment can carry');
  if (bytesOf(value) > VALUE_BYTES_MAX) {
    return refuse(
      'limit',
      `a value is larger than the ${VALUE_BYTES_MAX} bytes that a command can be given; let a step write it to a file`,
    );
  }
  if (bytesTogether > VALUES_BYTES_MAX) {
    return refuse('limit', `the values of this command are larger than ${VALUES_BYTES_MAX} bytes together`);
  }
  return undefined;
}

function bytesOf(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // Each half of a surrogate pair counts two, so that the pair counts four.
    if (unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff)) bytes += 2;
    else if (unit >= 0x80) bytes += 1;
  }
  return bytes;
}

function refuse(reason: ValueFailure['reason'], message: string): ValueFailure {
  return { type: 'failed', reason, name: undefined, message };
}
