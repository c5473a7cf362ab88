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

interface Page {
  readonly width: number;
  readonly height: number;
  cells: string[][];
  row: number;
  column: number;
}

// A control sequence with its numbers and its last letter, one of another kind, or one character.
const PIECE = /\u001B\[([?>=]?)([\d;]*)([A-Za-z])|\u001B\][^\u0007]*\u0007|\u001B[()=>78].?|[\s\S]/gu;
const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFF00-\uFF60\u{1F300}-\u{1FAFF}]/u;
const PRINTED = /^[\u0020-\u007E\u00A0-\u{10FFFF}]$/u;

export function vtScreen(size: { readonly width: number; readonly height: number }): VtScreen {
  const main = pageOf(size);
  const strange: string[] = [];
  let alternate: Page | undefined;
  let isCursorShown = true;
  const setMode = (mode: number, isOn: boolean): void => {
    if (mode === 25) isCursorShown = isOn;
    if (mode === 1049) alternate = isOn ? pageOf(size) : undefined;
  };
  const write = (text: string): void => {
    for (const [whole, mark = '', numbers = '', letter] of text.matchAll(PIECE)) {
      const given = numbers.split(';').map(Number);
      const page = alternate ?? main;
      if (letter !== undefined && mark === '?') for (const mode of given) setMode(mode, letter === 'h');
      else if (letter === undefined ? !print(page, whole) : mark === '' && !steer(page, letter, given))
        strange.push(whole);
    }
  };
  return {
    write,
    lines: () => (alternate ?? main).cells.map((row) => row.join('').trimEnd()),
    isAlternate: () => alternate !== undefined,
    isCursorShown: () => isCursorShown,
    strange: () => strange,
  };
}

const blank = (width: number): string[] => Array.from({ length: width }, () => ' ');

function pageOf({ width, height }: { readonly width: number; readonly height: number }): Page {
  return { width, height, cells: Array.from({ length: height }, () => blank(width)), row: 0, column: 0 };
}

function feed(page: Page): void {
  if (page.row < page.height - 1) page.row += 1;
  else page.cells = [...page.cells.slice(1), blank(page.width)];
}

/** Whether it is something that a terminal prints. */
function print(page: Page, character: string): boolean {
  if (character === '\n') feed(page);
  else if (character === '\r') page.column = 0;
  else if (character === '\b') page.column = Math.max(0, page.column - 1);
  else if (PRINTED.test(character)) put(page, character);
  else return character.startsWith('\u001B') && !character.startsWith('\u001B]');
  return true;
}

function put(page: Page, character: string): void {
  const columns = WIDE.test(character) ? 2 : 1;
  if (page.column + columns > page.width) {
    page.column = 0;
    feed(page);
  }
  const row = page.cells[page.row];
  if (row !== undefined) {
    row[page.column] = character;
    if (columns === 2) row[page.column + 1] = '';
  }
  page.column += columns;
}

function erase({ cells, width }: Page, from: number, to: number): void {
  for (let cell = from; cell < to; cell += 1) {
    const row = cells[Math.floor(cell / width)];
    if (row !== undefined) row[cell % width] = ' ';
  }
}

/** Whether it is something that the view may ask of a terminal. */
function steer(page: Page, letter: string, [first = 0, second = 0]: readonly number[]): boolean {
  const { width, height } = page;
  const count = Math.max(1, first);
  const cursor = page.row * width + page.column;
  const start = page.row * width;
  const goTo = (row: number, column: number): void => {
    page.row = Math.max(0, Math.min(height - 1, row));
    page.column = Math.max(0, Math.min(width - 1, column));
  };
  switch (letter) {
    case 'A':
      goTo(page.row - count, page.column);
      return true;
    case 'B':
      goTo(page.row + count, page.column);
      return true;
    case 'C':
      goTo(page.row, page.column + count);
      return true;
    case 'D':
      goTo(page.row, page.column - count);
      return true;
    case 'E':
      goTo(page.row + count, 0);
      return true;
    case 'F':
      goTo(page.row - count, 0);
      return true;
    case 'G':
      goTo(page.row, count - 1);
      return true;
    case 'H':
      goTo(count - 1, Math.max(1, second) - 1);
      return true;
    case 'J':
      erase(page, first === 0 ? cursor : 0, first === 1 ? cursor + 1 : width * height);
      return true;
    case 'K':
      erase(page, first === 0 ? cursor : start, first === 1 ? cursor + 1 : start + width);
      return true;
    case 'm':
      return true;
  }
  return false;
}
