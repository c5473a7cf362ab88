// The values that a caller gives a plan: `--input name=value`, read as the plan's `inputs` say.
import { nearest } from '../../core/plan/language/nearest-name.ts';
import type { Input, Json, Plan } from '../../core/plan/plan.ts';
import { Failure } from '../failure.ts';

export function readInputs({ inputs }: Plan, given: readonly string[]): Readonly<Record<string, Json>> {
  const words = new Map(given.map(splitWord));
  const unknown = [...words.keys()].find((name) => !inputs.some((input) => input.name === name));
  if (unknown !== undefined) throw new Failure(unknownInput(unknown, inputs));
  const missing = inputs.filter(({ name, value }) => value === undefined && !words.has(name));
  if (missing.length > 0) {
    const flags = missing.map(({ name }) => `--input ${name}=…`).join(' ');
    throw new Failure(`The plan asks for ${missing.map(({ name }) => name).join(', ')}. Give ${flags}.`);
  }
  return Object.fromEntries(inputs.map((input) => [input.name, valueOf(input, words.get(input.name))]));
}

function splitWord(word: string): [string, string] {
  const at = word.indexOf('=');
  if (at < 1) throw new Failure(`--input ${word} is not of the form name=value. Write --input branch=main, say.`);
  return [word.slice(0, at), word.slice(at + 1)];
}

function unknownInput(name: string, inputs: readonly Input[]): string {
  const names = inputs.map((input) => input.name);
  const like = nearest(name, names);
  const hint = like === undefined ? '' : ` Did you mean ${like}?`;
  return names.length === 0
    ? `The plan has no inputs, so --input ${name}=… means nothing to it. Leave it out.`
    : `The plan has no input ${name}.${hint} It has ${names.join(', ')}.`;
}

function valueOf({ name, type, value }: Input, word: string | undefined): Json {
  if (word === undefined) return value ?? null;
  if (type === 'string') return word;
  const parsed = parseJson(word);
  if (type === 'any') return parsed ?? word;
  if (parsed !== undefined && kindOf(parsed) === type) return parsed;
  throw new Failure(`--input ${name}=${word} is to be a ${type}. Write it as JSON: ${EXAMPLES[type]}.`);
}

const EXAMPLES = { number: '3', boolean: 'true', list: '["a", "b"]', object: '{"a": 1}' } as const;

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
