// Reads the body of a request, within a limit.
import type { IncomingMessage } from 'node:http';
import { isObject, type Fields } from '../core/plan/json-fields.ts';
import { RefusedRequest } from './refused-request.ts';

/** A plan that is pasted fits; a flood does not. */
const BODY_BYTES_MAX = 8 * 1024 * 1024;

export async function readBody(request: IncomingMessage, bytesMax: number = BODY_BYTES_MAX): Promise<Fields> {
  const fields = fieldsIn((await readBytes(request, bytesMax)).toString('utf8'));
  if (fields === undefined) throw new RefusedRequest(400, { code: 'malformed-json' });
  return fields;
}

export async function readBytes(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const tooLarge = (): RefusedRequest => new RefusedRequest(413, { code: 'body-too-large', bytesMax });
  const parts: Buffer[] = [];
  let bytes = 0;
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge();
  for await (const part of request) {
    // A request without an encoding gives buffers.
    const piece = part as Buffer;
    bytes += piece.length;
    if (bytes > bytesMax) throw tooLarge();
    parts.push(piece);
  }
  return Buffer.concat(parts);
}

function fieldsIn(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
