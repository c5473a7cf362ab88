// The line of each offset in a text.

export type LineOf = (offset: number) => number;

/** A line ends at `\n`, at `\r\n` and at a lone `\r`. */
export function lineFinder(text: string): LineOf {
  const starts = [0];
  const breaks = /\r\n|\n|\r/g;
  for (let found = breaks.exec(text); found !== null; found = breaks.exec(text)) starts.push(breaks.lastIndex);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

export function columnOf(text: string, offset: number): number {
  const before = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1));
  return offset - before;
}
