// A network between a host and its server that can be cut: what is sent gets no answer and no error, as behind a pulled cable.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../src/shell/engines/free-port.ts';

export interface StallingProxy {
  readonly base: string;
  /** Where the server has to listen. */
  readonly port: number;
  readonly cut: () => void;
  readonly heal: () => void;
}

export async function stallingProxy(): Promise<StallingProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const port = await freePort();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    if (isCut) socket.pause();
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      keep(from);
      from.on('data', (part) => to.write(part));
      from.on('close', () => to.destroy());
    }
    if (isCut) near.pause();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  // A server that listens by TCP has an address with a port.
  const address = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${address.port}`,
    port,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    heal: () => {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
