// Classifies errors between an agent and its provider, from a status, a code or a sentence.
//
// provider-error/T1. A limit of an account is never a failure of the step; an error that a retry would repeat is final.
import type { Reason } from '../../../core/protocol/result.ts';
import type { Verdict } from '../../ports/agents.ts';
import { oneLine } from './fields.ts';

export interface ProviderError {
  /** HTTP status, where the program reports it. */
  readonly status: number | undefined;
  /** The program's or the provider's own code for it. */
  readonly kind: string;
  readonly message: string;
  /** When a limit is lifted, in milliseconds since the epoch. */
  readonly until: number | undefined;
  /** The meaning of an error without a cause, where the program implies one. */
  readonly otherwise?: 'overloaded';
}

type Cause = Exclude<Reason, 'need' | 'condition'>;

interface Sign {
  readonly means: Cause;
  readonly pattern: RegExp;
}

/** Phrases that are more specific than a status, the most specific first. */
const SIGNS: readonly Sign[] = [
  // Another turn held the store of conversations, so this one did not find its own: it is tried again with the same.
  { means: 'cut_off', pattern: /database (table )?is locked|SQLITE_(BUSY|LOCKED)/i },
  {
    means: 'quota',
    pattern:
      /usage.?limit|insufficient.{0,12}(quota|balance|credit|fund)|payment required|exceeded your current quota|quota exceeded|out of credits|credit balance|billing|weekly limit|session limit|hit your limit/i,
  },
  {
    means: 'context',
    pattern:
      /prompt.{0,3}(is|as).{0,3}too.{0,3}long|prompt_too_long|context.?(length|window)|exceeds the maximum number of tokens|input is too long|request_too_large|ContextOverflow/i,
  },
  {
    means: 'refused',
    pattern: /refus(al|ed to)|safeguards|content.?filter|content policy|safety|usage policy/i,
  },
  {
    means: 'authentication',
    pattern:
      /authenticat|unauthorized|invalid.{0,5}api.{0,3}key|not logged in|please (run )?\/?log ?in|permission_error|UNAUTHENTICATED|no api key|missing.{0,20}api.?key|auth method|invalid_api_key|run `?codex login/i,
  },
  {
    means: 'rate_limit',
    pattern: /rate.?limit|too many requests|RESOURCE_EXHAUSTED|\b429\b/i,
  },
  { means: 'cut_off', pattern: /ECONNRESET|connection .{0,20}was (lost|reset)|socket hang up/i },
  { means: 'overloaded', pattern: /overload|at capacity|UNAVAILABLE|high demand|\b5(00|02|03|04|29)\b|server_error/i },
  {
    means: 'cut_off',
    pattern:
      /ECONN|EPIPE|socket|connection|stream (closed|disconnected|error|ended)|disconnected|fetch failed|network|timed? ?out|reconnect|terminated|aborted|error sending request|decoding response body|incomplete/i,
  },
  { means: 'turns', pattern: /max(imum)?[ _](number of )?turns|turn limit|MAX_TURNS/i },
  { means: 'cost', pattern: /max_budget|budget/i },
  {
    means: 'bad_request',
    pattern:
      /invalid_request|bad request|INVALID_ARGUMENT|not_found_error|(unknown|no such) model|model.{0,30}not (found|exist)/i,
  },
];

function causeOf({ status, kind, message, otherwise }: ProviderError): Cause {
  const told = SIGNS.find(({ pattern }) => pattern.test(`${kind} ${message}`))?.means ?? otherwise;
  // A status is more certain than prose, except a status with several meanings.
  if (status === undefined) return told ?? 'failed';
  if (status === 401 || status === 403) return 'authentication';
  if (status === 402) return 'quota';
  if (status === 429) return told === 'quota' || told === 'overloaded' ? told : 'rate_limit';
  // A request that was not taken in time, or too early, is taken at another.
  if (status >= 500 || status === 408 || status === 425) return 'overloaded';
  if (status === 413) return 'context';
  if (status >= 400) return told === 'context' || told === 'quota' || told === 'refused' ? told : 'bad_request';
  return told ?? 'failed';
}

/** A retry would fail as well. */
const FINAL: ReadonlySet<Cause> = new Set(['authentication', 'bad_request', 'context', 'refused', 'turns', 'cost']);

export function verdictOn(error: ProviderError): Verdict {
  const cause = causeOf(error);
  const message = sentence(error);
  if (cause === 'quota' || cause === 'rate_limit') return { type: 'limited', by: cause, until: error.until, message };
  return { type: 'failed', reason: cause, isFinal: FINAL.has(cause), message };
}

const REJECTIONS: ReadonlySet<Reason> = new Set(['overloaded', 'authentication', 'bad_request', 'context']);

/** The provider answered nothing: no connection was made. */
const UNREACHED = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|connection refused|unable to connect|could not resolve/i;

/** Whether the provider rejected the request, or was not reached at all. */
export const isRejection = (verdict: Verdict): boolean =>
  verdict.type === 'limited' ||
  (verdict.type === 'failed' && (REJECTIONS.has(verdict.reason) || UNREACHED.test(verdict.message)));

/** An account at its limit backs off before the next call. */
export const isLimit = (error: ProviderError): boolean => causeOf(error) === 'quota';

function sentence({ message, kind, status }: ProviderError): string {
  const said = oneLine(message) || kind || `status ${status ?? 'unknown'}`;
  return /[.!?…)]$/.test(said) ? said : `${said}.`;
}
