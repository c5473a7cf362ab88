import { afterEach, describe, expect, test } from 'vitest';
import { Crew } from './crew.ts';

const MOMENT_MS = 15;
const PROGRAM = `process.on('message', () => {}); process.send({ type: 'ready' })`;

let crews: Crew<string>[] = [];
afterEach(async () => {
  for (const crew of crews) await crew.close();
  crews = [];
});

/** A crew by a clock of the test's own, on two cores: two workers are its first few. */
function given(width: number, first = 0) {
  let now = 0;
  let heard = 0;
  let onHeard = (): void => {};
  const crew = new Crew<string>({
    program: [process.execPath, '-e', PROGRAM],
    cwd: '.',
    environment: {},
    errors: 'ignore',
    width,
    cores: 2,
    clock: { now: () => now, monotonic: () => now },
    onMessage: () => {
      heard += 1;
      onHeard();
    },
    onExit: () => {},
    onFailed: () => {},
  });
  crews.push(crew);
  crew.warm(first);
  const ready = (workers: number): Promise<void> =>
    new Promise((resolve) => {
      onHeard = () => {
        if (heard >= workers) resolve();
      };
      onHeard();
    });
  const take = (since = 0) => {
    const found = crew.find(since);
    return found.type === 'found' ? found.member : undefined;
  };
  return { crew, ready, take, pass: (ms: number): number => (now += ms) };
}

describe('a crew', () => {
  test('starts a few workers before there is anything to do', () => {
    expect(given(8).crew.size).toBe(2);
    expect(given(1).crew.size).toBe(1);
    expect(given(8, 5).crew.size).toBe(5);
    expect(given(3, 5).crew.size).toBe(3);
  });

  test('starts no more until the first have come up, and then one for each who has waited a moment', async () => {
    const { crew, ready, take, pass } = given(5);
    expect([take(), take(), take()]).toEqual([expect.anything(), expect.anything(), undefined]);
    pass(MOMENT_MS);
    expect(take()).toBeUndefined();
    await ready(2);
    expect(take()).toBeUndefined();
    pass(MOMENT_MS);
    expect([take(), take(), take()]).not.toContain(undefined);
    expect(crew.size).toBe(5);
  });

  test('is never larger than it may be', async () => {
    const { crew, ready, take, pass } = given(3);
    await ready(2);
    pass(1_000);
    expect([take(), take(), take(), take()].map((member) => member !== undefined)).toEqual([true, true, true, false]);
    expect(crew.size).toBe(3);
  });

  test('lets short steps share workers, but nobody wait for long', async () => {
    const { crew, ready, take, pass } = given(8);
    await ready(2);
    const [first] = [take(), take()];
    const since = pass(1_000);
    for (let count = 0; count < 5; count += 1) {
      pass(MOMENT_MS);
      if (first !== undefined) crew.release(first, MOMENT_MS - 1);
      expect(take(since)).toBe(first);
      expect(take(since)).toBeUndefined();
    }
    expect(crew.size).toBe(2);
    pass(5 * MOMENT_MS);
    if (first !== undefined) crew.release(first, MOMENT_MS - 1);
    expect([take(since), take(since)]).not.toContain(undefined);
    expect(crew.size).toBe(3);
  });

  test('gives everybody a worker when steps are long', async () => {
    const { crew, ready, take, pass } = given(8);
    await ready(2);
    const first = take();
    pass(1_000);
    if (first !== undefined) crew.release(first, 1_000);
    expect(take()).toBe(first);
    expect([take(), take()]).not.toContain(undefined);
    expect(crew.size).toBe(3);
  });

  test.each([
    { workedMs: 1, most: 3 },
    { workedMs: MOMENT_MS / 4, most: 2 },
    { workedMs: MOMENT_MS - 1, most: 1 },
  ])('lines up $most at most for each that is busy after a step of $workedMs ms', async ({ workedMs, most }) => {
    const { crew, ready, take, pass } = given(8);
    await ready(2);
    const busy = [take(), take()].flatMap((member) => member ?? []);
    for (const member of busy) member.job = 'at work';
    pass(1_000);
    for (const member of busy) {
      crew.release(member, workedMs);
      expect(take()).toBe(member);
      member.job = 'at work';
    }
    const lines = (): readonly number[] =>
      busy.map(({ ahead }) => ahead.length).toSorted((left, right) => left - right);
    for (let count = 0; count < 2 * most; count += 1) {
      const found = crew.find(1_000);
      if (found.type === 'soon') found.member.ahead = [...found.member.ahead, `next ${count}`];
      expect(lines()).toEqual([Math.floor((count + 1) / 2), Math.ceil((count + 1) / 2)]);
    }
    expect(crew.find(1_000)).toMatchObject({ type: 'wait' });
    const [first] = busy;
    if (first !== undefined) crew.release(first, workedMs);
    expect(first?.job).toMatch(/^next [01]$/);
    expect(lines()).toEqual([most - 1, most]);
  });
});
