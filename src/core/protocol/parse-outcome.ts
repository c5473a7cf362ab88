// Parses outcomes of workers: from an attempt file, over a worker's channel, and of another machine's hosts.
//
// outcome/N1. An outcome that is torn, of another claim or of an unknown form is no outcome: nothing is guessed from it.
import { isAmount, isObject, type Fields } from '../plan/json-fields.ts';
import type { Json } from '../plan/plan.ts';
import { isSameClaim, isWorkType, type ClaimRef } from './assignment.ts';
import { type Usage, isReason, type Result, type Spend } from './result.ts';
import type { RememberedTurn, WorkOutcome } from './work-outcome.ts';

/** Undefined when the value is not an outcome of this claim. */
export function parseOutcome(value: unknown, claim: ClaimRef): WorkOutcome | undefined {
  if (!isObject(value) || !isOfClaim(value, claim)) return undefined;
  const spend = parseSpend(value['spend']);
  if (spend === undefined) return undefined;
  const conversation = parseConversation(value['conversation']);
  const isPartial = value['isPartial'] === true ? true : undefined;
  return parseOf(value, { ...claim, spend, isPartial, conversation });
}

interface Base extends ClaimRef {
  readonly spend: Spend;
  readonly isPartial: true | undefined;
  readonly conversation: RememberedTurn | undefined;
}

/** An invalid conversation is ignored: the next turn then starts a new one. */
function parseConversation(value: unknown): RememberedTurn | undefined {
  if (!isObject(value) || typeof value['id'] !== 'string') return undefined;
  return { id: value['id'], reading: parseUsage(value['reading']) };
}

function parseUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const { input, cached, output, usd } = value;
  if (!isAmount(input) || !isAmount(cached) || !isAmount(output)) return undefined;
  return { input, cached, output, usd: isAmount(usd) ? usd : undefined };
}

/** Conflicts and outrun merges are not parsed: no worker merges. */
function parseOf(value: Fields, base: Base): WorkOutcome | undefined {
  const { type, reason, isFinal } = value;
  const result = parseResult(value['result']);
  if (type === 'lost') return { type, ...base };
  if (type === 'stopped') return { type, ...base, ...endedByLease(value, result) };
  if (type === 'finished') return result === undefined ? undefined : { type, ...base, result };
  if (type === 'failed') {
    const isWhole = isReason(reason) && typeof isFinal === 'boolean';
    return isWhole ? { type, ...base, ...worked(value), ...unbegun(value), reason, isFinal, result } : undefined;
  }
  if (type === 'asked') return result === undefined ? undefined : parseAsked(value, base, result);
  return type === 'limited' ? parseLimited(value, base) : undefined;
}

function parseAsked({ question, permission }: Fields, base: Base, result: Result): WorkOutcome | undefined {
  if (typeof question !== 'string') return undefined;
  const asked = { type: 'asked', ...base, question, result } as const;
  if (permission === undefined) return asked;
  const { tool, about, key } = isObject(permission) ? permission : {};
  const isWhole = typeof tool === 'string' && typeof about === 'string' && typeof key === 'string';
  return isWhole ? { ...asked, permission: { tool, about, key } } : undefined;
}

function parseLimited(value: Fields, base: Base): WorkOutcome | undefined {
  const { pool, until, by, message } = value;
  if (!isTextOrAbsent(pool) || !isTextOrAbsent(message) || !(until === undefined || isAmount(until))) return undefined;
  const isKnown = by === undefined || by === 'quota' || by === 'rate_limit';
  if (!isKnown) return undefined;
  const result = parseResult(value['result']);
  return {
    type: 'limited',
    ...base,
    ...worked(value),
    pool,
    until,
    by,
    message,
    ...(result === undefined ? {} : { result }),
  };
}

const endedByLease = (value: Fields, result: Result | undefined) =>
  value['by'] === 'lease'
    ? { by: 'lease' as const, ...worked(value), ...(result === undefined ? {} : { result }) }
    : {};

const worked = ({ hasWorked }: Fields) => (hasWorked === true ? { hasWorked } : {});
const unbegun = ({ isUnbegun }: Fields) => (isUnbegun === true ? { isUnbegun } : {});

function parseResult(value: unknown): Result | undefined {
  if (!isObject(value)) return undefined;
  const { ok, response, output, exitCode, commit, stderr } = value;
  if (typeof ok !== 'boolean' || !isTextOrAbsent(response) || !isTextOrAbsent(commit) || !isTextOrAbsent(stderr))
    return undefined;
  if (exitCode !== undefined && typeof exitCode !== 'number') return undefined;
  // JSON.parse returned it, so it is JSON; the worker has checked it against its schema.
  const read: Result = { ok, response, output: output as Json | undefined, exitCode, commit };
  return stderr === undefined ? read : { ...read, stderr };
}

const isTextOrAbsent = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === 'string';

export const isOfClaim = (value: unknown, claim: ClaimRef): boolean => {
  if (!isObject(value)) return false;
  const { work, task, step, attempt } = value;
  if (!isWorkType(work) || typeof task !== 'string' || !isAmount(attempt)) return false;
  return (step === undefined || typeof step === 'string') && isSameClaim({ work, task, step, attempt }, claim);
};

export function parseSpend(value: unknown): Spend | undefined {
  if (!isObject(value)) return undefined;
  const { usd, tokens } = value;
  if (!isAmount(usd) && usd !== undefined) return undefined;
  if (!isAmount(tokens) && tokens !== undefined) return undefined;
  return { usd, tokens };
}
