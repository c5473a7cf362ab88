// The files of a claim's attempt, on their way from this host to the machine that has the log.
import type { ClaimRef } from '../../core/protocol/assignment.ts';

export interface ArtifactUpload {
  /**
   * Uploads what the attempt has left: output, transcript, records of its turn. Never rejects. What cannot be uploaded by
   * the time that the signal is aborted stays on this host, and the claim is reported without it.
   */
  readonly upload: (run: string, claim: ClaimRef, signal: AbortSignal) => Promise<void>;
}
