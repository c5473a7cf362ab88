// The sentence for whatever the web server refused, be it by itself or because a use case did.
import { failureTextIn } from '../../protocol/git-failure.ts';
import type { WebError } from '../../protocol/web.ts';
import { WEB_REFUSALS, type WebRefusal } from '../../protocol/web-refusal.ts';
import { isRefusal, refusalText } from './refusal-text.ts';

export function webErrorText(error: WebError): string {
  if (isOfServer(error)) return failureTextIn<WebRefusal>(WEB_REFUSALS, error);
  if (isRefusal(error)) return refusalText(error);
  return `The server says ${error.code}, which this page has no words for. Reload the page, which may be of another version than the server.`;
}

/** The server of the same build sends the facts of a code with it. */
const isOfServer = (error: { readonly code: string }): error is WebRefusal => Object.hasOwn(WEB_REFUSALS, error.code);
