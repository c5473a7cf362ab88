// The door through which files of an attempt's folder come in. Whoever wrote them may have died in the middle.
import { readFileSync } from 'node:fs';

export type ReadJson =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'none' }
  | { readonly type: 'damaged'; readonly message: string };

export type Fields = Readonly<Record<string, unknown>>;

export function readJson(path: string): ReadJson {
  try {
    return { type: 'value', value: JSON.parse(readFileSync(path, 'utf8')) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { type: 'none' };
    return { type: 'damaged', message: `${path} cannot be read: ${messageOf(error)}` };
  }
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A number that counts or measures something. */
export const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

export const codeOf = (error: unknown): string | undefined =>
  isFields(error) && typeof error['code'] === 'string' ? error['code'] : undefined;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
