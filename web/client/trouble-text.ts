// The sentence for a call that brought nothing: the server said no, or nobody answered.
import { webErrorText } from '../../src/core/view/text/web-error-text.ts';
import type { Answer } from './server-api.ts';

export const AWAY_TEXT = 'The server is away, so nothing was done. Try again when it is back.';

export const troubleText = (answer: Exclude<Answer<unknown>, { type: 'ok' }>): string =>
  answer.type === 'away' ? AWAY_TEXT : webErrorText(answer.error);
