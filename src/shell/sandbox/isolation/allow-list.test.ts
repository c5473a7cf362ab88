import { describe, expect, test } from 'vitest';
import { destinationOf, isAllowed, mayLeadTo } from './allow-list.ts';

describe('a list of hosts', () => {
  const allows = (entry: string, host: string, port = 443): boolean => isAllowed([entry], { host, port });

  test('lets through who is on it by name, by suffix or by address, and nobody who only looks like it', () => {
    expect(allows('api.example.com', 'api.example.com')).toBe(true);
    expect(allows('API.example.com', 'api.example.com')).toBe(true);
    expect(allows('*.example.com', 'a.b.example.com')).toBe(true);
    expect(allows('*.example.com', 'example.com')).toBe(false);
    expect(allows('*.example.com', 'badexample.com')).toBe(false);
    expect(allows('example.com', 'example.com.evil.org')).toBe(false);
    expect(allows('*.0.0.1', '127.0.0.1')).toBe(false);
    expect(allows('::1', '::1')).toBe(true);
  });

  test('may name a port, and then means no other', () => {
    expect(allows('localhost:5432', 'localhost', 5432)).toBe(true);
    expect(allows('localhost:5432', 'localhost', 80)).toBe(false);
    expect(allows('*.example.com:443', 'a.example.com', 80)).toBe(false);
  });
});

test('a destination is a host and a port, or none at all', () => {
  expect(destinationOf('Example.com.:443', 80)).toEqual({ host: 'example.com', port: 443 });
  expect(destinationOf('[::1]:8080', 80)).toEqual({ host: '::1', port: 8080 });
  expect(destinationOf('example.com', 80)).toEqual({ host: 'example.com', port: 80 });
  for (const text of ['', 'a b', 'user@example.com', 'http://example.com/', 'example.com:0', 'example.com:99999'])
    expect(destinationOf(text, 80)).toBeUndefined();
});

test('a name leads to this machine only when it says so', () => {
  expect(mayLeadTo('evil.example.com', '127.0.0.1')).toBe(false);
  expect(mayLeadTo('evil.example.com', '169.254.169.254')).toBe(false);
  expect(mayLeadTo('evil.example.com', '::1')).toBe(false);
  expect(mayLeadTo('evil.example.com', '::ffff:127.0.0.1')).toBe(false);
  expect(mayLeadTo('localhost', '127.0.0.1')).toBe(true);
  expect(mayLeadTo('127.0.0.1', '127.0.0.1')).toBe(true);
  expect(mayLeadTo('registry.corp', '10.1.2.3')).toBe(true);
});
