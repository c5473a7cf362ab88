// Line coverage of the core and the shell: what vitest saw in its own processes, and what the programs that tests of the
// shell started, workers above all, wrote down themselves (NODE_V8_COVERAGE). Programs that are started from end to end or
// beside real agents run as they are built, and are not counted: counting takes most of a start. What is counted does not
// depend on what is installed: bubblewrap, snapshots and the real agent programs have stand-ins in the tests. What speaks to
// PostgreSQL or Restate has none, and is not counted: the contract of engines holds it, where the servers are installed.
// Limit: overlays have no stand-in. Where the kernel refuses them, as in most containers, the shell comes below the least share;
// to judge it there, give the overlays of src/shell/sandbox/tree a stand-in.
//
// Types are stripped by putting spaces in their place, so an offset in a program that Node ran is one in the source.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..');
export const COVERAGE = join(ROOT, 'coverage');
const FINAL = join(COVERAGE, 'coverage-final.json');
export const CHILDREN = join(COVERAGE, 'children');
const PARTS = ['src/core', 'src/shell'] as const;
const LINES_MIN = 0.97;
const NEEDS_SERVERS = /^src\/shell\/engines\/(?:postgres|restate)-/;

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}
interface Script {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}
interface FileCoverage {
  readonly path: string;
  readonly statementMap: Readonly<
    Record<string, { readonly start: { readonly line: number; readonly column: number } }>
  >;
  readonly s: Readonly<Record<string, number>>;
}

export interface Covered {
  readonly part: string;
  readonly lines: number;
  readonly covered: number;
}

// V8 and vitest write these files in their own formats, and no other program writes there.
const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** Offsets that some process ran, by file. */
function childOffsets(urls: ReadonlySet<string>): ReadonlyMap<string, Uint8Array> {
  const ran = new Map<string, Uint8Array>();
  const files = existsSync(CHILDREN) ? readdirSync(CHILDREN) : [];
  for (const file of files) {
    for (const script of scriptsIn(join(CHILDREN, file))) {
      if (!urls.has(script.url)) continue;
      const all = ran.get(script.url) ?? new Uint8Array(readFileSync(new URL(script.url), 'utf8').length + 1);
      ran.set(script.url, all);
      for (const [at, count] of countsOf(script, all.length).entries()) if (count > 0) all[at] = 1;
    }
  }
  return ran;
}

/** A process killed while writing leaves half a file, which is ignored. */
function scriptsIn(file: string): readonly Script[] {
  try {
    // The form is V8's own.
    return (readJson(file) as { result: readonly Script[] }).result;
  } catch {
    return [];
  }
}

/** The innermost range around an offset has its count; outer ranges come first. */
function countsOf({ functions }: Script, length: number): Int32Array {
  const counts = new Int32Array(length);
  const ranges = functions.flatMap((each) => each.ranges);
  const outerFirst = ranges.toSorted(
    (one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset,
  );
  for (const { startOffset, endOffset, count } of outerFirst) counts.fill(count, startOffset, endOffset);
  return counts;
}

function offsetsOfLines(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** By line that holds the beginning of a statement: whether any of them ran anywhere. */
function linesOf(file: FileCoverage, ran: Uint8Array | undefined): ReadonlyMap<number, boolean> {
  const starts = offsetsOfLines(readFileSync(file.path, 'utf8'));
  const lines = new Map<number, boolean>();
  for (const [key, { start }] of Object.entries(file.statementMap)) {
    const offset = (starts[start.line - 1] ?? 0) + start.column;
    const hasRun = (file.s[key] ?? 0) > 0 || ran?.[offset] === 1;
    lines.set(start.line, hasRun || lines.get(start.line) === true);
  }
  return lines;
}

/** The coverage of each part, and the uncovered lines, worst file first. */
export function measureCoverage(): { readonly parts: readonly Covered[]; readonly missed: readonly string[] } {
  // The form is that of istanbul, which vitest writes.
  const files = Object.values(readJson(FINAL) as Readonly<Record<string, FileCoverage>>);
  const ran = childOffsets(new Set(files.map(({ path }) => pathToFileURL(path).href)));
  const counted = files.filter(({ path }) => !NEEDS_SERVERS.test(relative(ROOT, path)));
  const told = counted.map((file) => {
    const lines = [...linesOf(file, ran.get(pathToFileURL(file.path).href))];
    const missing = lines.filter(([, hasRun]) => !hasRun).map(([line]) => line);
    return { path: relative(ROOT, file.path), lines: lines.length, missing };
  });
  const parts = PARTS.map((part): Covered => {
    const inside = told.filter(({ path }) => path.startsWith(`${part}/`));
    const lines = inside.reduce((sum, file) => sum + file.lines, 0);
    return { part, lines, covered: lines - inside.reduce((sum, { missing }) => sum + missing.length, 0) };
  });
  const missed = told
    .filter(({ missing }) => missing.length > 0)
    .toSorted((one, other) => other.missing.length - one.missing.length)
    .map(({ path, missing }) => `${path}: ${missing.join(', ')}`);
  return { parts, missed };
}

const SHOWN_MAX = 25;

/** Prints the coverage; undefined when it is enough, else an error message. */
export function judgeCoverage(): string | undefined {
  if (!existsSync(FINAL)) return 'there is no coverage to judge';
  const { parts, missed } = measureCoverage();
  const shares = parts.map(({ part, lines, covered }) => ({ part, share: lines === 0 ? 1 : covered / lines }));
  for (const { part, share } of shares) console.log(`Lines of ${part.padEnd(9)} ${(100 * share).toFixed(2)} % covered`);
  const low = shares.filter(({ share }) => share < LINES_MIN);
  if (low.length === 0) return undefined;
  console.log(`Lines that no test ran:\n  ${missed.slice(0, SHOWN_MAX).join('\n  ')}`);
  return `less than ${100 * LINES_MIN} % of the lines of ${low.map(({ part }) => part).join(' and ')} are covered`;
}
