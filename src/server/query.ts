// The parameters of a request, read once at the door.
import { RefusedRequest } from './refused-request.ts';

/** Refuses a request without it. */
export function wordIn(query: URLSearchParams, name: string): string {
  const word = query.get(name);
  if (word === null || word === '') throw new RefusedRequest(400, { code: 'missing-parameter', name });
  return word;
}

/** Undefined when it is not given. */
export function wholeNumberIn(query: URLSearchParams, name: string): number | undefined {
  const word = query.get(name);
  if (word === null || word === '') return undefined;
  const number = Number(word);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new RefusedRequest(400, { code: 'malformed-parameter', name });
}
