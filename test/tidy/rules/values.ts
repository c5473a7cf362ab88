// Types and values: no claim without a reason, no hidden case, no file that only passes on, and a core that is pure. The
// linter holds what it has rules for: `any`, `!` after a value, default exports.
import type { Node, SwitchStatement } from 'oxc-parser';
import { exportsOf } from '../read-imports.ts';
import { isTest, type Placed, type Source } from '../source.ts';
import type { Violation } from '../violation.ts';

/** `let a!: B` and `a!: B` in a class. A `!` after a value is the linter's. */
const isClaim = (node: Node): boolean =>
  (node.type === 'VariableDeclarator' || node.type === 'PropertyDefinition') && node.definite === true;

export const checkClaims = (source: Source): readonly Violation[] =>
  source.nodes
    .filter(({ node }) => isClaim(node))
    .map(({ line }) => ({
      path: source.path,
      line,
      says: '`!` claims that a value is there without saying why',
      instead: 'Give it its value where it is declared, or say that it may be undefined',
      rule: 'STYLE 21',
    }));

/** A reason is a `//` comment of a few words on the same line or ending on the line before. */
const hasReason = (source: Source, line: number): boolean =>
  source.comments.some(
    (comment) =>
      comment.text.startsWith('//') &&
      (comment.line === line || comment.line === line - 1) &&
      comment.text.split(/\s+/).length >= 4,
  );

const isConst = (node: Node): boolean =>
  node.type === 'TSTypeReference' && node.typeName.type === 'Identifier' && node.typeName.name === 'const';

export const checkAssertions = (source: Source): readonly Violation[] =>
  source.nodes.flatMap(({ node }) => {
    if (node.type !== 'TSAsExpression' && node.type !== 'TSTypeAssertion') return [];
    // A value may take many lines; the word `as` stands where it ends.
    const line = source.lineAt(node.type === 'TSAsExpression' ? node.expression.end : node.start);
    if (isConst(node.typeAnnotation) || hasReason(source, line)) return [];
    return [
      {
        path: source.path,
        line,
        says: '`as` tells the compiler what nobody checked',
        instead: 'Parse or narrow the value; at a door where that is done, say so in a `//` comment on the line before',
        rule: 'STYLE 21',
      },
    ];
  });

/** `switch (type)` and `switch (….type)`. */
function isOverType({ discriminant }: SwitchStatement): boolean {
  const name = discriminant.type === 'MemberExpression' ? discriminant.property : discriminant;
  return name.type === 'Identifier' && name.name === 'type';
}

/** Without a `default` the compiler finds every switch that a variant was added to. */
export const checkSwitches = (source: Source): readonly Violation[] =>
  source.nodes.flatMap(({ node }) => {
    if (node.type !== 'SwitchStatement' || !isOverType(node)) return [];
    return node.cases
      .filter(({ test }) => test === null)
      .map(({ start }) => ({
        path: source.path,
        line: source.lineAt(start),
        says: 'this `default` hides the variants that nobody thought of',
        instead: 'Name every variant, so that the compiler finds this switch when one is added',
        rule: 'STYLE 18',
      }));
  });

/** The surfaces that the package publishes, which pass on what others export because that is what they are for. */
export const PUBLISHED: ReadonlySet<string> = new Set(['src/core.ts', 'src/library.ts']);

export function checkExports(source: Source): readonly Violation[] {
  const exports = exportsOf(source);
  if (PUBLISHED.has(source.path) || exports.length === 0 || !exports.every(({ isPassedOn }) => isPassedOn)) return [];
  return [
    {
      path: source.path,
      line: 1,
      says: 'this file only passes on what others export, so a reader has one more stop on the way',
      instead: 'Import from the file that declares it, and delete this one',
      rule: 'STYLE 12',
    },
  ];
}

const WORLD = new Set(
  'console process performance setTimeout setInterval setImmediate queueMicrotask fetch require'.split(' '),
);
const CHANCE_AND_TIME = new Set(['Date.now', 'Math.random', 'crypto.randomUUID', 'crypto.getRandomValues']);

/** What is looked into or called by a name that nobody has declared in between, which core has no reason to do. */
function usedIn(node: Node): Node | undefined {
  if (node.type === 'MemberExpression') return node.object;
  return node.type === 'CallExpression' ? node.callee : undefined;
}

function impureIn({ node }: Placed): string | undefined {
  if (node.type === 'AwaitExpression') return 'await';
  if ('async' in node && node.async) return 'async';
  if (node.type === 'NewExpression' && node.callee.type === 'Identifier')
    return node.callee.name === 'Date' && node.arguments.length === 0 ? 'new Date()' : undefined;
  const used = usedIn(node);
  if (used?.type !== 'Identifier') return undefined;
  if (WORLD.has(used.name)) return used.name;
  const property = node.type === 'MemberExpression' && node.property.type === 'Identifier' ? node.property.name : '';
  return CHANCE_AND_TIME.has(`${used.name}.${property}`) ? `${used.name}.${property}` : undefined;
}

const isCore = (source: Source): boolean => source.path.startsWith('src/core/') && !isTest(source.path);

/** Core is values in, values out. Its tsconfig takes most of the world away; this takes the rest. */
export function checkPurity(source: Source): readonly Violation[] {
  if (!isCore(source)) return [];
  return source.nodes.flatMap((placed) => {
    const found = impureIn(placed);
    if (found === undefined) return [];
    return [
      {
        path: source.path,
        line: placed.line,
        says: `${found} reaches out of core, so the same log would not always give the same state`,
        instead: 'Take the time, the seed or the value as an argument, and let the shell fetch it',
        rule: 'STYLE 1',
      },
    ];
  });
}

export function checkClasses(source: Source): readonly Violation[] {
  if (!isCore(source)) return [];
  return source.nodes
    .filter(({ node }) => node.type === 'ClassDeclaration' || node.type === 'ClassExpression')
    .map(({ line }) => ({
      path: source.path,
      line,
      says: 'a class in core hides data behind methods, and core is plain data',
      instead: 'Write an interface for the data and functions over it',
      rule: 'STYLE 22',
    }));
}
