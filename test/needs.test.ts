import { expect, test, vi } from 'vitest';
import { need } from './needs.given.ts';

const MISSING = { name: 'isolation', missing: 'bubblewrap does not work here' } as const;

/** What is said when the test is skipped, or why it fails. */
function saidOf(
  required: string,
  missing: typeof MISSING | { readonly name: 'isolation'; readonly missing: undefined },
) {
  vi.stubEnv('HEDDLE_REQUIRE', required);
  const skip = vi.fn<(note?: string | boolean) => never>();
  try {
    need({ skip }, missing);
  } finally {
    vi.unstubAllEnvs();
  }
  return skip.mock.calls.flat();
}

test('a test whose need is not met is skipped with the reason', () => {
  expect(saidOf('', MISSING)).toEqual(['bubblewrap does not work here']);
  expect(saidOf('agents,terminal', MISSING)).toEqual(['bubblewrap does not work here']);
});

test('a test whose need is required fails where it is not met, in a sentence', () => {
  expect(() => saidOf('agents,isolation', MISSING)).toThrow(
    'HEDDLE_REQUIRE names isolation, so nothing of it may be skipped: bubblewrap does not work here.',
  );
});

test('a test whose need is met runs', () => {
  expect(saidOf('isolation', { name: 'isolation', missing: undefined })).toEqual([]);
});
