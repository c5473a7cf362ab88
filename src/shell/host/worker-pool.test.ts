import { afterEach, describe, expect, test } from 'vitest';
import { Crew, IDLE_MS } from './worker-pool.ts';

const PROGRAM = `process.on('message', () => {})`;

let crews: Crew<string>[] = [];
afterEach(async () => {
  for (const crew of crews) await crew.close();
  crews = [];
});

/** A crew by a clock of the test's own. */
function given(width: number, program: readonly string[] = [process.execPath, '-e', PROGRAM]) {
  let now = 0;
  let onFailed = (): void => {};
  const failed = new Promise<void>((resolve) => (onFailed = resolve));
  const crew = new Crew<string>({
    program,
    cwd: '.',
    environment: {},
    errors: 'ignore',
    width,
    clock: { now: () => now, monotonic: () => now },
    onMessage: () => {},
    onExit: () => {},
    onFailed,
  });
  crews.push(crew);
  const take = () => {
    const found = crew.find();
    return found.type === 'found' ? found.member : undefined;
  };
  return { crew, take, failed, pass: (ms: number): number => (now += ms) };
}

describe('a crew', () => {
  test('starts nobody before there is anything to do, and then one for each who asks', () => {
    const { crew, take } = given(8);
    expect(crew.size).toBe(0);
    expect([take(), take(), take()]).not.toContain(undefined);
    expect(crew.size).toBe(3);
  });

  test('is never larger than it may be', () => {
    const { crew, take } = given(3);
    expect([take(), take(), take(), take()].map((member) => member !== undefined)).toEqual([true, true, true, false]);
    expect(crew.find()).toEqual({ type: 'wait', ms: undefined });
    expect(crew.size).toBe(3);
  });

  test('gives who is idle before it starts another', () => {
    const { crew, take } = given(8);
    const first = take();
    if (first !== undefined) crew.release(first);
    expect(take()).toBe(first);
    expect(take()).not.toBe(first);
    expect(crew.size).toBe(2);
  });

  test('lets those go that have been idle for long', () => {
    const { crew, take, pass } = given(8);
    const members = [take(), take()].flatMap((member) => member ?? []);
    members.forEach((member) => crew.release(member));
    pass(IDLE_MS - 1);
    expect(crew.trim()).toBe(true);
    pass(1);
    expect(crew.trim()).toBe(false);
    expect(members.map((member) => member.isConnected())).toEqual([false, false]);
  });

  test('backs off after a start that failed', async () => {
    const { crew, take, failed, pass } = given(8, ['/has/no/such/program']);
    take();
    await failed;
    expect(crew.find()).toEqual({ type: 'wait', ms: 1_000 });
    pass(1_000);
    expect(take()).toBeDefined();
  });
});
