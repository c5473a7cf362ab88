// A bounded cache of values computed from texts, and values made on first use.
//
// bounded-cache/C1. It never holds more than `entriesMax` entries; the oldest goes first.
// bounded-cache/C2. It changes how long an answer takes, never the answer.

export interface BoundedCache<V> {
  of(text: string, workOut: (text: string) => V): V;
}

/** Longer texts are evaluated each time, so that the cache stays small. */
const TEXT_KEPT_MAX = 20_000;

export function makeBoundedCache<V>(entriesMax: number): BoundedCache<V> {
  const entries = new Map<string, V>();
  return {
    of(text, workOut) {
      const known = entries.get(text);
      if (known !== undefined) return known;
      const value = workOut(text);
      if (text.length > TEXT_KEPT_MAX) return value;
      if (entries.size >= entriesMax) {
        const [oldest] = entries.keys();
        if (oldest !== undefined) entries.delete(oldest);
      }
      entries.set(text, value);
      return value;
    },
  };
}

/** Creates a value on first use and keeps it: for values that are slow to create and rarely needed. */
export function onceAsked<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
