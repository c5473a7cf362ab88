// Finds what a source file imports and exports, by tokens.
import { posix } from 'node:path';
import { isWordAt, lineAt, signAt, unquote } from './source.ts';
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
}

const DECLARES = new Set('const let var function class interface type enum namespace'.split(' '));

const isStatementStart = (source: Source, index: number): boolean =>
  index === 0 || [';', '}'].includes(signAt(source, index - 1)) || lineAt(source, index) > lineAt(source, index - 1);

/** The index of the string after `from`, or of the string of a bare or dynamic import. */
const specifierAfter = (source: Source, index: number): number | undefined => {
  for (let at = index + 1; at < source.code.length; at += 1) {
    if (source.code[at]?.type === 'string') return at;
    if ([';', '=', ')'].includes(signAt(source, at))) return undefined;
    if (signAt(source, at) === '{') at = source.partner.get(at) ?? at;
  }
  return undefined;
};

const renamesBetween = (source: Source, from: number, to: number): readonly string[] => {
  const renames: string[] = [];
  for (let at = from + 1; at < to; at += 1) {
    const isRename = signAt(source, at) === 'as' && isWordAt(source, at - 1) && isWordAt(source, at + 1);
    const isList = isRename && signAt(source, at - 1) !== 'type' && ![',', '{'].includes(signAt(source, at + 1));
    if (isList) renames.push(`${signAt(source, at - 1)} as ${signAt(source, at + 1)}`);
  }
  return renames;
};

const isImport = (source: Source, index: number): boolean => {
  if (signAt(source, index - 1) === '.') return false;
  const next = signAt(source, index + 1);
  if (signAt(source, index) === 'import') return next !== '.' && next !== ':';
  return signAt(source, index) === 'export' && (next === '{' || next === '*' || isTypeList(source, index + 1));
};

const isTypeList = (source: Source, index: number): boolean =>
  signAt(source, index) === 'type' && ['{', '*'].includes(signAt(source, index + 1));

/** Static, bare and dynamic imports, and exports that take from another file. */
export function importsOf(source: Source): readonly Import[] {
  const imports: Import[] = [];
  for (let index = 0; index < source.code.length; index += 1) {
    if (!isImport(source, index)) continue;
    const at = specifierAfter(source, index);
    const text = at === undefined ? undefined : source.code[at]?.text;
    const isFrom = at !== undefined && (signAt(source, index) === 'import' || signAt(source, at - 1) === 'from');
    if (text === undefined || !isFrom) continue;
    const from = unquote(text);
    imports.push({
      from,
      path: from.startsWith('.') ? posix.normalize(posix.join(posix.dirname(source.path), from)) : undefined,
      line: lineAt(source, index),
      renames: signAt(source, index) === 'import' ? renamesBetween(source, index, at) : [],
    });
  }
  return imports;
}

const listedExports = (source: Source, index: number): readonly Export[] => {
  const isType = signAt(source, index + 1) === 'type';
  const open = isType ? index + 2 : index + 1;
  const close = source.partner.get(open) ?? open;
  const isPassedOn = signAt(source, close + 1) === 'from';
  const exports: Export[] = [];
  for (let at = open + 1; at < close; at += 1) {
    const isName = isWordAt(source, at) && [',', '}'].includes(signAt(source, at + 1));
    if (isName) exports.push({ name: signAt(source, at), line: lineAt(source, at), isType, isPassedOn });
  }
  return exports;
};

const declaredExport = (source: Source, index: number): Export | undefined => {
  let at = index + 1;
  while (['async', 'declare', 'abstract'].includes(signAt(source, at))) at += 1;
  if (!DECLARES.has(signAt(source, at))) return undefined;
  const name = signAt(source, at + 1) === '*' ? at + 2 : at + 1;
  const isType = ['interface', 'type'].includes(signAt(source, at));
  return { name: signAt(source, name), line: lineAt(source, name), isType, isPassedOn: false };
};

export function exportsOf(source: Source): readonly Export[] {
  const exports: Export[] = [];
  for (let index = 0; index < source.code.length; index += 1) {
    if (signAt(source, index) !== 'export' || !isStatementStart(source, index)) continue;
    const next = signAt(source, index + 1);
    const line = lineAt(source, index);
    if (next === 'default') exports.push({ name: 'default', line, isType: false, isPassedOn: false });
    else if (next === '*') exports.push({ name: '*', line, isType: false, isPassedOn: true });
    else if (next === '{' || isTypeList(source, index + 1)) exports.push(...listedExports(source, index));
    else {
      const declared = declaredExport(source, index);
      if (declared !== undefined) exports.push(declared);
    }
  }
  return exports;
}
