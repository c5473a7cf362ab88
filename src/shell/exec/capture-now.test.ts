import { expect, test } from 'vitest';
import { captureNow } from './capture-now.ts';

test('a command is captured with its exit code and both of its streams', () => {
  const command = ['sh', '-c', 'echo "$NAME"; pwd; echo wrong >&2; exit 3'];
  expect(captureNow(command, { cwd: '/', environment: { NAME: 'value' } })).toEqual({
    code: 3,
    stdout: 'value\n/\n',
    stderr: 'wrong\n',
    error: undefined,
  });
});

test('a command that is not there, or takes too long, has no exit code and says why', () => {
  expect(captureNow(['/has/no/such/program'])).toMatchObject({
    code: undefined,
    error: expect.stringContaining('ENOENT'),
  });
  expect(captureNow(['sleep', '300'], { timeoutMs: 50 })).toMatchObject({
    code: undefined,
    error: expect.stringContaining('ETIMEDOUT'),
  });
});
