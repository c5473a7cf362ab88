// A join merges what it needs without calling an agent: as text, or as data when it declares `output`.
import type { Json } from '../../plan/plan.ts';
import type { Ended } from '../event.ts';
import type { Result } from '../../protocol/result.ts';

export interface JoinPart {
  readonly id: string;
  readonly ended: Ended | undefined;
  readonly result: Result | undefined;
}

/** Of needs of which not all were waited for, those that have not ended have nothing to contribute. */
export function joinParts(needs: readonly JoinPart[], { isStructured }: { readonly isStructured: boolean }): Result {
  const parts = needs.filter(({ ended }) => ended !== undefined);
  const joined = { ok: true, exitCode: undefined, commit: undefined };
  if (!isStructured) return { ...joined, response: asText(parts), output: undefined };
  const output = Object.fromEntries(parts.map((part) => [part.id, asData(part)]));
  return { ...joined, response: JSON.stringify(output), output };
}

/** A header and the response of each, in the order of `needs`. */
function asText(parts: readonly JoinPart[]): string {
  return parts.map((part) => `[${part.id}]:\n${failureOf(part)?.error ?? part.result?.response ?? ''}`).join('\n\n');
}

function asData(part: JoinPart): Json {
  return failureOf(part) ?? part.result?.output ?? null;
}

export const isFailed = (part: JoinPart): boolean => failureOf(part) !== undefined;

function failureOf({ id, ended }: JoinPart): { readonly error: string; readonly error_type: string } | undefined {
  if (ended?.ending !== 'failed' && ended?.ending !== 'cancelled') return undefined;
  const type = ended.reason ?? 'failed';
  return { error: ended.cause ?? `${id} ended as ${ended.ending} (${type}).`, error_type: type };
}
