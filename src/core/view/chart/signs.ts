// The characters and colours of a terminal chart. Each kind of bar has a sign of its own, so colour only helps.

import type { BarKind } from './chart.ts';

export interface Signs {
  readonly isAscii: boolean;
  readonly bars: Readonly<Record<BarKind, string>>;
  readonly critical: string;
  readonly mark: string;
  readonly edge: string;
  readonly axis: string;
  readonly tick: string;
  readonly cornerStart: string;
  readonly cornerEnd: string;
  readonly ellipsis: string;
}

export const UNICODE_SIGNS: Signs = {
  isAscii: false,
  bars: { work: '█', check: '▓', merge: '▒', failed: '╳', cancelled: '░', waiting: '·' },
  critical: '▸',
  mark: '┆',
  edge: '│',
  axis: '─',
  tick: '┴',
  cornerStart: '└',
  cornerEnd: '┘',
  ellipsis: '…',
};

export const ASCII_SIGNS: Signs = {
  isAscii: true,
  bars: { work: '#', check: '=', merge: '+', failed: 'x', cancelled: '-', waiting: '.' },
  critical: '>',
  mark: ':',
  edge: '|',
  axis: '-',
  tick: '+',
  cornerStart: '+',
  cornerEnd: '+',
  ellipsis: '...',
};

/** One eighth of a cell to all of it, from the left. */
export const EIGHTHS = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'] as const;

export const RESET = '\u001B[0m';

export const COLOURS: { readonly bars: Readonly<Record<BarKind, string>>; readonly critical: string } = {
  bars: {
    work: '\u001B[34m',
    check: '\u001B[36m',
    merge: '\u001B[32m',
    failed: '\u001B[31m',
    cancelled: '\u001B[90m',
    waiting: '\u001B[90m',
  },
  critical: '\u001B[1m',
};

/** Every colour above, and the end of one. */
export const COLOUR_CODE = new RegExp(`${RESET.slice(0, 1)}\\[\\d+m`, 'gu');
