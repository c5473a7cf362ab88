// The value that a step was to give in the shape that the plan declares, read from its text.
import type { Json, JsonSchema } from '../../../core/plan/plan.ts';
import type { Fits } from './judge.ts';

export type OutputValue =
  | { readonly type: 'output'; readonly output: Json }
  | { readonly type: 'misfit'; readonly message: string };

export interface Asked {
  /** Undefined when there was too much of it to read. */
  readonly text: string | undefined;
  readonly schema: JsonSchema;
  readonly fits: Fits;
}

export async function outputOf({ text, schema, fits }: Asked): Promise<OutputValue> {
  if (text === undefined) return misfit('it is larger than 1 MiB');
  const read = readJson(text);
  if (read.type === 'misfit') return read;
  const why = await fits(schema, read.output);
  return why === undefined ? read : misfit(why);
}

function readJson(text: string): OutputValue {
  try {
    // What was read as JSON is JSON.
    return { type: 'output', output: JSON.parse(text) as Json };
  } catch (cause) {
    // The complaint quotes the text, and a message is one line.
    const complaint = (cause instanceof Error ? cause.message : String(cause)).replaceAll(/\s+/g, ' ');
    return misfit(text.trim() === '' ? 'nothing was printed' : `it is not JSON (${complaint})`);
  }
}

const misfit = (why: string): OutputValue => ({
  type: 'misfit',
  message: `The output does not have the shape that the plan declares: ${why}.`,
});
