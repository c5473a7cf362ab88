// Finds the plan in the answer of an agent: prose around it, fences, or none.
//
// extract-plan/E1. Any text is read; nothing is thrown.
// extract-plan/E2. The text of the plan is a contiguous part of the answer, without the indentation of its fence, so that the
//     lines of findings are those that the agent wrote.

export type Extracted =
  | {
      readonly type: 'plan';
      /** The YAML, without fences. */
      readonly text: string;
      readonly reasons: readonly string[];
      readonly assumptions: readonly string[];
    }
  /** Prose alone, or YAML that is something else. */
  | { readonly type: 'none' }
  /** The answer ends in the middle of the plan. */
  | { readonly type: 'half'; readonly lines: number };

export function extractPlan(answer: string): Extracted {
  const lines = answer.split(/\r\n|\r|\n/u);
  const { blocks, open } = fencesIn(lines);
  const fenced = blocks.filter((block) => isPlan(block.lines));
  const block = fenced.findLast(({ lines: inside }) => inside.some(isVersion)) ?? fenced.at(-1);
  const prose = lines.filter((_, at) => !blocks.some(({ from, to }) => at >= from && at < to));
  if (block !== undefined) {
    const around = [...lines.slice(0, block.from), ...lines.slice(block.to)];
    return planOf(block.lines, { around, prose });
  }
  if (open !== undefined && isPlan(open.lines)) return { type: 'half', lines: open.lines.length };
  const from = lines.findIndex((line) => isVersion(line) || /^tasks:\s*$/u.test(line));
  if (from < 0) return { type: 'none' };
  const length = lines.slice(from).findIndex((line) => !isYaml(line));
  const to = length < 0 ? lines.length : from + length;
  const around = [...lines.slice(0, from), ...lines.slice(to)];
  return planOf(lines.slice(from, to), { around, prose: around });
}

interface Around {
  /** What is no plan, and what of it is in no fence either. */
  readonly around: readonly string[];
  readonly prose: readonly string[];
}

function planOf(plan: readonly string[], { around, prose }: Around): Extracted {
  const text = `${plan.join('\n').trimEnd()}\n`;
  const reasons = marked(around, REASON);
  return {
    type: 'plan',
    text,
    reasons: reasons.length > 0 ? reasons : unmarked(prose),
    assumptions: marked(around, ASSUMPTION),
  };
}

interface Block {
  readonly lines: readonly string[];
  /** The lines of its fences, the second exclusive. */
  readonly from: number;
  readonly to: number;
}

interface Fences {
  readonly blocks: readonly Block[];
  /** The block that no fence closes. */
  readonly open: Block | undefined;
}

const FENCE = /^( {0,3})(`{3,}|~{3,})\s*([\w+-]*)[^`]*$/u;

/** A fence that is indented further, as in a prompt of the plan, belongs to the text. */
function fencesIn(lines: readonly string[]): Fences {
  const blocks: Block[] = [];
  let begun: { readonly from: number; readonly mark: string; readonly indent: string } | undefined;
  const inside = ({ from, indent }: NonNullable<typeof begun>, to: number): readonly string[] =>
    lines.slice(from + 1, to).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()));
  for (const [index, line] of lines.entries()) {
    const [, indent = '', mark = '', info = ''] = FENCE.exec(line) ?? [];
    if (mark === '') continue;
    if (begun === undefined) begun = { from: index, mark, indent };
    else if (info === '' && mark.startsWith(begun.mark)) {
      blocks.push({ lines: inside(begun, index), from: begun.from, to: index + 1 });
      begun = undefined;
    }
  }
  const open = begun && { lines: inside(begun, lines.length), from: begun.from, to: lines.length };
  return { blocks, open };
}

const isVersion = (line: string): boolean => /^heddle\s*:/u.test(line);

const isPlan = (lines: readonly string[]): boolean => lines.some((line) => isVersion(line) || /^tasks\s*:/u.test(line));

/** Of a plan without a fence: keys of the first level, what is indented under them, comments and empty lines. */
const isYaml = (line: string): boolean => /^(?:\s|#|---|[\w.-]+\s*:(?:\s|$)|$)/u.test(line);

const REASON = /^\s*(?:[-*]\s+)?\**(?:why|reason)\**\s*:\**\s*(.+)$/iu;
const ASSUMPTION = /^\s*(?:[-*]\s+)?\**(?:assumptions?|assumes)\**\s*:\**\s*(.+)$/iu;

const LINES_KEPT_MAX = 20;
const LINE_LENGTH_MAX = 400;

const marked = (prose: readonly string[], mark: RegExp): readonly string[] =>
  prose.flatMap((line) => mark.exec(line)?.[1]?.trim().slice(0, LINE_LENGTH_MAX) ?? []).slice(0, LINES_KEPT_MAX);

const UNMARKED_MAX = 4;

/** Prose of an agent that marked no reasons: its first lines. */
const unmarked = (prose: readonly string[]): readonly string[] =>
  prose
    .map((line) => line.trim())
    .filter((line) => line !== '' && !ASSUMPTION.test(line) && !FENCE.test(line))
    .map((line) => line.slice(0, LINE_LENGTH_MAX))
    .slice(0, UNMARKED_MAX);
