// A source file as the rules see it: its path, its text, its comments, and every node of its syntax with the node above it.
import { parseSync, visitorKeys, type Node } from 'oxc-parser';

export interface Comment {
  /** With its slashes. */
  readonly text: string;
  readonly line: number;
}

export interface Placed {
  readonly node: Node;
  readonly line: number;
  /** From the node right above to the root. */
  readonly above: readonly Node[];
}

export interface Source {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly comments: readonly Comment[];
  /** Outer before inner, first before last. */
  readonly nodes: readonly Placed[];
  readonly lineAt: (offset: number) => number;
}

/** Lines by offset, found by halving. */
function linesOf(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** The nodes right below a node, in the order of the text. */
function below(node: Node): readonly Node[] {
  const fields = new Map<string, unknown>(Object.entries(node));
  return (visitorKeys[node.type] ?? []).flatMap((key) => [fields.get(key)].flat().filter(isNode));
}

const languageOf = (path: string): 'js' | 'ts' | 'tsx' => {
  if (path.endsWith('.js')) return 'js';
  return path.endsWith('.tsx') ? 'tsx' : 'ts';
};

/** Throws for text that is no TypeScript, which would otherwise break no rule. */
export function readSource(path: string, text: string): Source {
  const { program, comments, errors } = parseSync(path, text, { lang: languageOf(path) });
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message ?? ''}`);
  const lineAt = linesOf(text);
  const nodes: Placed[] = [];
  const visit = (node: Node, above: readonly Node[]): void => {
    nodes.push({ node, line: lineAt(node.start), above });
    const within = [node, ...above];
    for (const each of below(node)) visit(each, within);
  };
  visit(program, []);
  return {
    path,
    text,
    comments: comments.map(({ start, end }) => ({ text: text.slice(start, end), line: lineAt(start) })),
    nodes,
    lineAt,
  };
}

export const isTest = (path: string): boolean => path.endsWith('.test.ts') || path.endsWith('.given.ts');
