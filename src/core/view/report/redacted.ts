// A copy of a value in which every known secret is redacted, at any depth.

const INSTEAD = '[redacted]';

export function redacted<Value>(value: Value, secrets: readonly string[]): Value {
  if (secrets.length === 0) return value;
  const clean = (each: unknown): unknown => {
    if (typeof each === 'string') return secrets.reduce((text, secret) => text.replaceAll(secret, () => INSTEAD), each);
    if (Array.isArray(each)) return each.map(clean);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, inner]) => [key, clean(inner)]));
  };
  // Only strings change, and they stay strings, so the value keeps its type.
  return clean(value) as Value;
}
