// The published surface of an entry, read from its declarations: what it exports, and all types that these lead to.
//
// The compiler has no interface for programs, so the declarations that it writes are parsed and followed by name.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';

export interface Declared {
  readonly name: string;
  /** The file of the declaration, from the folder of all declarations. */
  readonly file: string;
  readonly kind: 'value' | 'type';
  /** Its documentation, without the signs of a comment. */
  readonly about: string;
  /** The declaration without its documentation. */
  readonly text: string;
}

export interface Surface {
  /** In the order of the entry. */
  readonly exported: readonly Declared[];
  /** Not exported, and part of the types of what is; by file and name. */
  readonly reached: readonly Declared[];
}

/** A node of the syntax tree, as far as this file looks at it. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Where a name of a file comes from: another file, or a declaration of its own. */
type Source = { readonly file: string; readonly name: string } | Node;

interface Module {
  readonly file: string;
  readonly text: string;
  readonly body: readonly Node[];
  readonly comments: readonly { readonly start: number; readonly end: number; readonly value: string }[];
  readonly names: ReadonlyMap<string, Source>;
  readonly exports: ReadonlyMap<string, Source>;
}

export function readSurface(folder: string, entry: string): Surface {
  const modules = new Map<string, Module>();
  const moduleAt = (file: string): Module => {
    const known = modules.get(file) ?? readModule(file);
    modules.set(file, known);
    return known;
  };
  const start = moduleAt(join(folder, entry));
  const found = new Map<string, Declared>();
  const reach: { readonly module: Module; readonly node: Node }[] = [];
  const note = (module: Module, source: Source | undefined): Declared | undefined => {
    const place = source === undefined ? undefined : resolve(moduleAt, module, source);
    if (place === undefined) return undefined;
    const declared = declaredBy(place.module, place.node, folder);
    const key = `${declared.file} ${declared.name}`;
    const known = found.get(key);
    if (known !== undefined) return known;
    found.set(key, declared);
    reach.push(place);
    return declared;
  };
  const exported = [...start.exports].flatMap(([name, source]) => {
    const declared = note(start, source);
    return declared === undefined ? [] : [{ ...declared, name }];
  });
  for (const { module, node } of reach) for (const reference of referencesIn(node, module)) note(module, reference);
  const keys = new Set(exported.map(({ file, text }) => `${file} ${text}`));
  const reached = [...found.values()].filter(({ file, text }) => !keys.has(`${file} ${text}`));
  return {
    exported,
    reached: reached.toSorted((one, other) => compare(`${one.file} ${one.name}`, `${other.file} ${other.name}`)),
  };
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

function readModule(file: string): Module {
  const text = readFileSync(file, 'utf8');
  const { program, comments } = parseSync(file, text);
  // The types of the parser's nodes are far larger than what is read of them, field by field, with `isNode`.
  const body = program.body as unknown as readonly Node[];
  const names = new Map<string, Source>();
  const exports = new Map<string, Source>();
  for (const node of body) {
    const from = isNode(node['source']) ? fileOf(file, String(node['source']['value'])) : undefined;
    for (const specifier of nodesIn(node['specifiers'])) {
      const local = nameOf(specifier['local']);
      if (node.type === 'ImportDeclaration' && from !== undefined)
        names.set(local, { file: from, name: nameOf(specifier['imported']) });
      else if (from !== undefined) exports.set(nameOf(specifier['exported']), { file: from, name: local });
    }
    const declaration = isNode(node['declaration']) ? node['declaration'] : node;
    for (const name of namesOf(declaration)) {
      names.set(name, node);
      if (node !== declaration) exports.set(name, node);
    }
  }
  return { file, text, body, comments, names, exports };
}

const fileOf = (file: string, path: string): string | undefined =>
  path.startsWith('.') ? join(dirname(file), path.replace(/\.ts$/, '.d.ts')) : undefined;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const nodesIn = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

const nameOf = (value: unknown): string => (isNode(value) ? String(value['name'] ?? value['value']) : '');

function namesOf(declaration: Node): readonly string[] {
  const declared = nodesIn(declaration['declarations']).map(({ id }) => nameOf(id));
  return declared.length > 0 ? declared : [nameOf(declaration['id'])].filter((name) => name !== '');
}

/** Follows a name through files that only pass it on. */
function resolve(
  moduleAt: (file: string) => Module,
  module: Module,
  source: Source,
): { readonly module: Module; readonly node: Node } | undefined {
  if ('type' in source) return { module, node: source };
  const other = moduleAt(source.file);
  const next = other.exports.get(source.name);
  return next === undefined ? undefined : resolve(moduleAt, other, next);
}

function declaredBy({ file, text, comments }: Module, node: Node, folder: string): Declared {
  const declaration = isNode(node['declaration']) ? node['declaration'] : node;
  const before = comments.findLast(({ end }) => end <= node.start && text.slice(end, node.start).trim() === '');
  const isType = declaration.type === 'TSInterfaceDeclaration' || declaration.type === 'TSTypeAliasDeclaration';
  return {
    name: namesOf(declaration)[0] ?? '',
    file: relative(folder, file).replace(/\.d\.ts$/, '.ts'),
    kind: isType ? 'type' : 'value',
    about: aboutOf(before?.value ?? ''),
    // Two spaces, like the sources.
    text: text.slice(node.start, node.end).replaceAll(/^ +/gm, (indent) => ' '.repeat(indent.length / 2)),
  };
}

const aboutOf = (comment: string): string =>
  comment.startsWith('*')
    ? comment
        .slice(1)
        .split('\n')
        .map((line) => line.replace(/^\s*\*?/, '').trim())
        .join(' ')
        .trim()
    : '';

/** The names of types and values that a declaration uses. */
function* referencesIn(node: Node, module: Module): Generator<Source> {
  if (node.type === 'Identifier') {
    const source = module.names.get(nameOf(node));
    if (source !== undefined) yield source;
  }
  if (node.type === 'TSImportType') {
    const argument = isNode(node['source']) ? node['source'] : node['argument'];
    const file = fileOf(
      module.file,
      nameOf(isNode(argument) && isNode(argument['literal']) ? argument['literal'] : argument),
    );
    if (file !== undefined) yield { file, name: nameOf(node['qualifier']) };
  }
  for (const [field, value] of Object.entries(node)) {
    // Names of properties and parameters are no names of the file.
    if (field === 'key' && node['computed'] !== true) continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (!isNode(child)) continue;
      const isParameter = field === 'params' && child.type === 'Identifier';
      yield* isParameter && isNode(child['typeAnnotation'])
        ? referencesIn(child['typeAnnotation'], module)
        : referencesIn(child, module);
    }
  }
}
