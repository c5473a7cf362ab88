// Tabs of one browser give each other the token, so that a link opened in another tab, which holds no token, works there too.
// The channel reaches pages of the very same address and port alone.

const CHANNEL = 'heddle-token';
const ASKS = 'asks';
const ANSWERS_WITHIN_MS = 400;

/** Answers tabs that ask, for as long as the page is open. */
export function shareToken(token: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }) => {
    if (data === ASKS) channel.postMessage({ token });
  });
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
      const token = typeof data === 'object' && data !== null && 'token' in data ? data.token : undefined;
      if (typeof token === 'string') settle(token);
    });
    channel.postMessage(ASKS);
  });
}
