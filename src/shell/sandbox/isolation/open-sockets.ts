// The program that opens the sockets of the egress proxy in a sandbox's own network: `open-sockets PORT,HOST:PORT…`. It sends
// each listening socket to the process that started the sandbox, through the channel that it inherited, and exits. So
// connections to the loopback of the sandbox are accepted outside, and no process has to stay inside for it.
import { createServer } from 'node:net';

const [, , ports = ''] = process.argv;
const [proxyPort = '', ...near] = ports.split(',');
const LOOPBACK = '127.0.0.1';

/** `destination` is what connections to the port lead to; empty for the proxy itself. */
const open = (port: number, destination: string): Promise<void> =>
  new Promise((resolve) => {
    const server = createServer();
    // Of two hosts under one port the first is found there.
    server.on('error', () => resolve());
    server.listen(port, LOOPBACK, () => process.send?.({ destination }, server, {}, () => resolve()));
  });

await open(Number(proxyPort), '');
for (const destination of near) await open(Number(destination.split(':').at(-1)), destination);
// The sockets live on in the process that received them.
process.exit();
