// Backoff of a failed step before its retry: doubling, bounded, and spread by the run's seed so that steps that failed
// together do not all retry together.
const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MAX_MS = 5 * 60_000;

export interface Backoff {
  readonly seed: number;
  readonly about: string;
  readonly attempt: number;
  readonly firstMs?: number;
  readonly maxMs?: number;
}

export function backoffMs({ seed, about, attempt, ...range }: Backoff): number {
  const { firstMs = BACKOFF_FIRST_MS, maxMs = BACKOFF_MAX_MS } = range;
  const full = Math.min(maxMs, firstMs * 2 ** (attempt - 1));
  return Math.round(full * (0.5 + 0.5 * fraction(`${seed}/${about}/${attempt}`)));
}

/** A number from 0 to 1 that depends on the text alone. */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return ((hash ^ (hash >>> 12)) >>> 0) / 2 ** 32;
}
