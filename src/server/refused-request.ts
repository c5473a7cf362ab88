// Why a request gets no reply but an error: a status of HTTP, and a code with facts, for which the page has words.
import { Refused, refusalOf } from '../app/refused.ts';
import type { Refusal } from '../core/view/text/refusal.ts';
import type { WebRefusal } from '../core/protocol/web-refusal.ts';

export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  readonly status: number;
  readonly error: WebRefusal | Refusal;

  constructor(status: number, error: WebRefusal | Refusal) {
    super(error.code);
    this.status = status;
    this.error = error;
  }
}

/** The error for what a use case or the store threw; undefined for a bug of ours. */
export function refusedRequestOf(cause: unknown): RefusedRequest | undefined {
  if (cause instanceof RefusedRequest) return cause;
  const refusal = refusalOf(cause);
  if (refusal === undefined) return undefined;
  return new RefusedRequest(cause instanceof Refused ? statusOf(refusal) : 503, refusal);
}

const NOT_THERE: ReadonlySet<Refusal['code']> = new Set([
  'run-unknown',
  'task-unknown',
  'word-unknown',
  'step-unknown',
  'no-runs',
  'nothing-committed',
  'in-place',
]);

function statusOf({ code }: Refusal): number {
  if (NOT_THERE.has(code)) return 404;
  return code === 'store' ? 503 : 409;
}
