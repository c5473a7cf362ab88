// Why a request gets no reply but an error: a status of HTTP, and a code with facts for the page.
import { Refused } from '../app/refused.ts';
import type { Refusal } from '../core/view/text/refusal.ts';
import type { WebError } from '../core/protocol/web.ts';

export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  readonly status: number;
  readonly error: WebError;

  constructor(status: number, error: WebError) {
    super(error.code);
    this.status = status;
    this.error = error;
  }
}

/** The error for what a use case or the store threw; undefined for a bug of ours. */
export function refusedRequestOf(cause: unknown): RefusedRequest | undefined {
  if (cause instanceof RefusedRequest) return cause;
  if (cause instanceof Refused) return new RefusedRequest(statusOf(cause.refusal), { ...cause.refusal });
  // Recognized by name: the server knows neither the store nor git.
  if (cause instanceof Error && (cause.name === 'StoreError' || cause.name === 'GitError'))
    return new RefusedRequest(503, ofStoreOrGit(cause));
  return undefined;
}

const ofStoreOrGit = (cause: Error): WebError =>
  'failure' in cause ? { code: 'store', failure: cause.failure } : { code: 'git', message: cause.message };

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
