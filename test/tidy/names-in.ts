// The names that a declaration binds.
import type { BindingPattern, Node } from 'oxc-parser';

function namesInPattern(pattern: BindingPattern): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'AssignmentPattern':
      return namesInPattern(pattern.left);
    case 'ArrayPattern':
      return pattern.elements.flatMap((each) => {
        if (each === null) return [];
        return namesInPattern(each.type === 'RestElement' ? each.argument : each);
      });
    case 'ObjectPattern':
      return pattern.properties.flatMap((each) =>
        namesInPattern(each.type === 'RestElement' ? each.argument : each.value),
      );
  }
}

const NAMED = new Set<Node['type']>([
  'FunctionDeclaration',
  'FunctionExpression',
  'ClassDeclaration',
  'ClassExpression',
  'TSDeclareFunction',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSEnumDeclaration',
]);

/** Of variables, functions, classes and types; none for any other node. */
export function namesIn(node: Node): readonly string[] {
  if (node.type === 'VariableDeclaration') return node.declarations.flatMap(({ id }) => namesInPattern(id));
  if (!NAMED.has(node.type) || !('id' in node)) return [];
  return node.id?.type === 'Identifier' ? [node.id.name] : [];
}
