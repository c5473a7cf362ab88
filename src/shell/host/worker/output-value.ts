// Reads the value that a step declares in the plan from the step's text.
import type { Json, JsonSchema } from '../../../core/plan/plan.ts';
import { isTooDeep, JSON_DEPTH_MAX } from '../../../core/protocol/json-depth.ts';
import type { Fits } from './outcome-reader.ts';

export type OutputValue =
  | { readonly type: 'output'; readonly output: Json }
  | { readonly type: 'misfit'; readonly message: string };

export interface OutputValueRequest {
  /** Undefined when the text was too long to read. */
  readonly text: string | undefined;
  readonly schema: JsonSchema;
  readonly fits: Fits;
}

export async function outputValueOf({ text, schema, fits }: OutputValueRequest): Promise<OutputValue> {
  if (text === undefined) return misfit('it is larger than 1 MiB');
  const read = readJson(text);
  if (read.type === 'misfit') return read;
  const why = await fits(schema, read.output);
  return why === undefined ? read : misfit(why);
}

const FENCED = /```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```/gu;

/** The value in an answer with prose around it: its last code block that is JSON, else the last object or list. */
export function jsonIn(answer: string): string {
  const whole = answer.trim();
  if (isJson(whole)) return whole;
  const blocks = [...answer.matchAll(FENCED)].map(([, block = '']) => block.trim());
  return blocks.findLast(isJson) ?? lastValueIn(whole) ?? answer;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Bounds the positions that are tried, so that long prose with braces costs little. */
const BEGINNINGS_MAX = 200;

/** The widest value at the end of the text, or at its last bracket. */
function lastValueIn(text: string): string | undefined {
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
  const beginnings = [...text.slice(0, end).matchAll(/[[{]/gu)].slice(0, BEGINNINGS_MAX).map(({ index }) => index);
  const from = beginnings.find((beginning) => isJson(text.slice(beginning, end)));
  return from === undefined ? undefined : text.slice(from, end);
}

function readJson(text: string): OutputValue {
  if (isTooDeep(text)) return misfit(`it is nested more than ${JSON_DEPTH_MAX} levels deep`);
  try {
    // JSON.parse returns JSON.
    return { type: 'output', output: JSON.parse(text) as Json };
  } catch (cause) {
    // The error quotes the text, and a message is one line.
    const stderr = (cause instanceof Error ? cause.message : String(cause)).replaceAll(/\s+/g, ' ');
    return misfit(text.trim() === '' ? 'nothing was printed' : `it is not JSON (${stderr})`);
  }
}

const misfit = (why: string): OutputValue => ({
  type: 'misfit',
  message: `The output does not have the shape that the plan declares: ${why}.`,
});
