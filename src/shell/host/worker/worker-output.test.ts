// What is kept of what a step prints.
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { OUTPUT_FILE_MAX } from '../../exec/output-files.ts';
import { carriedOut, outputIn, testInWorld } from './worker.given.ts';

const responseIn = (outcome: object): string =>
  'result' in outcome && typeof outcome.result === 'object' && outcome.result !== null && 'response' in outcome.result
    ? String(outcome.result.response)
    : '';

testInWorld.concurrent(
  'fifty thousand lines are kept in request, and the last of them are the response',
  async ({ world }) => {
    const { outcome, folder } = await carriedOut(world, { command: 'seq 1 50000' });
    const lines = Array.from({ length: 50_000 }, (_, index) => `${index + 1}\n`).join('');
    expect(outputIn(folder).toString()).toBe(lines);
    expect(responseIn(outcome)).toBe(lines.slice(-100_000, -1));
  },
);

testInWorld.concurrent('many lines written one by one are kept in request', async ({ world }) => {
  const { folder } = await carriedOut(world, { command: 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo $i; done' });
  const lines = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('');
  expect(outputIn(folder).toString()).toBe(lines);
});

testInWorld.concurrent('binary output is kept byte for byte', async ({ world }) => {
  const { outcome, folder } = await carriedOut(world, { command: 'head -c 3000000 /dev/urandom | tee copy' });
  const hash = (name: string) => createHash('sha256').update(outputIn(folder, name)).digest('hex');
  expect(hash('output.log')).toBe(hash('copy'));
  expect(Buffer.byteLength(responseIn(outcome))).toBeLessThanOrEqual(100_000);
});

testInWorld.concurrent('a response that is cut begins with a whole character', async ({ world }) => {
  const { outcome } = await carriedOut(world, {
    command: `i=0; while [ $i -lt 300 ]; do printf '%0200d' 0 | sed 's/0/€/g'; i=$((i+1)); done; echo x`,
  });
  const response = responseIn(outcome);
  expect(response).toMatch(/^€+x$/);
  expect(Buffer.byteLength(response)).toBeGreaterThan(99_990);
});

testInWorld.concurrent(
  'output beyond four files is dropped from its beginning, and the oldest says how much',
  async ({ world }) => {
    const { folder } = await carriedOut(world, { command: 'seq 1 6000000' });
    expect(
      readdirSync(folder)
        .filter((name) => name.startsWith('output'))
        .toSorted(),
    ).toEqual(['output.1.log', 'output.2.log', 'output.3.log', 'output.log']);
    for (const age of [1, 2, 3]) expect(statSync(join(folder, `output.${age}.log`)).size).toBe(OUTPUT_FILE_MAX);
    const kept = Buffer.concat(['.3', '.2', '.1', ''].map((age) => outputIn(folder, `output${age}.log`))).toString();
    const [remark = '', ...lines] = kept.split('\n');
    const dropped = Number(/^\[heddle: the first (\d+) bytes of this output were dropped\] *$/.exec(remark)?.[1]);
    const total = Array.from(
      { length: 7 },
      (_, digits) => Math.max(0, Math.min(9 * 10 ** digits, 6_000_001 - 10 ** digits)) * (digits + 2),
    ).reduce((sum, size) => sum + size, 0);
    expect(dropped + lines.join('\n').length).toBe(total);
    const first = Number(lines[0]);
    expect(lines.slice(0, -1).every((line, index) => Number(line) === first + index)).toBe(true);
    expect(lines.at(-2)).toBe('6000000');
  },
);
