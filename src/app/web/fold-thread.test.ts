import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { given } from '../../core/engine/run.given.ts';
import { Refused } from '../refused.ts';
import type { FoldName } from './fold-reads.ts';
import { FOLD_THREAD } from './fold-thread.ts';
import { givenRun, projectOnDisk } from './served-project.given.ts';

function givenAsk() {
  const project = projectOnDisk();
  const { run } = givenRun(project, given('a: { run: x }').log);
  project.store.close();
  return { run, ask: FOLD_THREAD.ask({ root: project.root, home: join(project.root, '.heddle') }) };
}

test('questions that are asked together are answered each, and a run that is not there is refused as elsewhere', async () => {
  const { run, ask } = givenAsk();
  const [status, missing, summaries] = await Promise.allSettled([
    ask('status', { run, at: undefined }),
    ask('status', { run: 'nobody-1', at: undefined }),
    ask('summaries', { known: [] }),
  ]);
  expect(status).toMatchObject({ status: 'fulfilled', value: { run } });
  expect(missing).toMatchObject({ status: 'rejected', reason: expect.any(Refused) });
  expect(summaries).toMatchObject({ value: [{ run: { run } }] });
});

test('a bug in one reading fails that question alone', async () => {
  const { run, ask } = givenAsk();
  // No reading has this name.
  const wrong = 'nothing' as FoldName;
  await expect(ask(wrong, { run, at: undefined })).rejects.toThrow('is not a function');
  await expect(ask('status', { run, at: undefined })).resolves.toMatchObject({ run });
});

test('a process that has asked ends at once, and does not wait for its thread', async () => {
  const project = projectOnDisk();
  givenRun(project, given('a: { run: x }').log);
  const of = JSON.stringify({ root: project.root, home: join(project.root, '.heddle') });
  const program = `
    import { FOLD_THREAD } from ${JSON.stringify(join(import.meta.dirname, 'fold-thread.ts'))};
    // As the server does while it listens.
    const listening = setInterval(() => undefined, 1_000);
    const [summary] = await FOLD_THREAD.ask(${of})('summaries', { known: [] });
    console.log(summary.run.run, process.getActiveResourcesInfo().includes('MessagePort'));
    clearInterval(listening);
  `;
  const file = join(project.root, 'asks.mjs');
  writeFileSync(file, program);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(said).toBe('given-1 false\n');
});
