import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import net, { connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openEgressProxy } from './egress-proxy.ts';
import { upstreamsIn } from './upstream-proxy.ts';
import { PATIENCE_MS } from '../../../../test/patience.given.ts';

async function given(allowed: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const said: string[] = [];
  const resolve = async (host: string): Promise<string> => {
    if (host === 'lost.example.com') throw new Error('nobody knows it');
    return host === 'astray.example.com' ? '169.254.169.254' : '127.0.0.1';
  };
  const upstreamOf = upstreamsIn(environment);
  const say = (sentence: string): number => said.push(sentence);
  const proxy = openEgressProxy({ allowed, resolve, upstreamOf, say });
  const folder = mkdtempSync(join(tmpdir(), 'heddle-proxy-'));
  const socket = join(folder, 'way');
  const listening = net.createServer();
  await new Promise<void>((resolveListening) => listening.listen(socket, resolveListening));
  proxy.serve(listening, '');
  onTestFinished(() => {
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { proxy, socket, said };
}

async function serving(): Promise<number> {
  const server: Server = createServer((asked, answer) =>
    answer.end(`${asked.method} ${asked.url} ${asked.headers.host}`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** As a program asks a proxy for a page that is not encrypted. */
const ask = (socketPath: string, url: string, body = ''): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asking = request({ socketPath, path: url, method: body === '' ? 'GET' : 'POST', headers: { Host: 'other' } });
    asking.on('error', reject);
    asking.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asking.end(body);
  });

/** As a program asks a proxy for a way to somewhere: all that comes back for what it says. */
const tunnel = (socketPath: string, destination: string, words: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(socketPath, () => socket.write(`CONNECT ${destination} HTTP/1.1\r\n\r\n`));
    let heard = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      heard += part;
      if (heard.endsWith('200 Connected\r\n\r\n')) socket.write(words);
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(heard));
  });

const PAGE = 'GET /page HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n';

test('the way out leads to hosts on the list, plain and encrypted', async () => {
  const port = await serving();
  const { socket, said } = await given([`localhost:${port}`]);
  expect(await ask(socket, `http://localhost:${port}/page?x=1`)).toEqual({
    status: 200,
    text: `GET /page?x=1 localhost:${port}`,
  });
  expect(await ask(socket, `http://localhost:${port}/`, 'words')).toMatchObject({ status: 200 });
  expect(await tunnel(socket, `localhost:${port}`, PAGE)).toContain('GET /page here');
  expect(said).toEqual([]);
});

test('a host that is not on the list is refused, and that is said once', async () => {
  const port = await serving();
  const { socket, said } = await given([`localhost:${port}`]);
  expect(await tunnel(socket, 'example.com:443', PAGE)).toContain('403');
  expect(await ask(socket, 'http://example.com/')).toMatchObject({ status: 403 });
  expect(await ask(socket, `http://127.0.0.1:${port}/`)).toMatchObject({ status: 403 });
  expect(said).toEqual([
    'example.com:443 may not be reached from this sandbox; sandbox.network of the plan says what may.',
    `127.0.0.1:${port} may not be reached from this sandbox; sandbox.network of the plan says what may.`,
  ]);
});

test('a name on the list that leads to this machine, or nowhere, leads nowhere', async () => {
  const { socket, said } = await given(['*.example.com']);
  expect(await tunnel(socket, 'astray.example.com:80', PAGE)).toContain('leads to 169.254.169.254');
  expect(await ask(socket, 'http://here.example.com/')).toMatchObject({ status: 403 });
  expect(await ask(socket, 'http://lost.example.com/')).toMatchObject({ status: 502 });
  const lost = 'No connection to lost.example.com: Error: nobody knows it.';
  expect(await tunnel(socket, 'lost.example.com:443', PAGE)).toMatch(new RegExp(`^HTTP/1.1 502 ${lost}\r\n`));
  expect(said.filter((sentence) => sentence === lost)).toHaveLength(1);
});

test('what is no destination, or does not answer, is said so', async () => {
  const { socket } = await given(['127.0.0.1:9']);
  expect(await ask(socket, '/plain')).toMatchObject({ status: 400 });
  expect(await ask(socket, 'https://127.0.0.1:9/')).toMatchObject({ status: 400 });
  expect(await ask(socket, 'http://127.0.0.1:9/')).toMatchObject({ status: 502 });
  expect(await tunnel(socket, '127.0.0.1:9', PAGE)).toMatch(/^HTTP\/1.1 502 .*ECONNREFUSED/);
});

test('a proxy that is closed is gone, with all that was open through it', async () => {
  const port = await serving();
  const { proxy, socket } = await given([`localhost:${port}`]);
  const open = tunnel(socket, `localhost:${port}`, '');
  await expect.poll(() => existsSync(socket), { timeout: PATIENCE_MS }).toBe(true);
  proxy.close();
  await open.catch(() => undefined);
  expect(existsSync(socket)).toBe(false);
});

interface OwnProxy {
  readonly address: string;
  /** What it was asked for, and with which proof. */
  readonly asked: readonly string[];
}

/** A proxy as a company has one: it knows names that nobody else knows, and all of them lead to one server. */
async function givenOwnProxy(port: number, proof: string | undefined): Promise<OwnProxy> {
  const asked: string[] = [];
  const server = createServer((incoming, answer) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const isKnown = incoming.headers['proxy-authorization'] === proof;
    if (!isKnown) return void answer.writeHead(407).end();
    request({ port, host: '127.0.0.1', path: URL.parse(incoming.url ?? '')?.pathname }, (page) =>
      page.pipe(answer),
    ).end();
  });
  server.on('connect', (incoming, socket, head) => {
    asked.push(`CONNECT ${incoming.url}`);
    if (incoming.headers['proxy-authorization'] !== proof) return void socket.end('HTTP/1.1 407 Who?\r\n\r\n');
    const outside = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Go\r\n\r\n');
      outside.write(head);
      outside.pipe(socket).pipe(outside);
    });
    outside.on('error', () => socket.destroy());
    socket.on('error', () => outside.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return { address: `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, asked };
}

const PROOF = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;

test('the way goes on through the proxy that the environment names, which knows names that we do not', async () => {
  const own = await givenOwnProxy(await serving(), PROOF);
  const { socket, said } = await given(['lost.example.com', 'found.example.org'], {
    HTTPS_PROXY: `http://me:p%40ss@${own.address}`,
    http_proxy: `me:p%40ss@${own.address}`,
  });
  expect(await tunnel(socket, 'lost.example.com:443', PAGE)).toContain('GET /page here');
  expect(await ask(socket, 'http://lost.example.com/page?x=1')).toMatchObject({ status: 200 });
  expect(own.asked).toEqual(['CONNECT lost.example.com:443', 'GET http://lost.example.com/page?x=1']);
  expect(said).toEqual([]);
});

test('what is not on the list, is this machine, or is excepted does not go through it', async () => {
  const port = await serving();
  const own = await givenOwnProxy(port, undefined);
  const environment = { ALL_PROXY: `http://${own.address}`, NO_PROXY: 'lost.example.com' };
  const { socket } = await given([`localhost:${port}`, '*.example.com'], environment);
  expect(await tunnel(socket, `localhost:${port}`, PAGE)).toContain('GET /page here');
  expect(await tunnel(socket, 'elsewhere.org:443', PAGE)).toContain('403');
  expect(await tunnel(socket, 'astray.example.com:443', PAGE)).toContain('leads to 169.254.169.254');
  expect(await tunnel(socket, 'lost.example.com:443', PAGE)).toContain('nobody knows it');
  expect(own.asked).toEqual([]);
});

test('a proxy that opens no way is named without its password', async () => {
  const own = await givenOwnProxy(await serving(), PROOF);
  const refusing = await given(['lost.example.com'], { HTTPS_PROXY: `http://me:100%wrong@${own.address}` });
  expect(await tunnel(refusing.socket, 'lost.example.com:443', PAGE)).toMatch(
    `HTTP/1.1 502 The proxy ${own.address} opened no way to lost.example.com:443: it answered 407.`,
  );
  const gone = await given(['lost.example.com'], { HTTPS_PROXY: 'http://me:secret@127.0.0.1:9' });
  const heard = await tunnel(gone.socket, 'lost.example.com:443', PAGE);
  expect(heard).toMatch(/502 The proxy 127\.0\.0\.1:9 opened no way to lost\.example\.com:443: .*ECONNREFUSED/);
  expect(heard).not.toContain('secret');
});
