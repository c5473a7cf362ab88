// Reads workers' output: as it grows, whole, or its tail.
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { ArtifactRef, LocalArtifacts } from '../../shell/ports/artifacts.ts';

const PIECE_BYTES = 1 << 16;

export interface AttemptRef extends Omit<ArtifactRef, 'name'> {
  readonly artifacts: LocalArtifacts;
}

/** Whether a worker has taken the claim; of one on another machine the output may be here first. */
export const isBegun = ({ artifacts, run, claim }: AttemptRef): boolean =>
  (['attempt', 'output'] as const).some((name) => artifacts.parts({ run, claim, name }).length > 0);

/** Each call returns the output since the last call. Output that was restarted in between is read from its start. */
export function outputReader({ artifacts, run, claim }: AttemptRef): () => Generator<Uint8Array> {
  const of = { run, claim, name: 'output' } as const;
  const readTo = new Map<string, number>();
  return function* pieces() {
    for (const { id } of artifacts.parts(of)) {
      for (let at = readTo.get(id) ?? 0; ; readTo.set(id, at)) {
        const piece = artifacts.read(of, { part: id, from: at, length: PIECE_BYTES });
        if (piece.length === 0) break;
        at += piece.length;
        yield piece;
      }
    }
  };
}

/** The tail of a worker's output. */
export interface OutputEnd {
  /** Another one whenever there is more. */
  readonly mark: string;
  readonly text: string;
  /** How many bytes came before the text. */
  readonly from: number;
}

/** The last bytes of a claim's output; undefined without output, and `known` when the output has not grown. */
export type ReadEnd = <Known extends Pick<OutputEnd, 'mark'>>(
  claim: ClaimRef,
  bytesMax: number,
  known: Known | undefined,
) => OutputEnd | Known | undefined;

export const endReader =
  (artifacts: LocalArtifacts, run: string): ReadEnd =>
  (claim, bytesMax, known) => {
    const of = { run, claim, name: 'output' } as const;
    const part = artifacts.parts(of).at(-1);
    if (part === undefined) return undefined;
    const mark = `${part.id} ${part.bytes} ${part.changedAt}`;
    return known?.mark === mark
      ? known
      : { mark, text: outputEndOf(artifacts, of, bytesMax) ?? '', from: Math.max(0, part.bytes - bytesMax) };
  };

/** The end of the newest part, as text; undefined when nothing was written. */
export function outputEndOf(artifacts: LocalArtifacts, of: ArtifactRef, bytesMax: number): string | undefined {
  const part = artifacts.parts(of).at(-1);
  if (part === undefined) return undefined;
  const range = { part: part.id, from: Math.max(0, part.bytes - bytesMax), length: Math.min(part.bytes, bytesMax) };
  return new TextDecoder().decode(artifacts.read(of, range));
}

/** A record is small; one that is larger than this is none of ours. */
const RECORD_BYTES_MAX = 16 * 1024 * 1024;

/** The fields of the record that a worker left of its attempt or turn; undefined when it left none that can be read. */
export function recordOf(
  { artifacts, run, claim }: AttemptRef,
  name: 'attempt' | 'turn',
): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = outputEndOf(artifacts, { run, claim, name }, RECORD_BYTES_MAX);
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    // A JSON object has string keys; the caller checks the type of each field.
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    // A turn that was killed while it wrote has left no record.
    return undefined;
  }
}
