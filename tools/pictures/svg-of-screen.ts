// A screen of a terminal as a picture: text with its colours, each run of one style at its column.
const CELL_WIDTH = 8.4;
const CELL_HEIGHT = 19;
const PADDING = 16;
const FONT = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const GROUND = '#16181d';
const INK = '#d7dae0';
const COLOURS: Readonly<Record<number, string>> = { 31: '#f47067', 32: '#7ec699', 33: '#e5c07b', 94: '#6cb6ff' };

interface Style {
  readonly colour: string;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isInverse: boolean;
}

const PLAIN: Style = { colour: INK, isBold: false, isDim: false, isInverse: false };

interface Span {
  readonly column: number;
  readonly text: string;
  readonly style: Style;
}

/** `lines` contain colour sequences, as for a terminal. */
export function svgOfScreen(lines: readonly string[], columns: number): string {
  const width = Math.round(columns * CELL_WIDTH + 2 * PADDING);
  const height = lines.length * CELL_HEIGHT + 2 * PADDING;
  const rows = rowsOf(lines);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    '<title>heddle run at a terminal: the tasks of a run, the output of one of them, pools, money and keys</title>',
    `<rect width="${width}" height="${height}" rx="8" fill="${GROUND}"/>`,
    `<g font-family="${FONT}" font-size="14" fill="${INK}">`,
    ...rows.flatMap((spans, row) => spans.map((span) => drawn(span, row))),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function rowsOf(lines: readonly string[]): readonly (readonly Span[])[] {
  let style = PLAIN;
  return lines.map((line) => {
    const spans: Span[] = [];
    let column = 0;
    for (const [whole, codes, text = ''] of line.matchAll(/\u001B\[([\d;]*)m|([^\u001B]+)/gu)) {
      if (codes !== undefined) for (const code of codes.split(';')) style = styled(style, Number(code));
      else if (text.trim() !== '' || style.isInverse) spans.push({ column, text, style });
      column += codes === undefined ? whole.length : 0;
    }
    return spans;
  });
}

function styled(style: Style, code: number): Style {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 7) return { ...style, isInverse: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 27) return { ...style, isInverse: false };
  if (code === 39) return { ...style, colour: INK };
  return { ...style, colour: COLOURS[code] ?? style.colour };
}

function drawn({ column, text, style }: Span, row: number): string {
  const x = round(PADDING + column * CELL_WIDTH);
  const y = PADDING + row * CELL_HEIGHT;
  const width = round(text.length * CELL_WIDTH);
  const back = style.isInverse
    ? `<rect x="${x}" y="${y}" width="${width}" height="${CELL_HEIGHT}" fill="${style.colour}"/>`
    : '';
  const fill = style.isInverse ? ` fill="${GROUND}"` : style.colour === INK ? '' : ` fill="${style.colour}"`;
  const weight = style.isBold ? ' font-weight="bold"' : '';
  const opacity = style.isDim ? ' opacity="0.6"' : '';
  // The length keeps columns aligned in every font.
  const length = ` textLength="${width}" lengthAdjust="spacingAndGlyphs"`;
  return `${back}<text x="${x}" y="${y + 14}"${fill}${weight}${opacity}${length}>${escaped(text)}</text>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Non-breaking spaces: browsers collapse ordinary ones, and stretch the rest. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '&#160;');
