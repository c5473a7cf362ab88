// Artifacts of claims: output, transcripts, records of turns. They are read by claim, name and range of bytes, so that
// a reader needs no access to the disk of the host.
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { Awaitable, Local } from './awaitable.ts';

export interface ArtifactRef {
  readonly run: string;
  readonly claim: ClaimRef;
  /** `attempt` exists as soon as a worker has taken the claim. */
  readonly name: 'attempt' | 'turn' | 'output' | 'transcript';
}

/** Long output is kept in parts; the oldest part is dropped when there are too many. */
export interface ArtifactPart {
  /** Stable, however the part is stored; only compared for equality. */
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
  /** Oldest first; empty when nothing was written under that name. */
  readonly parts: (of: ArtifactRef) => Awaitable<readonly ArtifactPart[]>;
  /** Returns fewer bytes than requested at the end of a part, and none when the part is gone. */
  readonly read: (of: ArtifactRef, range: PartRange) => Awaitable<Uint8Array>;
}

/** Artifacts of this machine's hosts. */
export type LocalArtifacts = Local<Artifacts>;
