// The program that runs inside a sandbox and passes on to a socket what comes to a port: `forwarder SOCKET PORT`.
import { closeSync, openSync } from 'node:fs';
import { connect, createServer } from 'node:net';

const [, , path = '', port = ''] = process.argv;
const STANDARD_OUTPUT = 1;

const server = createServer((inner) => {
  const outer = connect(path);
  const end = (): void => {
    inner.destroy();
    outer.destroy();
  };
  inner.on('error', end);
  outer.on('error', end);
  inner.pipe(outer).pipe(inner);
});
server.listen(Number(port), '127.0.0.1', () => {
  closeSync(STANDARD_OUTPUT);
  // The next file that is opened has its number, and must not be one that is closed again.
  openSync('/dev/null', 'w');
});
