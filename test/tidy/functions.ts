// Finds the functions of a source file: their parameters and their lines. Function types and signatures count too,
// because a call with six arguments is as hard to read when only its type is written here.
import type { Node } from 'oxc-parser';
import type { Source } from './source.ts';

export interface FoundFunction {
  readonly line: number;
  readonly lines: number;
  readonly parameters: number;
  /** The function is an argument of a call to this name, as in `describe('…', () => {…})`. */
  readonly argumentOf: string | undefined;
}

/** Functions and their signatures have parameters; so have lists of type parameters, which are no functions. */
const parametersOf = (node: Node): number | undefined =>
  'params' in node && !node.type.startsWith('TSTypeParameter') ? node.params.length : undefined;

/** The name of what is called: `describe`, and `each` for `test.each(…)(…)`. */
function nameOf(callee: Node): string | undefined {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') return callee.property.name;
  return callee.type === 'CallExpression' ? nameOf(callee.callee) : undefined;
}

export function functionsOf(source: Source): readonly FoundFunction[] {
  return source.nodes.flatMap(({ node, line, above }) => {
    const parameters = parametersOf(node);
    if (parameters === undefined) return [];
    const [parent] = above;
    const isArgument = parent?.type === 'CallExpression' && parent.callee !== node;
    return [
      {
        line,
        lines: source.lineAt(node.end - 1) - line + 1,
        parameters,
        argumentOf: isArgument ? nameOf(parent.callee) : undefined,
      },
    ];
  });
}
