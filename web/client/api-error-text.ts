// The sentence for a call that brought nothing: the server said no, or nobody answered.
import { webErrorText } from '../../src/core/view/text/web-error-text.ts';
import type { ApiAnswer } from './server-api.ts';

export const AWAY_TEXT = 'The server is away, so nothing was done. Try again when it is back.';

export const apiErrorText = (answer: Exclude<ApiAnswer<unknown>, { type: 'ok' }>): string =>
  answer.type === 'away' ? AWAY_TEXT : webErrorText(answer.error);
