// The program that runs inside a sandbox and passes on to a socket what comes to a port: `forwarder SOCKET PORT,HOST:PORT…`.
// What comes to the first port speaks to the proxy behind the socket; what comes to the port of a host is led to that host.
import { closeSync, openSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';

const [, , path = '', ports = ''] = process.argv;
const [own = '', ...near] = ports.split(',');
const STANDARD_OUTPUT = 1;
const LOOPBACK = '127.0.0.1';

function joinBoth(inner: Socket, outer: Socket): void {
  const end = (): void => {
    inner.destroy();
    outer.destroy();
  };
  for (const socket of [inner, outer]) socket.on('error', end).on('close', end);
}

function passOn(inner: Socket): void {
  const outer = connect(path);
  joinBoth(inner, outer);
  inner.pipe(outer).pipe(inner);
}

const HEAD_END = '\r\n\r\n';
const HEAD_MAX = 4096;

/** Asks the proxy for a way, and begins when it has been given. */
function leadTo(destination: string, inner: Socket): void {
  const outer = connect(path, () => outer.write(`CONNECT ${destination} HTTP/1.1${HEAD_END}`));
  joinBoth(inner, outer);
  let heard = Buffer.alloc(0);
  const hear = (chunk: Buffer): void => {
    heard = Buffer.concat([heard, chunk]);
    const end = heard.indexOf(HEAD_END);
    if (end < 0 && heard.length < HEAD_MAX) return;
    outer.off('data', hear);
    if (end < 0 || !heard.subarray(0, end).includes(' 200 ')) {
      outer.destroy();
      return;
    }
    inner.write(heard.subarray(end + HEAD_END.length));
    inner.pipe(outer).pipe(inner);
  };
  outer.on('data', hear);
}

const listen = (port: number, hear: (inner: Socket) => void): Promise<void> =>
  new Promise((resolve) => {
    // Of two hosts under one port the first is found there.
    createServer(hear)
      .on('error', () => resolve())
      .listen(port, LOOPBACK, resolve);
  });

await listen(Number(own), passOn);
for (const destination of near)
  await listen(Number(destination.split(':').at(-1)), (inner) => leadTo(destination, inner));
closeSync(STANDARD_OUTPUT);
// The next file that is opened has its number, and must not be one that is closed again.
openSync('/dev/null', 'w');
