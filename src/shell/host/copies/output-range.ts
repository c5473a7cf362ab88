// The output of a claim as one sequence of bytes, whatever parts it is kept in and whatever parts were dropped.
import { TAIL_BYTES_MAX } from '../../../core/protocol/host-message.ts';
import { OUTPUT_FILES_MAX } from '../../exec/output-files.ts';
import type { ArtifactPart, ArtifactRef, LocalArtifacts } from '../../ports/artifacts.ts';

/** Output from the byte `from` on. */
export interface OutputRange {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** The output as it is now. */
export interface PlacedOutput {
  /** By part, how many bytes came before it: parts keep their place when others are dropped. */
  readonly starts: ReadonlyMap<string, number>;
  /** The first byte that is there. */
  readonly first: number;
  readonly end: number;
  /** From a byte that is there to the end; less where a part went away meanwhile. */
  readonly read: (from: number) => Uint8Array;
}

/** `known` has the places of parts from earlier. */
export function placeOutput(
  artifacts: LocalArtifacts,
  of: ArtifactRef,
  known: ReadonlyMap<string, number> = new Map(),
): PlacedOutput {
  const parts = partsOf(artifacts, of, known);
  const last = parts.at(-1);
  const end = last === undefined ? 0 : last.start + last.bytes;
  return {
    starts: new Map(parts.map(({ id, start }) => [id, start])),
    first: firstOf(artifacts, of, parts),
    end,
    read: (from) => readFrom(artifacts, of, { parts, from, end }),
  };
}

/** Each byte one character. */
export const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

interface PartAt extends ArtifactPart {
  /** How many bytes of output came before it. */
  readonly start: number;
}

/** The parts of the output that are there, oldest first. */
function partsOf(artifacts: LocalArtifacts, of: ArtifactRef, known: ReadonlyMap<string, number>): readonly PartAt[] {
  const parts = artifacts.parts(of);
  const anchor = parts.findIndex(({ id }) => known.has(id));
  let start =
    anchor === -1
      ? startOfOldest(artifacts, of, parts)
      : (known.get(parts[anchor]?.id ?? '') ?? 0) - lengthOf(parts.slice(0, anchor));
  return parts.map((part) => {
    const at = { ...part, start };
    start += part.bytes;
    return at;
  });
}

const lengthOf = (parts: readonly ArtifactPart[]): number => parts.reduce((sum, { bytes }) => sum + bytes, 0);

/** The line that stands for dropped output at the head of the oldest part, and that says where the output goes on. */
const DROPPED = /^\[heddle: the first (\d+) bytes of this output were dropped\] *\n/;

interface Dropped {
  /** Of the line. */
  readonly length: number;
  readonly bytes: number;
}

function droppedIn(artifacts: LocalArtifacts, of: ArtifactRef, parts: readonly ArtifactPart[]): Dropped | undefined {
  const [oldest] = parts;
  // Only then a part may have been dropped, and else the line is the program's own.
  if (oldest === undefined || parts.length < OUTPUT_FILES_MAX) return undefined;
  const head = artifacts.read(of, { part: oldest.id, from: 0, length: TAIL_BYTES_MAX });
  const found = DROPPED.exec(latin1(head));
  return found === null ? undefined : { length: found[0].length, bytes: Number(found[1]) };
}

/** Of output that was not followed from its start, as after a restart of this host. */
function startOfOldest(artifacts: LocalArtifacts, of: ArtifactRef, parts: readonly ArtifactPart[]): number {
  const dropped = droppedIn(artifacts, of, parts);
  return dropped === undefined ? 0 : Math.max(0, dropped.bytes - dropped.length);
}

/** The first byte of output that is there. */
function firstOf(artifacts: LocalArtifacts, of: ArtifactRef, parts: readonly PartAt[]): number {
  const [oldest] = parts;
  if (oldest === undefined) return 0;
  const dropped = droppedIn(artifacts, of, parts);
  return dropped?.bytes === oldest.start + (dropped?.length ?? 0) ? dropped.bytes : oldest.start;
}

interface Reading {
  readonly parts: readonly PartAt[];
  readonly from: number;
  readonly end: number;
}

/** Ends early where a part went away meanwhile. */
function readFrom(artifacts: LocalArtifacts, of: ArtifactRef, { parts, from, end }: Reading): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = from;
  for (const { id, start, bytes } of parts) {
    const length = Math.min(end, start + bytes) - at;
    if (at < start || length <= 0) continue;
    const piece = artifacts.read(of, { part: id, from: at - start, length });
    pieces.push(piece);
    at += piece.length;
    if (piece.length < length) break;
  }
  return Buffer.concat(pieces);
}
