import { expect, test } from 'vitest';
import { upstreamsIn } from './upstream-proxy.ts';

const to = (host: string, port = 443) => ({ host, port });

test.each([
  [{}, undefined],
  [{ HTTPS_PROXY: '' }, undefined],
  [{ HTTPS_PROXY: 'http://one:1' }, 'http://one:1/'],
  [{ https_proxy: 'two:2', HTTPS_PROXY: 'http://one:1' }, 'http://two:2/'],
  [{ HTTP_PROXY: 'http://one:1' }, undefined],
  [{ ALL_PROXY: 'https://three' }, 'https://three/'],
  [{ ALL_PROXY: 'socks5://four:4' }, undefined],
  [{ HTTPS_PROXY: 'http://' }, undefined],
])('of %o a tunnel goes by %s', (environment, upstream) => {
  expect(upstreamsIn(environment)(to('example.com'), 'tunnel')?.href).toBe(upstream);
});

test('what is not encrypted goes by the name for that', () => {
  const upstreamOf = upstreamsIn({ HTTP_PROXY: 'http://one:1', HTTPS_PROXY: 'http://two:2' });
  expect(upstreamOf(to('example.com', 80), 'plain')?.host).toBe('one:1');
  expect(upstreamOf(to('example.com'), 'tunnel')?.host).toBe('two:2');
});

test.each([
  ['*', 'example.com', true],
  ['example.com', 'example.com', true],
  ['Example.com', 'api.example.com', true],
  ['.example.com', 'api.example.com', true],
  ['*.example.com', 'api.example.com', true],
  ['example.com', 'anexample.com', false],
  ['one.org, example.com', 'example.com', true],
  ['example.com:443', 'example.com', true],
  ['example.com:8443', 'example.com', false],
  ['10.0.0.0/8', '10.1.2.3', true],
  ['10.0.0.0/8', '11.1.2.3', false],
  ['10.0.0.0/8', 'example.com', false],
  ['10.0.0.0/99', '10.1.2.3', false],
  ['fd00::/8', 'fd00::1', true],
  ['10.1.2.3', '10.1.2.3', true],
  ['fd00::1', 'fd00::1', true],
  ['[fd00::1]', 'fd00::1', true],
  ['[fd00::1]:443', 'fd00::1', true],
  ['nothing', 'localhost', true],
  ['nothing', '127.0.0.1', true],
  [',', 'example.com', false],
])('NO_PROXY=%s excepts %s: %s', (NO_PROXY, host, isExcepted) => {
  const upstream = upstreamsIn({ HTTPS_PROXY: 'http://one:1', NO_PROXY })(to(host), 'tunnel');
  expect(upstream === undefined).toBe(isExcepted);
});
