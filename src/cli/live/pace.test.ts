import { expect, test, vi } from 'vitest';
import { keepPace } from './pace.ts';
import { PATIENCE_MS } from '../../../test/patience.given.ts';

test('many changes at once are painted a few times, and the last of them is seen', async () => {
  let changes = 0;
  const seen: number[] = [];
  const pace = keepPace({ paint: () => void seen.push(changes), tick: () => {} });
  for (; changes < 1_000; changes += 1) {
    pace.touch();
    if (changes % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  pace.touch();
  await vi.waitFor(() => expect(seen.at(-1)).toBe(1_000), { timeout: PATIENCE_MS });
  pace.end();
  expect(seen.length).toBeLessThan(100);
});

test('a key is answered at once', () => {
  let painted = 0;
  const pace = keepPace({ paint: () => void (painted += 1), tick: () => {} });
  pace.hurry();
  pace.hurry();
  pace.end();
  expect(painted).toBe(2);
});
