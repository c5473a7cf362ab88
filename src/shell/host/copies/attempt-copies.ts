// Copies of the attempts that other machines carry out, in the folders that this machine's own attempts would have: so that
// every reader of attempts reads them too.
//
// attempt-copies/U1. A copy is in the folder of its claim, under a name of ours: nothing in a message names a path.
// attempt-copies/U2. What the files of one claim and of one run take is bounded, whatever is sent.
// attempt-copies/U3. A disk that cannot be written to loses output, which the copy says afterwards, and nothing else.
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { claimKey, type ClaimRef } from '../../../core/protocol/assignment.ts';
import { joinPiece, NO_COPY, type OutputCopy } from '../../../core/protocol/output-copy.ts';
import { OUTPUT_FILE_MAX } from '../../exec/output-files.ts';
import { ATTEMPT_FILES, attemptFolder, inFolder } from '../attempt-folder.ts';
import type { ArtifactName, GrowingName } from '../../../core/protocol/artifact-message.ts';
import { copiedFrom, readCopy, writeCopy } from './copied-from.ts';

/** Of all copies of one run together. */
const RUN_COPIES_MAX = 2 * 1024 * 1024 * 1024;
/** Live output of one claim is kept in two files of this size at most; what comes at the end replaces them. */
const LIVE_FILE_MAX = OUTPUT_FILE_MAX;
const STATES_MAX = 2_000;

/** Files of an attempt that are written once. */
export type WholeName = Exclude<ArtifactName, GrowingName>;

export interface CopyOf {
  readonly run: string;
  readonly claim: ClaimRef;
  /** The machine that carries out the claim. */
  readonly host: string;
}

export interface GrowingPiece {
  readonly name: GrowingName;
  /** How many bytes came before. */
  readonly from: number;
  readonly bytes: Uint8Array;
  readonly isEnd: boolean;
}

export type Copied =
  | { readonly type: 'copied' }
  /** The run has as many copies as it may have. */
  | { readonly type: 'full' }
  | { readonly type: 'failed'; readonly message: string };

export interface AttemptCopies {
  readonly join: (of: CopyOf, piece: GrowingPiece) => Copied;
  readonly replace: (of: CopyOf, name: WholeName, bytes: Uint8Array) => Copied;
}

interface State {
  readonly home: string;
  readonly bytesMax: number;
  readonly copies: Map<string, OutputCopy>;
  /** What the copies of a run take. */
  readonly bytes: Map<string, number>;
}

export function openAttemptCopies(home: string, bytesMax = RUN_COPIES_MAX): AttemptCopies {
  const state: State = { home, bytesMax, copies: new Map(), bytes: new Map() };
  return {
    join: (of, piece) => within(state, of, piece.bytes.length, () => joinTo(state, of, piece)),
    replace: (of, name, bytes) => within(state, of, bytes.length, () => replaceIn(state, of, { name, bytes })),
  };
}

/** Writes, when the run has room for it, and counts what it took. */
function within(state: State, { run }: CopyOf, bytes: number, write: () => number): Copied {
  const before = state.bytes.get(run) ?? takenBy(join(state.home, 'runs', run));
  state.bytes.set(run, before);
  if (before + bytes > state.bytesMax) return { type: 'full' };
  try {
    state.bytes.set(run, before + write());
    return { type: 'copied' };
  } catch (cause) {
    return { type: 'failed', message: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** Returns by how much the files have grown. */
function joinTo(state: State, of: CopyOf, { name, from, bytes, isEnd }: GrowingPiece): number {
  const folder = attemptFolder(state.home, of.run, of.claim);
  const file = join(folder, ATTEMPT_FILES[name]);
  const key = keyOf(of, name);
  const line = (missing: number): Buffer => lineAbout(of.host, missing);
  const before = state.copies.get(key) ?? readCopy(folder, name);
  const known = isEnd || before.size + bytes.length <= LIVE_FILE_MAX ? before : turnOver(file, before);
  const joining = joinPiece(known, { from, length: bytes.length, isEnd }, (missing) => line(missing).length);
  // Until the state is written, what follows the size in it counts as not there.
  state.copies.delete(key);
  switch (joining.type) {
    case 'append':
      append(file, known.size, Buffer.concat([line(joining.missing), bytes.subarray(joining.skip)]));
      break;
    case 'rebuild':
      replaceFile(file, Buffer.concat([readFileSync(file).subarray(0, joining.keep), bytes]));
      rmSync(olderOf(file), { force: true });
      break;
    case 'replace':
      replaceFile(file, Buffer.concat([line(joining.missing), bytes]));
      rmSync(olderOf(file), { force: true });
  }
  writeCopy(folder, { host: of.host, name, copy: joining.copy });
  remember(state, key, joining.copy);
  return joining.copy.size - known.size;
}

function replaceIn(
  { home }: State,
  { run, claim, host }: CopyOf,
  { name, bytes }: { readonly name: WholeName; readonly bytes: Uint8Array },
): number {
  const folder = attemptFolder(home, run, claim);
  const file = join(folder, ATTEMPT_FILES[name]);
  const before = sizeOf(file);
  if (copiedFrom(folder) === undefined) writeCopy(folder, { host, name: 'output', copy: NO_COPY });
  replaceFile(file, bytes);
  return bytes.length - before;
}

const keyOf = ({ run, claim }: CopyOf, name: GrowingName): string => `${run} ${claimKey(claim)} ${name}`;

function remember({ copies }: State, key: string, copy: OutputCopy): void {
  copies.set(key, copy);
  for (const oldest of [...copies.keys()].slice(0, -STATES_MAX)) copies.delete(oldest);
}

const lineAbout = (host: string, missing: number): Buffer =>
  Buffer.from(missing > 0 ? `\n[heddle: ${missing} bytes of this output are on ${host} alone]\n` : '');

/** The part before this one; there is one at most. */
const olderOf = (file: string): string => file.replace(/\.log$/, '.1.log');

/** A newer part begins, as in the output of this machine's own claims. */
function turnOver(file: string, { at }: OutputCopy): OutputCopy {
  renameSync(file, olderOf(file));
  return { at, head: 0, size: 0 };
}

/** What a write that failed has left does not stay. */
function append(file: string, size: number, bytes: Buffer): void {
  if (bytes.length === 0) return;
  try {
    inFolder(file, (path) => appendFileSync(path, bytes));
  } catch (cause) {
    if (sizeOf(file) > size) truncateSync(file, size);
    throw cause;
  }
}

function replaceFile(file: string, bytes: Uint8Array): void {
  const partial = `${file}.part`;
  try {
    inFolder(partial, (path) => writeFileSync(path, bytes));
    renameSync(partial, file);
  } catch (cause) {
    rmSync(partial, { force: true });
    throw cause;
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** What the files of all attempts of a run take; its other files are few. */
function takenBy(folder: string): number {
  if (!existsSync(folder)) return 0;
  const attempts = readdirSync(folder, { withFileTypes: true, recursive: true });
  return attempts.reduce((sum, each) => sum + (each.isFile() ? sizeOf(join(each.parentPath, each.name)) : 0), 0);
}
