const SAID_MAX = 200;

/** The last non-empty line of a text, cut to a length that fits a report. */
export function lastLine(said: string | undefined): string | undefined {
  const line = said?.trimEnd().split('\n').at(-1)?.trim();
  if (line === undefined || line === '') return undefined;
  return line.length > SAID_MAX ? `${line.slice(0, SAID_MAX)}…` : line;
}
