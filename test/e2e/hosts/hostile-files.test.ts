// Uploads to a real server by hosts that mean harm: nothing but files of their own claims is ever written.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fakeHostAt, givenServed } from './serve.given.ts';

const HEAD = '{"from":0,"isEnd":true}\n';

test('a host writes files of its own claims, under our names, within limits, and nothing else', async () => {
  const { serve, token, begin, project } = givenServed(
    'heddle: 1\nname: two\nsandbox: { isolation: none }\ntasks:\n  a: { run: echo a }\n  b: { needs: [a], run: echo b }\n',
  );
  const server = await serve('--width', '0');
  const [one, two] = [token('one'), token('two')];
  const host = fakeHostAt(server, one);
  begin('run', 'plan.yaml', '--detach');
  const { claim } = await host.awaits('a');
  const post = async (secret: string, path: string, body: string | Uint8Array, zipped = false): Promise<number> => {
    const encoding = zipped ? { 'content-encoding': 'gzip' } : undefined;
    const headers = { authorization: `Bearer ${secret}`, ...encoding };
    return (await fetch(`${server.base}/hosts/${path}`, { method: 'POST', headers, body })).status;
  };
  const own = `artifacts/two-1/${claim.task}/main/1`;
  expect(await post(one, `${own}/output`, `${HEAD}said\n`)).toBe(200);
  expect(await post(one, `${own}/turn`, gzipSync(`${HEAD}{}`), true)).toBe(200);
  // Another host, another attempt, another task, another run, and no host at all.
  expect(await post(two, `${own}/output`, `${HEAD}lies`)).toBe(403);
  expect(await post(one, 'artifacts/two-1/a/main/2/output', `${HEAD}lies`)).toBe(403);
  expect(await post(one, 'artifacts/two-1/b/main/1/output', `${HEAD}lies`)).toBe(403);
  expect(await post(one, 'artifacts/two-9/a/main/1/output', `${HEAD}lies`)).toBe(403);
  expect(await post('x'.repeat(43), `${own}/output`, `${HEAD}lies`)).toBe(401);
  // Names that are none, and paths that lead elsewhere.
  for (const path of [
    `${own}/store.db`,
    `${own}/..%2F..%2Fx`,
    'artifacts/two-1/..%2F..%2F../main/1/output',
    'artifacts/x',
  ])
    expect([path, await post(one, path, `${HEAD}lies`)]).toEqual([
      path,
      expect.toSatisfy((status: number) => status >= 400),
    ]);
  expect(await post(one, `${own}/output`, 'no head')).toBe(400);
  // A small body that unpacks to a large one.
  expect(await post(one, `${own}/transcript`, gzipSync(Buffer.alloc(70 * 1024 * 1024)), true)).toBe(413);
  expect(await post(one, 'conversation', JSON.stringify({ run: 'two-1', claim }))).toBe(404);
  expect(await post(one, 'conversation', JSON.stringify({ run: '../..', claim }))).toBe(400);
  const folder = join(project.folder, '.heddle', 'runs', 'two-1');
  expect(readFileSync(join(folder, 'a.main.1', 'output.log'), 'utf8')).toBe('said\n');
  expect(readdirSync(folder).filter((name) => !name.startsWith('@'))).toEqual(['a.main.1']);
  expect(existsSync(join(project.folder, 'x'))).toBe(false);
});
