// What workers leave of their claims: output, transcripts, records of turns. Read by claim, name and range of bytes, so that
// no reader needs the disk of the host that has them.
import type { ClaimRef } from '../../core/protocol/assignment.ts';

export interface ArtifactRef {
  readonly run: string;
  readonly claim: ClaimRef;
  /** `attempt` is there as soon as a worker has taken the claim. */
  readonly name: 'attempt' | 'turn' | 'output' | 'transcript';
}

/** Long output is kept in parts, and the oldest part goes when there are too many. */
export interface ArtifactPart {
  /** Stays the same however the part is stored; only ever compared. */
  readonly id: string;
  readonly bytes: number;
  readonly changedAt: number;
}

export interface PartRange {
  readonly part: string;
  readonly from: number;
  readonly length: number;
}

export interface Artifacts {
  /** The oldest first; none when nothing was written under that name. */
  readonly parts: (of: ArtifactRef) => readonly ArtifactPart[];
  /** Fewer bytes than were asked for where the part ends, none when it is gone. */
  readonly read: (of: ArtifactRef, range: PartRange) => Uint8Array;
}
