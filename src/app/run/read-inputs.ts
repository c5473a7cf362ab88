// The inputs of a run, from `name=value` words.
import { nearest } from '../../core/plan/language/nearest-name.ts';
import type { Input, Json, Plan } from '../../core/plan/plan.ts';
import { Refused } from '../refused.ts';

/** The values of a run: those that were given, and the defaults of the others. */
export function readInputs({ inputs }: Plan, given: readonly string[]): Readonly<Record<string, Json>> {
  const words = new Map(given.map(splitWord));
  const unknown = [...words.keys()].find((name) => !inputs.some((input) => input.name === name));
  if (unknown !== undefined) throw unknownInput(unknown, inputs);
  const missing = inputs.filter(({ name, value }) => value === undefined && !words.has(name));
  if (missing.length > 0) throw new Refused({ code: 'inputs-missing', names: missing.map(({ name }) => name) });
  return Object.fromEntries(inputs.map((input) => [input.name, valueOf(input, words.get(input.name))]));
}

function splitWord(word: string): [string, string] {
  const at = word.indexOf('=');
  if (at < 1) throw new Refused({ code: 'input-malformed', word });
  return [word.slice(0, at), word.slice(at + 1)];
}

function unknownInput(name: string, inputs: readonly Input[]): Refused {
  const names = inputs.map((input) => input.name);
  return new Refused({ code: 'input-unknown', name, names, like: nearest(name, names) });
}

function valueOf({ name, type, value }: Input, word: string | undefined): Json {
  if (word === undefined) return value ?? null;
  if (type === 'string') return word;
  const parsed = parseJson(word);
  if (type === 'any') return parsed ?? word;
  if (parsed !== undefined && kindOf(parsed) === type) return parsed;
  throw new Refused({ code: 'input-type', name, word, type });
}

function kindOf(value: Json): string {
  return Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
}

function parseJson(word: string): Json | undefined {
  try {
    return JSON.parse(word);
  } catch {
    return undefined;
  }
}
