// How a program in a sandbox reaches the egress proxy outside: its environment names a proxy on the sandbox's own loopback,
// and the sockets that listen there are opened before the program starts and handed to the proxy.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** In a network of the sandbox's own, so nobody else's port is taken. */
const PORT = 48_128;

/** The channel is for our own program alone: it is closed before the sandboxed program starts. */
const START = `if [ -n "$NODE_CHANNEL_FD" ]; then
  "$1" "$2" "$3" >/dev/null 2>&1
  eval "exec $NODE_CHANNEL_FD>&-"
fi
unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE
shift 3
exec "$@"`;

const SHELL = ['/bin/sh', '-c', START, 'heddle'];

/** `near` are destinations on this machine, `host:port`: programs do not ask a proxy for those. */
export const throughProxy = (near: readonly string[], argv: readonly string[]): readonly string[] => [
  'env',
  ...ADDRESSES,
  ...SHELL,
  process.execPath,
  openSocketsFile(),
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
function openSocketsFile(): string {
  const here = fileURLToPath(import.meta.url);
  return fileURLToPath(new URL(`open-sockets${extname(here)}`, import.meta.url));
}
