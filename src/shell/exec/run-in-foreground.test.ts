import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runInForeground } from './run-in-foreground.ts';

test('a program in the foreground ends with its code, its signal, or the reason why it was not started', async () => {
  expect(await runInForeground(['sh', '-c', 'exit 3'])).toEqual({ type: 'exited', code: 3 });
  expect(await runInForeground(['sh', '-c', 'kill -9 $$'])).toEqual({ type: 'killed', signal: 'SIGKILL' });
  expect(await runInForeground(['/has/no/such/program'])).toMatchObject({ type: 'unstarted' });
});

test('what it prints goes to our own streams, or to standard error alone', () => {
  const file = JSON.stringify(join(import.meta.dirname, 'run-in-foreground.ts'));
  const run = (options: string) =>
    spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { runInForeground } from ${file}; await runInForeground(['echo', 'hello'], ${options});`,
      ],
      { encoding: 'utf8' },
    );
  expect(run('{}')).toMatchObject({ stdout: 'hello\n', stderr: '' });
  expect(run('{ isOnStderr: true }')).toMatchObject({ stdout: '', stderr: 'hello\n' });
});
