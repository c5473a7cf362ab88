// As much of a terminal as it takes to know what a person would see: cells, a cursor, two screens, and how it was left.

export interface VtScreen {
  readonly write: (text: string) => void;
  /** What is on the screen, without the spaces at the end of each line. */
  readonly lines: () => readonly string[];
  readonly isAlternate: () => boolean;
  readonly isCursorShown: () => boolean;
  /** Whatever came that this terminal does not know, which nobody should send it. */
  readonly strange: () => readonly string[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Page {
  cells: string[][];
  row: number;
  column: number;
}

// A control sequence with its numbers and its last letter, one of another kind, or one character.
const PIECE = /\u001B\[([?>=]?)([\d;]*)([A-Za-z])|\u001B\][^\u0007]*\u0007|\u001B[()=>78].?|[\s\S]/gu;
const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFF00-\uFF60\u{1F300}-\u{1FAFF}]/u;

export function vtScreen({ width, height }: Size): VtScreen {
  const blank = (): string[] => Array.from({ length: width }, () => ' ');
  const page = (): Page => ({ cells: Array.from({ length: height }, blank), row: 0, column: 0 });
  const main = page();
  let alternate: Page | undefined;
  let isCursorShown = true;
  const strange: string[] = [];
  const at = (): Page => alternate ?? main;
  const feed = (): void => {
    const here = at();
    if (here.row < height - 1) here.row += 1;
    else here.cells = [...here.cells.slice(1), blank()];
  };
  const put = (character: string): void => {
    const here = at();
    const columns = WIDE.test(character) ? 2 : 1;
    if (here.column + columns > width) {
      here.column = 0;
      feed();
    }
    const row = here.cells[here.row];
    if (row !== undefined) {
      row[here.column] = character;
      if (columns === 2) row[here.column + 1] = '';
    }
    here.column += columns;
  };
  const erase = (from: number, to: number): void => {
    const here = at();
    for (let cell = from; cell < to; cell += 1) {
      const row = here.cells[Math.floor(cell / width)];
      if (row !== undefined) row[cell % width] = ' ';
    }
  };
  const setMode = (mode: number, isOn: boolean): void => {
    if (mode === 25) isCursorShown = isOn;
    if (mode === 1049) alternate = isOn ? page() : undefined;
  };
  const control = (letter: string, given: readonly number[]): void => {
    const here = at();
    const [first = 0, second = 0] = given;
    const count = Math.max(1, first);
    const cursor = here.row * width + here.column;
    const lineStart = here.row * width;
    switch (letter) {
      case 'A':
        here.row = Math.max(0, here.row - count);
        return;
      case 'B':
        here.row = Math.min(height - 1, here.row + count);
        return;
      case 'C':
        here.column = Math.min(width - 1, here.column + count);
        return;
      case 'D':
        here.column = Math.max(0, here.column - count);
        return;
      case 'E':
        here.row = Math.min(height - 1, here.row + count);
        here.column = 0;
        return;
      case 'F':
        here.row = Math.max(0, here.row - count);
        here.column = 0;
        return;
      case 'G':
        here.column = count - 1;
        return;
      case 'H':
        here.row = count - 1;
        here.column = Math.max(1, second) - 1;
        return;
      case 'J':
        erase(first === 0 ? cursor : 0, first === 1 ? cursor + 1 : width * height);
        return;
      case 'K':
        erase(first === 0 ? cursor : lineStart, first === 1 ? cursor + 1 : lineStart + width);
        return;
      case 'm':
      case 'u':
        return;
    }
    strange.push(letter);
  };
  const write = (text: string): void => {
    for (const [whole, mark = '', numbers = '', letter] of text.matchAll(PIECE)) {
      const given = numbers.split(';').map(Number);
      if (letter !== undefined && mark === '?') for (const mode of given) setMode(mode, letter === 'h');
      else if (letter !== undefined && mark === '') control(letter, given);
      else if (whole === '\n') feed();
      else if (whole === '\r') at().column = 0;
      else if (whole === '\b') at().column = Math.max(0, at().column - 1);
      else if (/^[\u0020-\u007E\u00A0-\u{10FFFF}]$/u.test(whole)) put(whole);
      else if (!whole.startsWith('\u001B') || whole.startsWith('\u001B]')) strange.push(whole);
    }
  };
  return {
    write,
    lines: () => at().cells.map((row) => row.join('').trimEnd()),
    isAlternate: () => alternate !== undefined,
    isCursorShown: () => isCursorShown,
    strange: () => strange,
  };
}
