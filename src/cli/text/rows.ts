// Small pieces of text output that several commands share.

/** Rows of cells as aligned lines; the last cell of a row is not padded. */
export function aligned(rows: readonly (readonly string[])[], indent = '  '): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)));
  return rows.map(
    (row) =>
      indent +
      row
        .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
  );
}

/** A list in one line, cut to a width with a count of the omitted items. */
export function listedWithin(items: readonly string[], width: number): string {
  let line = '';
  for (const [at, item] of items.entries()) {
    const more = items.length - at;
    const next = line === '' ? item : `${line}, ${item}`;
    if (line !== '' && next.length + ` and ${more} more`.length > width) return `${line} and ${more} more`;
    line = next;
  }
  return line;
}
