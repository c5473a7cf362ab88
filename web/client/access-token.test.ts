import { expect, test } from 'vitest';
import { takeToken } from './access-token.ts';

function given(hash: string, kept: string | null = null) {
  const seen = { url: '', kept };
  const token = takeToken({
    location: { hash, pathname: '/', search: '' },
    history: { replaceState: (_data, _unused, url) => void (seen.url = url) },
    sessionStorage: { getItem: () => seen.kept, setItem: (_name, value) => void (seen.kept = value) },
  });
  return { token, ...seen };
}

test('the token leaves the address at once and stays for this tab', () => {
  expect(given('#token=abc')).toEqual({ token: 'abc', url: '/', kept: 'abc' });
});
test('a link with a token may lead to a page', () => {
  expect(given(`#token=abc&to=${encodeURIComponent('/p/x/r/y/run?at=3')}`).url).toBe('/#/p/x/r/y/run?at=3');
});
test('an address without a token uses the one that the tab has', () => {
  expect(given('#/inbox', 'abc')).toEqual({ token: 'abc', url: '', kept: 'abc' });
  expect(given('#/inbox').token).toBeUndefined();
});
