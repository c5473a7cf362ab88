// Changes some entries of git's index without starting git, which would read, check and write all of it.
//
// X1. What comes out is what `git update-index --index-info` comes to: the same entries, and trees remembered only where
//     nothing below them changed. A changed entry has no times, so git looks into the file before it trusts it.
// X2. An index in a form that is not known here is left to git.
import { createHash } from 'node:crypto';

export interface IndexChange {
  readonly path: string;
  /** Six octal digits, as git prints them. */
  readonly mode: string;
  /** Undefined when the entry goes. */
  readonly id: string | undefined;
}

const SIGNATURE = 'DIRC';
const VERSION = 2;
const HEADER_LENGTH = 12;
/** Of times and the like, before the id. */
const STAT_LENGTH = 40;
const MODE_OFFSET = 24;
const NAME_LENGTH_MASK = 0xfff;
const REMEMBERED_TREES = 'TREE';

/** Undefined when the index has another form than is known here, or nothing comes that tells how ids look. */
export function patchIndex(index: Buffer, changes: readonly IndexChange[]): Buffer | undefined {
  const hash = hashOf(changes);
  if (hash === undefined || !isKnown(index)) return undefined;
  const entries = entriesIn(index, hash.length);
  if (entries === undefined) return undefined;
  const trees = rememberedTrees(index, { from: entries.end, hash, changes });
  if (trees === undefined) return undefined;
  const { parts, count } = splice(index, { entries, changes, idLength: hash.length });
  const head = Buffer.from(index.subarray(0, HEADER_LENGTH));
  head.writeUInt32BE(count, HEADER_LENGTH - 4);
  return summed([head, ...parts, ...trees], hash);
}

/** An index of these entries alone; undefined when nothing comes. */
export function indexOfAlone(changes: readonly IndexChange[]): Buffer | undefined {
  const hash = hashOf(changes);
  if (hash === undefined) return undefined;
  const head = Buffer.alloc(HEADER_LENGTH);
  head.write(SIGNATURE, 'latin1');
  head.writeUInt32BE(VERSION, 4);
  const none = { offsets: new Uint32Array(0), end: HEADER_LENGTH };
  const coming = changes.filter(({ id }) => id !== undefined);
  const { parts, count } = splice(head, { entries: none, changes: coming, idLength: hash.length });
  head.writeUInt32BE(count, HEADER_LENGTH - 4);
  return summed([head, ...parts], hash);
}

function summed(parts: readonly Buffer[], hash: Hash): Buffer {
  const sum = createHash(hash.name);
  for (const part of parts) sum.update(part);
  return Buffer.concat([...parts, sum.digest()]);
}

interface Hash {
  readonly name: 'sha1' | 'sha256';
  readonly length: number;
}

const HASHES: readonly Hash[] = [
  { name: 'sha1', length: 20 },
  { name: 'sha256', length: 32 },
];

/** By how long ids are. What the index says of itself is not checked: it is ours. */
function hashOf(changes: readonly IndexChange[]): Hash | undefined {
  const id = changes.find((change) => change.id !== undefined)?.id;
  return HASHES.find(({ length }) => length * 2 === id?.length);
}

const isKnown = (index: Buffer): boolean =>
  index.toString('latin1', 0, 4) === SIGNATURE && index.readUInt32BE(4) === VERSION;

interface Entries {
  readonly offsets: Uint32Array;
  readonly end: number;
}

const fixedLength = (idLength: number): number => STAT_LENGTH + idLength + 2;
/** Names end with one to eight zeros, so that entries begin at multiples of eight. */
const entryLength = (fixed: number, nameLength: number): number => (fixed + nameLength + 8) & ~7;

/** Undefined when there are entries of unfinished merges, or with more flags than this form has. */
function entriesIn(index: Buffer, idLength: number): Entries | undefined {
  const fixed = fixedLength(idLength);
  const count = index.readUInt32BE(HEADER_LENGTH - 4);
  const offsets = new Uint32Array(count);
  let at = HEADER_LENGTH;
  for (let entry = 0; entry < count; entry += 1) {
    offsets[entry] = at;
    const flags = index.readUInt16BE(at + fixed - 2);
    if ((flags & ~NAME_LENGTH_MASK) !== 0) return undefined;
    const said = flags & NAME_LENGTH_MASK;
    const length = said < NAME_LENGTH_MASK ? said : index.indexOf(0, at + fixed) - at - fixed;
    at += entryLength(fixed, length);
  }
  return { offsets, end: at };
}

interface Splicing {
  readonly entries: Entries;
  readonly changes: readonly IndexChange[];
  readonly idLength: number;
}

/** What stays is taken over in long pieces. */
function splice(index: Buffer, order: Splicing): { readonly parts: readonly Buffer[]; readonly count: number } {
  const { entries, idLength } = order;
  const sorted = order.changes
    .map((change) => ({ ...change, name: Buffer.from(change.path) }))
    .sort((one, other) => one.name.compare(other.name));
  const parts: Buffer[] = [];
  let count = entries.offsets.length;
  let from = HEADER_LENGTH;
  for (const change of sorted) {
    const { at, isThere } = placeOf(index, { entries, name: change.name, idLength });
    const start = entries.offsets[at] ?? entries.end;
    parts.push(index.subarray(from, start));
    from = isThere ? (entries.offsets[at + 1] ?? entries.end) : start;
    if (change.id !== undefined) parts.push(entryOf(change.name, change.mode, Buffer.from(change.id, 'hex')));
    count += (change.id === undefined ? 0 : 1) - (isThere ? 1 : 0);
  }
  return { parts: [...parts, index.subarray(from, entries.end)], count };
}

interface Sought {
  readonly entries: Entries;
  readonly name: Buffer;
  readonly idLength: number;
}

/** The entry of a name, or the one before which it would stand. */
function placeOf(
  index: Buffer,
  { entries, name, idLength }: Sought,
): { readonly at: number; readonly isThere: boolean } {
  let [low, high] = [0, entries.offsets.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = (entries.offsets[middle] ?? 0) + fixedLength(idLength);
    const order = index.subarray(start, index.indexOf(0, start)).compare(name);
    if (order === 0) return { at: middle, isThere: true };
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return { at: low, isThere: false };
}

function entryOf(name: Buffer, mode: string, id: Buffer): Buffer {
  const fixed = fixedLength(id.length);
  const entry = Buffer.alloc(entryLength(fixed, name.length));
  entry.writeUInt32BE(Number.parseInt(mode, 8), MODE_OFFSET);
  id.copy(entry, STAT_LENGTH);
  entry.writeUInt16BE(Math.min(name.length, NAME_LENGTH_MASK), fixed - 2);
  name.copy(entry, fixed);
  return entry;
}

interface Remembered {
  readonly from: number;
  readonly hash: Hash;
  readonly changes: readonly IndexChange[];
}

/** The extension that remembers trees; others are left out where git can do without, and undefined where it cannot. */
function rememberedTrees(index: Buffer, { from, hash, changes }: Remembered): readonly Buffer[] | undefined {
  const kept: Buffer[] = [];
  for (let at = from; at < index.length - hash.length;) {
    const name = index.toString('latin1', at, at + 4);
    const length = index.readUInt32BE(at + 4);
    // Those that begin with a small letter must be heeded.
    if (/^[^A-Z]/.test(name)) return undefined;
    if (name === REMEMBERED_TREES) {
      const data = forget(index.subarray(at + 8, at + 8 + length), hash.length, foldersOf(changes));
      const head = Buffer.from(`${REMEMBERED_TREES}0000`);
      head.writeUInt32BE(data.length, 4);
      kept.push(head, data);
    }
    at += 8 + length;
  }
  return kept;
}

function foldersOf(changes: readonly IndexChange[]): ReadonlySet<string> {
  const folders = new Set(['']);
  for (const { path } of changes) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      folders.add(path.slice(0, end));
  }
  return folders;
}

/**
 * Trees come one after the other, each before those in it: its name, how many entries and trees it has, its id. Where
 * nothing changed below a tree, it is passed over with all that is in it.
 */
function forget(data: Buffer, idLength: number, folders: ReadonlySet<string>): Buffer {
  const parts: Buffer[] = [];
  let kept = 0;
  let at = 0;
  const walk = (above: string): void => {
    const { nameEnd, entries, trees, end } = headOf(data, at, idLength);
    const name = data.toString('utf8', at, nameEnd);
    const path = above === '' ? name : `${above}/${name}`;
    if (!folders.has(path)) {
      at = passOver(data, at, idLength);
      return;
    }
    if (entries >= 0) {
      parts.push(data.subarray(kept, nameEnd + 1), Buffer.from(`-1 ${trees}\n`));
      kept = end;
    }
    at = end;
    for (let tree = 0; tree < trees; tree += 1) walk(path);
  };
  if (data.length > 0) walk('');
  return Buffer.concat([...parts, data.subarray(kept)]);
}

interface Head {
  readonly nameEnd: number;
  /** Below zero when the tree is not known. */
  readonly entries: number;
  readonly trees: number;
  readonly end: number;
}

const DIGIT_ZERO = 0x30;
const LINE_END = 0x0a;
const BLANK = 0x20;
const MINUS = 0x2d;

/** Digit by digit, because there may be as many as there are folders. */
function headOf(data: Buffer, start: number, idLength: number): Head {
  const nameEnd = data.indexOf(0, start);
  const isUnknown = data[nameEnd + 1] === MINUS;
  let at = nameEnd + 1;
  while (data[at] !== BLANK) at += 1;
  let trees = 0;
  for (at += 1; data[at] !== LINE_END; at += 1) trees = trees * 10 + (data[at] ?? DIGIT_ZERO) - DIGIT_ZERO;
  return { nameEnd, entries: isUnknown ? -1 : 0, trees, end: at + 1 + (isUnknown ? 0 : idLength) };
}

function passOver(data: Buffer, start: number, idLength: number): number {
  let at = start;
  for (let left = 1; left > 0; left -= 1) {
    const { trees, end } = headOf(data, at, idLength);
    left += trees;
    at = end;
  }
  return at;
}
