// Differences between two trees, path by path.
import { assert } from '../../../core/assert.ts';

export interface ChangedPath {
  readonly path: string;
  readonly change: 'added' | 'deleted' | 'modified' | 'retyped';
  /** Six octal digits as git prints them, `000000` for a missing path. */
  readonly modeFrom: string;
  readonly modeTo: string;
  /** Undefined when the path is missing on that side. */
  readonly blobFrom: string | undefined;
  readonly blobTo: string | undefined;
}

export const GITLINK = '160000';
export const SYMBOLIC_LINK = '120000';

const CHANGES: ReadonlyMap<string, ChangedPath['change']> = new Map([
  ['A', 'added'],
  ['D', 'deleted'],
  ['M', 'modified'],
  ['T', 'retyped'],
]);

/** How each entry begins: both modes, both ids, the kind of change. */
const ENTRY = /^:(?<modeFrom>\d{6}) (?<modeTo>\d{6}) (?<from>[\da-f]+) (?<to>[\da-f]+) (?<kind>[A-Z])\d*$/;

export const isEntry = (part: string): boolean => part.startsWith(':');

/** Parses one entry of `diff-tree --raw -z` without renames: the part before the path, and the path. */
export function readChangedPath(entry: string, path: string): ChangedPath {
  const found = ENTRY.exec(entry)?.groups;
  const change = CHANGES.get(found?.['kind'] ?? '');
  assert(found !== undefined && change !== undefined, `diff-tree printed an entry that we know: ${entry}`);
  return {
    path,
    change,
    modeFrom: found['modeFrom'] ?? '',
    modeTo: found['modeTo'] ?? '',
    blobFrom: idOrNothing(found['from']),
    blobTo: idOrNothing(found['to']),
  };
}

const idOrNothing = (id: string | undefined): string | undefined =>
  id === undefined || /^0+$/.test(id) ? undefined : id;
