// The token of the server, from the fragment of the printed address. The fragment reaches no log of a server; it is taken
// out of the address at once, so that neither the history nor a shared link holds the token.
import { TOKEN_IN_FRAGMENT } from '../../src/core/protocol/web.ts';

const KEPT_AS = 'heddle-token';

/** Where a page keeps and shows addresses; `window` in a browser. */
export interface TokenWindow {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string };
  readonly history: { readonly replaceState: (data: null, unused: string, url: string) => void };
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem'>;
}

/** Undefined when the page was opened without the printed address. */
export function takeToken({ location, history, sessionStorage }: TokenWindow): string | undefined {
  const [before = '', ...rest] = location.hash.replace(/^#/, '').split('&');
  const [name, token = ''] = before.split('=', 2);
  if (name !== TOKEN_IN_FRAGMENT || token === '') return sessionStorage.getItem(KEPT_AS) ?? undefined;
  keepToken({ sessionStorage }, token);
  const to = new URLSearchParams(rest.join('&')).get('to');
  history.replaceState(null, '', `${location.pathname}${location.search}${to === null ? '' : `#${to}`}`);
  return token;
}

/** For the next time that the page is loaded in this tab. */
export const keepToken = ({ sessionStorage }: Pick<TokenWindow, 'sessionStorage'>, token: string): void =>
  sessionStorage.setItem(KEPT_AS, token);

/** Whether a fragment brings a token along. */
export const hasToken = (hash: string): boolean => hash.startsWith(`#${TOKEN_IN_FRAGMENT}=`);
