// Access to JSON objects of unknown shape, as programs print them.
import { isObject, type Fields } from '../../../core/plan/json-fields.ts';
import type { Json } from '../../../core/plan/plan.ts';
import { isTooDeep } from '../../../core/protocol/json-depth.ts';

/** The JSON object of a line; undefined for any other line, such as the output of a tool. */
export function fieldsIn(line: string): Fields | undefined {
  const start = line.indexOf('{');
  if (start < 0 || isTooDeep(line.slice(start))) return undefined;
  try {
    const value: unknown = JSON.parse(line.slice(start));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A field that is an object; an empty object when it is not, so that lookups in it find nothing. */
export const objectAt = (fields: Fields, name: string): Fields => {
  const value = own(fields, name);
  return isObject(value) ? value : {};
};

export const listAt = (fields: Fields, name: string): readonly Fields[] => {
  const value = own(fields, name);
  return Array.isArray(value) ? value.filter(isObject) : [];
};

/** Empty when the field is missing. */
export const textField = (fields: Fields, name: string): string => {
  const value = own(fields, name);
  return typeof value === 'string' ? value : '';
};

/** A number that counts or measures something. */
export const amountAt = (fields: Fields, name: string): number | undefined => {
  const value = own(fields, name);
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
};

// The result of JSON.parse is JSON.
export const jsonAt = (fields: Fields, name: string): Json | undefined => own(fields, name) as Json | undefined;

const own = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);

const LINE_MAX = 200;

/** One line for people. */
export function oneLine(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > LINE_MAX ? `${line.slice(0, LINE_MAX - 1)}…` : line;
}

/** The input of a tool call in one line: the command or the file where there is one. */
export const aboutCall = (input: Fields): string => oneLine(toolSubjectOf(input));

/** The same, untruncated. */
export function toolSubjectOf(input: Fields): string {
  for (const name of ['command', 'cmd', 'file_path', 'filePath', 'path', 'pattern', 'query', 'url', 'prompt']) {
    const value = own(input, name);
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value)) return value.join(' ');
  }
  return Object.values(input).find((value) => typeof value === 'string') ?? '';
}

/** A path relative to the folder when it is inside; otherwise unchanged. */
export const withoutFolder = (path: string, folder: string): string =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
