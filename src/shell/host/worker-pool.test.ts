import { afterEach, describe, expect, test } from 'vitest';
import { WorkerPool, IDLE_MS } from './worker-pool.ts';

const PROGRAM = `process.on('message', () => {})`;

let pools: WorkerPool<string>[] = [];
afterEach(async () => {
  for (const pool of pools) await pool.close();
  pools = [];
});

/** A pool by a clock of the test's own. */
function given(workersMax: number, program: readonly string[] = [process.execPath, '-e', PROGRAM]) {
  let now = 0;
  let onFailed = (): void => {};
  const failed = new Promise<void>((resolve) => (onFailed = resolve));
  const pool = new WorkerPool<string>({
    program,
    cwd: '.',
    environment: {},
    errors: 'ignore',
    workersMax,
    clock: { now: () => now, monotonic: () => now },
    onMessage: () => {},
    onExit: () => {},
    onFailed,
  });
  pools.push(pool);
  const take = () => {
    const found = pool.find();
    return found.type === 'found' ? found.worker : undefined;
  };
  return { pool, take, failed, pass: (ms: number): number => (now += ms) };
}

describe('a pool of workers', () => {
  test('starts no worker before there is anything to do, and then one for each claim', () => {
    const { pool, take } = given(8);
    expect(pool.size).toBe(0);
    expect([take(), take(), take()]).not.toContain(undefined);
    expect(pool.size).toBe(3);
  });

  test('is never larger than it may be', () => {
    const { pool, take } = given(3);
    expect([take(), take(), take(), take()].map((worker) => worker !== undefined)).toEqual([true, true, true, false]);
    expect(pool.find()).toEqual({ type: 'wait', ms: undefined });
    expect(pool.size).toBe(3);
  });

  test('gives an idle worker before it starts another', () => {
    const { pool, take } = given(8);
    const first = take();
    if (first !== undefined) pool.release(first);
    expect(take()).toBe(first);
    expect(take()).not.toBe(first);
    expect(pool.size).toBe(2);
  });

  test('lets workers go that have been idle for long', () => {
    const { pool, take, pass } = given(8);
    const workers = [take(), take()].flatMap((worker) => worker ?? []);
    workers.forEach((worker) => pool.release(worker));
    pass(IDLE_MS - 1);
    expect(pool.trim()).toBe(true);
    pass(1);
    expect(pool.trim()).toBe(false);
    expect(workers.map((worker) => worker.isConnected())).toEqual([false, false]);
  });

  test('backs off after a start that failed', async () => {
    const { pool, take, failed, pass } = given(8, ['/has/no/such/program']);
    take();
    await failed;
    expect(pool.find()).toEqual({ type: 'wait', ms: 1_000 });
    pass(1_000);
    expect(take()).toBeDefined();
  });
});
