/** How long a test waits for what must come. A busy machine may be fifty times slower than a quiet one, and a test that
    passes waits no longer than it must. */
export const PATIENCE_MS = 300_000;
