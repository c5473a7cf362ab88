// Who may call the server, and what nobody may: other sites, rebound names, callers without the token, odd paths.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import * as https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventsOf, givenRun, projectInMemory, type GivenProject } from '../app/web/served-project.given.ts';
import { call, givenPage, givenWebServer } from './web-client.given.ts';

function givenProject(): GivenProject {
  const project = projectInMemory();
  givenRun(project, eventsOf('ship: { gate: "Ship it?" }'));
  return project;
}

describe('the guard of the server', () => {
  test('a name that was rebound to this machine is refused, for the page and for data', async () => {
    const { call: ask } = await givenWebServer([givenProject().served]);
    for (const path of ['/', '/api/runs', '/assets/page-abc123.js']) {
      const { status, json } = await ask(path, { headers: { host: 'evil.example:80' } });
      expect([path, status, json]).toEqual([path, 421, { code: 'wrong-host' }]);
    }
    const { server } = await givenWebServer([givenProject().served]);
    const other = await call(server.port, '/', { headers: { host: '127.0.0.1:1' } });
    expect(other.status).toBe(421);
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect((await call(server.port, '/', { headers: { host: `${host}:${server.port}` } })).status).toBe(200);
  });

  test('the names of the certificate are names of the server, also behind a port that is forwarded', async () => {
    const tls = certificateFor('*.example.org');
    const { server } = await givenWebServer([], { tls });
    const statusFor = async (host: string): Promise<number | undefined> => {
      const request = https.request({
        host: '127.0.0.1',
        port: server.port,
        ca: tls.cert,
        servername: 'a.example.org',
        headers: { host },
      });
      // The event has one argument.
      const [response] = (await once(request.end(), 'response')) as [IncomingMessage];
      return response.resume().statusCode;
    };
    expect(await statusFor(`one.example.org:${server.port}`)).toBe(200);
    expect(await statusFor('two.example.org')).toBe(200);
    expect(await statusFor(`example.com:${server.port}`)).toBe(421);
  });

  test('a page of another site is refused, even with the token', async () => {
    const { call: ask, base } = await givenWebServer([givenProject().served]);
    const send = async (headers: Readonly<Record<string, string>>): Promise<unknown> => {
      const { status, json } = await ask('/api/runs', { headers });
      return status === 200 ? 200 : [status, json];
    };
    expect(await send({ origin: 'https://evil.example' })).toEqual([403, { code: 'wrong-origin' }]);
    expect(await send({ origin: 'null' })).toEqual([403, { code: 'wrong-origin' }]);
    expect(await send({ origin: base.replace('http:', 'ftp:') })).toEqual([403, { code: 'wrong-origin' }]);
    expect(await send({ 'sec-fetch-site': 'cross-site' })).toEqual([403, { code: 'cross-site' }]);
    expect(await send({ 'sec-fetch-site': 'same-site' })).toEqual([403, { code: 'cross-site' }]);
    expect(await send({ origin: base, 'sec-fetch-site': 'same-origin' })).toBe(200);
  });

  test('nothing of the data is shown without the token', async () => {
    const project = givenProject();
    const { server, token } = await givenWebServer([project.served]);
    const paths = ['/api/runs', '/api/inbox', '/api/stream', `/api/p/${project.served.id}/r/given-1/status`, '/api/x'];
    for (const path of paths) {
      expect((await call(server.port, path, {})).json).toEqual({ code: 'no-token' });
      expect((await call(server.port, `${path}?token=${token}`, {})).status).toBe(401);
      const wrong = await call(server.port, path, { headers: { authorization: `Bearer ${token.slice(1)}x` } });
      expect([wrong.status, wrong.json]).toEqual([401, { code: 'wrong-token' }]);
    }
    expect((await call(server.port, '/', {})).status).toBe(200);
  });

  test('every reply has the policy, and no reply has the token', async () => {
    const { call: ask, token } = await givenWebServer([givenProject().served]);
    for (const path of ['/', '/assets/page-abc123.js', '/api/runs', '/api/x', '/x']) {
      const { headers, text } = await ask(path);
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; require-trusted-types-for 'script'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      );
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(text + JSON.stringify(headers)).not.toContain(token);
    }
  });

  test('no file of the project, and no environment of this process, has the token', async () => {
    const project = givenProject();
    const { token } = await givenWebServer([project.served]);
    const texts = filesBelow(project.root).map((file) => readFileSync(file, 'latin1'));
    expect([...texts, JSON.stringify(process.env), process.argv.join(' ')].join('\n')).not.toContain(token);
  });
});

/** Signed by itself. */
function certificateFor(name: string): { readonly cert: Buffer; readonly key: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=here', '-addext', `subjectAltName=DNS:${name}`];
  execFileSync('openssl', [...words, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { cert: readFileSync(cert), key: readFileSync(key) };
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());

describe('the files of the page', () => {
  test('assets are kept for ever and the index is asked for again', async () => {
    const { call: ask } = await givenWebServer([]);
    const index = await ask('/');
    expect([index.text, index.headers['cache-control']]).toEqual(['<!doctype html><title>Heddle</title>', 'no-cache']);
    const asset = await ask('/assets/page-abc123.js');
    expect(asset.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  test('no path leads to another file', async () => {
    const page = givenPage();
    symlinkSync(join(page, 'secret.txt'), join(page, 'assets', 'link.txt'));
    const { call: ask } = await givenWebServer([], { page });
    const paths = [
      '/secret.txt',
      '/assets/../secret.txt',
      '/assets/..%2fsecret.txt',
      '/assets/%2e%2e/secret.txt',
      '/assets/..\\secret.txt',
      '/assets/link.txt',
      '/assets/',
      '/assets',
      '/assets/page-abc123.js/x',
      '/index.html',
      '//evil.example/',
      '/assets/page-abc123.js%00',
    ];
    for (const path of paths) {
      const { status, text } = await ask(path);
      expect([path, status]).toEqual([path, path.startsWith('//') ? 400 : 404]);
      expect(text).not.toContain('not for the web');
    }
  });

  test('a page that was not built is reported with a code', async () => {
    const { call: ask } = await givenWebServer([], { page: '/nowhere' });
    expect((await ask('/')).json).toEqual({ code: 'page-not-built' });
  });
});

describe('the code that a browser is opened with', () => {
  test('gives the token once', async () => {
    const { server, token } = await givenWebServer([]);
    const { pathname } = new URL(server.urlToOpen());
    const first = await call(server.port, pathname, {});
    expect([first.status, first.headers.location]).toEqual([303, `/#token=${token}`]);
    expect((await call(server.port, '/open/x', {})).json).toEqual({ code: 'code-used' });
  });

  test('used twice, replaces the token: one of the two was not the browser', async () => {
    let replaced = 0;
    const { server, token, call: ask } = await givenWebServer([], { onReplaced: () => (replaced += 1) });
    const { pathname } = new URL(server.urlToOpen());
    await call(server.port, pathname, {});
    expect((await call(server.port, pathname, {})).status).toBe(403);
    expect(replaced).toBe(1);
    expect((await ask('/api/runs')).json).toEqual({ code: 'wrong-token' });
    expect(server.url()).not.toContain(token);
  });
});
