// Finds what a source file imports and exports.
import { posix } from 'node:path';
import type { ModuleExportName, Node } from 'oxc-parser';
import { namesIn } from './names-in.ts';
import type { Source } from './source.ts';

export interface Import {
  /** As written: `./net.ts`, `vitest`, `node:fs`. */
  readonly from: string;
  /** For a relative import, the path from the root. */
  readonly path: string | undefined;
  readonly line: number;
  /** `a as b` among its names. */
  readonly renames: readonly string[];
}

export interface Export {
  /** `default` for a default export, `*` for a star. */
  readonly name: string;
  readonly line: number;
  readonly isType: boolean;
  /** The statement takes it from another file. */
  readonly isPassedOn: boolean;
  /** Not so for one in a list of names, which may be another file's. */
  readonly isDeclared: boolean;
}

const nameOf = (name: ModuleExportName): string => (name.type === 'Literal' ? name.value : name.name);

/** Where a static, bare or dynamic import, an import of a type, or an export that passes on takes from. */
function specifierOf(node: Node): string | undefined {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return node.source.value;
  if (node.type === 'ExportNamedDeclaration') return node.source?.value;
  if (node.type === 'TSImportType') return node.source.value;
  if (node.type !== 'ImportExpression' || node.source.type !== 'Literal') return undefined;
  return typeof node.source.value === 'string' ? node.source.value : undefined;
}

const renamesOf = (node: Node): readonly string[] =>
  node.type !== 'ImportDeclaration'
    ? []
    : node.specifiers
        .filter((each) => each.type === 'ImportSpecifier')
        .map((each) => [nameOf(each.imported), each.local.name] as const)
        .filter(([imported, local]) => imported !== local)
        .map(([imported, local]) => `${imported} as ${local}`);

export function importsOf(source: Source): readonly Import[] {
  return source.nodes.flatMap(({ node, line }) => {
    const from = specifierOf(node);
    if (from === undefined) return [];
    const path = from.startsWith('.') ? posix.normalize(posix.join(posix.dirname(source.path), from)) : undefined;
    return [{ from, path, line, renames: renamesOf(node) }];
  });
}

export function exportsOf(source: Source): readonly Export[] {
  return source.nodes.flatMap(({ node, line }): readonly Export[] => {
    if (node.type === 'ExportDefaultDeclaration')
      return [{ name: 'default', line, isType: false, isPassedOn: false, isDeclared: true }];
    if (node.type === 'ExportAllDeclaration')
      return [{ name: '*', line, isType: false, isPassedOn: true, isDeclared: false }];
    if (node.type !== 'ExportNamedDeclaration') return [];
    const isPassedOn = node.source !== null;
    const listed = node.specifiers.map(({ exported, exportKind }) => ({
      name: nameOf(exported),
      line: source.lineAt(exported.start),
      isType: node.exportKind === 'type' || exportKind === 'type',
      isPassedOn,
      isDeclared: false,
    }));
    const { declaration } = node;
    if (declaration === null) return listed;
    const isType = declaration.type === 'TSInterfaceDeclaration' || declaration.type === 'TSTypeAliasDeclaration';
    return namesIn(declaration).map((name) => ({ name, line, isType, isPassedOn, isDeclared: true }));
  });
}
