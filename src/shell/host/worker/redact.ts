// Redacts known secrets from the output of programs, before it is stored or read.
//
// worker/Q1. A secret is found however the stream is split into chunks, and nothing else is changed or dropped.
// worker/Q2. A secret is the value of a variable whose name says so; short values are no secrets, since they would be
//     found everywhere.
import { isSecretName } from '../../../core/plan/secret-name.ts';

const SECRET_MIN = 8;
/** Long, one word, with letters and digits: no setting, no address and no path. */
const KEY_LIKE = /^(?=.*[0-9])(?=.*[A-Za-z])[\w.+=~-]{16,}$/;
const INSTEAD = Buffer.from('[redacted]');

/** `given` are variables that a plan gives to an agent: there, a value that looks like a key is a secret. */
export function secretsIn(
  environment: Readonly<Record<string, string>>,
  given: readonly string[] = [],
): readonly string[] {
  const isSecret = (name: string, value: string): boolean =>
    isSecretName(name) || (given.includes(name) && KEY_LIKE.test(value));
  const values = Object.entries(environment)
    .filter(([name, value]) => value.length >= SECRET_MIN && isSecret(name, value))
    // The path of a file with a secret is no secret.
    .map(([, value]) => value)
    .filter((value) => !value.startsWith('/'));
  return [...new Set(values)].toSorted((one, other) => other.length - one.length);
}

export function redact(bytes: Buffer, secrets: readonly string[]): Buffer {
  const redactor = new Redactor(secrets);
  return Buffer.concat([redactor.push(bytes), redactor.end()]);
}

/** Redacts one stream. */
export class Redactor {
  readonly #secrets: readonly Buffer[];
  #held: Buffer = Buffer.alloc(0);

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets.map((secret) => Buffer.from(secret));
  }

  push(chunk: Buffer): Buffer {
    if (this.#secrets.length === 0) return chunk;
    const clean = this.#secrets.reduce(without, this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]));
    const held = Math.max(...this.#secrets.map((secret) => begunAtEnd(clean, secret)));
    this.#held = clean.subarray(clean.length - held);
    return clean.subarray(0, clean.length - held);
  }

  /** Returns the bytes that were held back as a possible beginning of a secret. */
  end(): Buffer {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    return held;
  }
}

function without(text: Buffer, secret: Buffer): Buffer {
  let at = text.indexOf(secret);
  if (at < 0) return text;
  const parts: Buffer[] = [];
  let from = 0;
  for (; at >= 0; at = text.indexOf(secret, from)) {
    parts.push(text.subarray(from, at), INSTEAD);
    from = at + secret.length;
  }
  return Buffer.concat([...parts, text.subarray(from)]);
}

/** How many bytes at the end of a text are the beginning of a secret. */
function begunAtEnd(text: Buffer, secret: Buffer): number {
  const first = secret[0] ?? 0;
  const start = Math.max(0, text.length - secret.length + 1);
  for (let at = text.indexOf(first, start); at >= 0; at = text.indexOf(first, at + 1)) {
    const length = text.length - at;
    if (text.subarray(at).equals(secret.subarray(0, length))) return length;
  }
  return 0;
}
