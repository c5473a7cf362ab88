// Tabs of one browser give each other the token, so that a link opened in another tab, which holds no token, works there too;
// and so that tabs of a server that was started again go on as soon as one of them was opened at its new address.
// The channel reaches pages of the very same address and port alone.

const CHANNEL = 'heddle-token';
const ASKS = 'asks';
const ANSWERS_WITHIN_MS = 400;

interface TokenSharing {
  /** The token of this tab. */
  readonly current: () => string | undefined;
  /** Another tab has said its token. */
  readonly onToken: (token: string) => void;
}

/** For as long as the page is open: says its token at once, answers tabs that ask, and hears what others say. */
export function shareToken({ current, onToken }: TokenSharing): { readonly ask: () => void } {
  const channel = new BroadcastChannel(CHANNEL);
  const say = (): void => {
    const token = current();
    if (token !== undefined) channel.postMessage({ token });
  };
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const token = tokenIn(data);
    if (data === ASKS) say();
    else if (token !== undefined) onToken(token);
  });
  say();
  return { ask: () => channel.postMessage(ASKS) };
}

/** Undefined when no other tab has it. */
export function askForToken(): Promise<string | undefined> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise((resolve) => {
    const settle = (token: string | undefined): void => {
      clearTimeout(timer);
      channel.close();
      resolve(token);
    };
    const timer = setTimeout(() => settle(undefined), ANSWERS_WITHIN_MS);
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const token = tokenIn(data);
      if (token !== undefined) settle(token);
    });
    channel.postMessage(ASKS);
  });
}

function tokenIn(data: unknown): string | undefined {
  const token = typeof data === 'object' && data !== null && 'token' in data ? data.token : undefined;
  return typeof token === 'string' ? token : undefined;
}
