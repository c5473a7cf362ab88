// Foreign text for a terminal: text of agents, programs and plans, without control sequences.
//
// terminal-text/E1. Of all control sequences only colours and weights (SGR) pass; every other one is removed.
// terminal-text/E2. A single control character, or a control of bidirectional text, is made visible and never passed on.
// terminal-text/E3. Text that is cut anywhere into chunks gives the same result.

/** A longer string sequence, such as a title or the clipboard, is not held back any further: its beginning is shown. */
const HELD_MAX = 1 << 16;

// Strings (title, clipboard, device control) end with BEL or ST and do not cross a line, so that an unfinished one hides
// no output; then CSI; then the short sequences.
const SEQUENCE =
  /(?:\u001B[\]PX^_]|[\u009D\u0090\u0098\u009E\u009F])[^\u0007\u001B\u0080-\u009F\n\r]*(?:\u0007|\u001B\\|\u009C)|(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B[ -/]*(?![\]PX^_[])[0-~]/u;
// Tabs and line feeds stay.
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/u;
// In one pass: the text around a removed sequence never forms another one.
const UNSAFE = new RegExp(`${SEQUENCE.source}|${CONTROL.source}`, 'gu');
/** The beginning of a sequence at the end of a text. */
const UNFINISHED =
  /(?:(?:\u001B[\]PX^_]|[\u009D\u0090\u0098\u009E\u009F])[^\u0007\u001B\u0080-\u009F\n\r]*\u001B?|(?:\u001B\[|\u009B)[0-?]*[ -/]*|\u001B[ -/]*|(?<!\r)\r+)$/u;
const COLOUR = /^(?:\u001B\[|\u009B)[\d;:]*m$/u;

export interface TextOptions {
  /** Whether colours and weights stay. */
  readonly colour: boolean;
}

/** A carriage return without a line feed becomes a line feed: overwritten text stays readable. */
export function terminalText(text: string, { colour }: TextOptions): string {
  if (!CONTROL.test(text)) return text;
  return text.replace(/\r+\n?/gu, '\n').replace(UNSAFE, (found) => {
    if (found.length === 1) return visible(found);
    return colour && COLOUR.test(found) ? found.replace('\u009B', '\u001B[') : '';
  });
}

/** As `less` shows it: `^G`, `<U+202E>`. */
function visible(control: string): string {
  const code = control.codePointAt(0) ?? 0;
  if (code < 0x20) return `^${String.fromCodePoint(code + 0x40)}`;
  return code === 0x7f ? '^?' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

const RESET = '\u001B[0m';

export interface TextStream {
  /** The text of these bytes, up to a sequence whose end is missing. */
  readonly write: (bytes: Uint8Array) => string;
  /** The rest; resets colours. */
  readonly end: () => string;
}

export function textStream(options: TextOptions): TextStream {
  let decoder = new TextDecoder();
  let held = '';
  let isColoured = false;
  const made = (text: string): string => {
    const safe = terminalText(text, options);
    isColoured ||= safe.includes('\u001B');
    return safe;
  };
  return {
    write: (bytes) => {
      const text = held + decoder.decode(bytes, { stream: true });
      const at = UNFINISHED.exec(text)?.index ?? text.length;
      held = text.length - at > HELD_MAX ? '' : text.slice(at);
      return made(text.slice(0, text.length - held.length));
    },
    end: () => {
      const rest = made(held + decoder.decode());
      const reset = isColoured ? RESET : '';
      [decoder, held, isColoured] = [new TextDecoder(), '', false];
      return rest + reset;
    },
  };
}
