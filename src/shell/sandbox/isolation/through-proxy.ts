// How a program inside comes to the proxy outside: it believes that there is one on this machine, and a program of ours
// that listens there passes everything on to the socket.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** In a network of the sandbox's own, so nobody else's port is taken. */
const PORT = 48_128;

/** Ready when it has closed its output, which is what the shell waits for. */
const START = `ready=$("$1" "$2" "$3" "$4" 2>/dev/null &); shift 4; exec "$@"`;

const SHELL = ['/bin/sh', '-c', START, 'heddle'];

/** `near` are destinations on this machine, `host:port`: programs do not ask a proxy for those. */
export const throughProxy = (
  { socket, near }: { readonly socket: string; readonly near: readonly string[] },
  argv: readonly string[],
): readonly string[] => [
  'env',
  ...ADDRESSES,
  ...SHELL,
  process.execPath,
  forwarderFile(),
  socket,
  [PORT, ...near].join(','),
  ...argv,
];

const HERE = `http://127.0.0.1:${PORT}`;
const NEAR = 'localhost,127.0.0.1,::1';
/** Programs do not agree on capitals. */
const ADDRESSES = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map(
    (name) => `${name}=${HERE}`,
  ),
  ...['NO_PROXY', 'no_proxy'].map((name) => `${name}=${NEAR}`),
  // Node looks at them only when it is told to.
  'NODE_USE_ENV_PROXY=1',
];

/** Beside this file and of its kind: TypeScript in the repository, JavaScript once it is built. */
function forwarderFile(): string {
  const here = fileURLToPath(import.meta.url);
  return fileURLToPath(new URL(`forwarder${extname(here)}`, import.meta.url));
}
