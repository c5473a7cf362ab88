// The names that an expression reads, from its parsed tree, and whether its work is bounded.
//
// expression-references/X1. Names bound inside the expression (`x` in `list.map(x, …)`, `cel.bind(x, …)`) are not
//   references.
// expression-references/X2. Expensive expressions are refused before evaluation: nested loops, values that grow by
//   repeated binding, patterns with unbounded backtracking.
// expression-references/X3. Accepted patterns repeat no part that contains a repetition or a choice, have no lookaround and
//   no backreferences, and contain few repetitions; so matching takes at most a small power of the text's length.
import type { ASTNode } from '@marcbachmann/cel-js';
import type { Reference, TextProblem } from './text-reference.ts';

const LOOPS_NESTED_MAX = 2;
/** `join` and `cel.bind` make values grow; a handful is normal use, more is an attack. */
const GROWING_MAX = 4;

const LOOPS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

interface ReferenceWalk {
  readonly references: Reference[];
  readonly problems: TextProblem[];
  readonly isBuiltIn: (name: string) => boolean;
  growing: number;
}

interface Inside {
  readonly bound: ReadonlySet<string>;
  readonly loops: number;
  readonly guarded: boolean;
}

export function walkExpression(
  tree: ASTNode,
  isBuiltIn: (name: string) => boolean,
): { readonly references: readonly Reference[]; readonly problems: readonly TextProblem[] } {
  const walk: ReferenceWalk = { references: [], problems: [], isBuiltIn, growing: 0 };
  visit(walk, tree, { bound: new Set(), loops: 0, guarded: false });
  if (walk.growing > GROWING_MAX) {
    walk.problems.push({
      message: `\`join\` and \`cel.bind\` may stand at most ${GROWING_MAX} times together`,
      offset: 0,
    });
  }
  return { references: walk.references, problems: walk.problems };
}

function visit(walk: ReferenceWalk, node: ASTNode, inside: Inside): void {
  switch (node.op) {
    case 'value':
      return;
    case 'id':
    case '.':
    case '.?':
    case '[]':
    case '[?]':
      return visitAccess(walk, node, inside);
    case 'call':
      return visitCall(walk, node.args, inside);
    case 'rcall':
      return visitMethod(walk, node, inside);
    case 'list':
      for (const item of node.args) visit(walk, item, inside);
      return;
    case 'map':
      for (const [key, value] of node.args) {
        visit(walk, key, inside);
        visit(walk, value, inside);
      }
      return;
    case '!_':
    case '-_':
      return visit(walk, node.args, inside);
    case '?:':
    case '||':
    case '&&':
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
    case 'in':
      for (const operand of node.args) visit(walk, operand, inside);
  }
}

/** A chain of fields and indices down to a name, or to a computed value, which is then visited itself. */
function visitAccess(walk: ReferenceWalk, node: ASTNode, inside: Inside): void {
  const path: (string | number)[] = [];
  let guarded = inside.guarded;
  let at = node;
  while (at.op === '.' || at.op === '.?' || at.op === '[]' || at.op === '[?]') {
    if (at.op === '.?' || at.op === '[?]') guarded = true;
    if (at.op === '.' || at.op === '.?') path.unshift(at.args[1]);
    else {
      const place = constantPlace(at.args[1]);
      if (place === undefined) {
        visit(walk, at.args[1], inside);
        return visitOpen(walk, at.args[0], { ...inside, guarded });
      }
      path.unshift(place);
    }
    at = at.args[0];
  }
  if (at.op === 'id') pushReference(walk, { root: at.args, path, offset: at.start, open: false, guarded }, inside);
  else visit(walk, at, inside);
}

/** The prefix before a computed index: `tasks[x]` reads `tasks`, and the rest is known only during the run. */
function visitOpen(walk: ReferenceWalk, node: ASTNode, inside: Inside): void {
  const from = walk.references.length;
  visit(walk, node, inside);
  const last = walk.references.length - 1;
  const reference = walk.references[last];
  const isOwn = node.op === 'id' || node.op === '.' || node.op === '[]';
  if (reference !== undefined && last >= from && isOwn) walk.references[last] = { ...reference, open: true };
}

function constantPlace(node: ASTNode): string | number | undefined {
  if (node.op !== 'value') return undefined;
  if (typeof node.args === 'string') return node.args;
  return typeof node.args === 'bigint' ? Number(node.args) : undefined;
}

function pushReference(walk: ReferenceWalk, reference: Reference, inside: Inside): void {
  if (inside.bound.has(reference.root) || walk.isBuiltIn(reference.root)) return;
  walk.references.push(reference);
}

function visitCall(walk: ReferenceWalk, [name, operands]: readonly [string, readonly ASTNode[]], inside: Inside): void {
  const within = name === 'has' ? { ...inside, guarded: true } : inside;
  for (const operand of operands) visit(walk, operand, within);
}

function visitMethod(walk: ReferenceWalk, node: Extract<ASTNode, { op: 'rcall' }>, inside: Inside): void {
  const [name, receiver, operands] = node.args;
  visit(walk, receiver, inside);
  const [first, ...rest] = operands;
  const isBind = name === 'bind' && receiver.op === 'id' && receiver.args === 'cel';
  if (isBind || name === 'join') walk.growing += 1;
  if (name === 'matches') checkPattern(walk, node);
  if (first?.op !== 'id' || !(isBind || (LOOPS.has(name) && rest.length > 0))) {
    for (const operand of operands) visit(walk, operand, inside);
    return;
  }
  const loops = inside.loops + (isBind ? 0 : 1);
  if (loops > LOOPS_NESTED_MAX) {
    walk.problems.push({
      message: `at most ${LOOPS_NESTED_MAX} loops may stand within each other`,
      offset: node.start,
    });
  }
  const within: Inside = { ...inside, bound: new Set([...inside.bound, first.args]), loops };
  for (const operand of rest) visit(walk, operand, within);
}

function checkPattern(walk: ReferenceWalk, node: Extract<ASTNode, { op: 'rcall' }>): void {
  const pattern = node.args[2][0];
  const text = pattern?.op === 'value' && typeof pattern.args === 'string' ? pattern.args : undefined;
  const offset = pattern?.start ?? node.start;
  if (text === undefined)
    walk.problems.push({ message: 'the pattern of `matches` must be written out as a string', offset });
  else if (!isPatternBounded(text)) {
    const message = `the pattern ${JSON.stringify(text)} is not valid or could take without end; repeat no group that repeats inside`;
    walk.problems.push({ message, offset });
  }
}

const PATTERN_LENGTH_MAX = 500;
const REPEATS_MAX = 6;

interface PatternGroup {
  /** Contains a repetition or a choice, so it may not itself be repeated. */
  branching: boolean;
}

export function isPatternBounded(pattern: string): boolean {
  if (pattern.length > PATTERN_LENGTH_MAX || !isPattern(pattern)) return false;
  if (/\(\?(?:[=!<])/.test(pattern) || /\\(?:[1-9]|k)/.test(pattern)) return false;
  const groups: PatternGroup[] = [{ branching: false }];
  let repeats = 0;
  let closed: PatternGroup | undefined;
  for (const [piece] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?:)?|\)|[*+]\??|\{\d*,?\d*\}\??|\?|\||./gs)) {
    const inner = groups.at(-1);
    if (inner === undefined) return false;
    if (isUnboundedRepeat(piece)) {
      repeats += 1;
      if (closed?.branching === true || repeats > REPEATS_MAX) return false;
      inner.branching = true;
    }
    if (piece === '|') inner.branching = true;
    closed = undefined;
    if (piece.startsWith('(')) groups.push({ branching: false });
    if (piece === ')') {
      closed = groups.pop();
      if (closed?.branching === true) groups.forEach((group) => (group.branching = true));
    }
  }
  return true;
}

function isUnboundedRepeat(piece: string): boolean {
  return /^[*+]/.test(piece) || /^\{\d+,?\d*\}/.test(piece);
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch (cause) {
    return !(cause instanceof Error);
  }
}
