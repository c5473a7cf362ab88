// Records of runs as text, and the ids of runs: the same for every store.
import type { RunRecord } from './log.ts';

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A table over all keys, so that the compiler asks for a line when a field is added. */
const FIELDS: Readonly<Record<keyof RunRecord, (value: unknown) => boolean>> = {
  run: isText,
  createdAt: isNumber,
  name: isText,
  file: isText,
  source: isText,
  purpose: (value) => value === undefined || value === 'draft',
};

/** Undefined for a text that Heddle did not write. */
export function readRecord(text: string): RunRecord | undefined {
  const value = parsed(text);
  if (!isObject(value) || !Object.entries(FIELDS).every(([name, isRight]) => isRight(value[name]))) return undefined;
  // The table has checked every field.
  return Object.fromEntries(Object.keys(FIELDS).map((name) => [name, value[name]])) as unknown as RunRecord;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const ID_CHARACTERS_MAX = 64;
/** Room for the dash and the number. */
const NUMBER_CHARACTERS_MAX = 11;

/** The plan's name in small letters, digits and dashes. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const dashed = plain.replaceAll(/[^a-z\d]+/g, '-').slice(0, ID_CHARACTERS_MAX - NUMBER_CHARACTERS_MAX);
  const slug = dashed.replaceAll(/^-+|-+$/g, '');
  return slug === '' ? 'run' : slug;
}

export const runId = (slug: string, number: number): string => `${slug}-${number}`;
