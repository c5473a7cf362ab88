import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { notificationText } from '../../core/view/run/notification.ts';
import { bell, command, desktop } from './channel.ts';
import { notifyFolder, givenServer, never, NOTIFICATION } from './notify.given.ts';
import { webhook } from './webhook-channel.ts';
import { PATIENCE_MS } from '../../../test/patience.given.ts';

const environment = { PATH: process.env['PATH'] ?? '' };

/** A process that has ended, or was never there. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

/** The processes of a group, where the system shows them as files. */
function membersOf(group: number): readonly string[] {
  if (!existsSync('/proc/self/stat')) return [];
  return readdirSync('/proc').filter((name) => {
    try {
      return (
        /^\d+$/.test(name) && readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[2] === String(group)
      );
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

/** A program that sends NOTIFICATION by a command. */
const tellingOf = (given: string): string => `
  import { command } from ${JSON.stringify(join(import.meta.dirname, 'channel.ts'))};
  await command(${given}).deliver(${JSON.stringify(NOTIFICATION)}, new AbortController().signal);
`;

describe('a command', () => {
  test('gets the notification on its standard input and in variables', async () => {
    const cwd = notifyFolder();
    const line =
      'cat > in.json; printf "%s\\n" "$HEDDLE_NOTIFY_RUN" "$HEDDLE_NOTIFY_TRIGGER" "$HEDDLE_NOTIFY_TEXT" > env';
    expect(await command({ command: line, cwd, environment }).deliver(NOTIFICATION, never())).toEqual({
      type: 'replied',
    });
    expect(readFileSync(join(cwd, 'in.json'), 'utf8')).toBe(`${notificationText(NOTIFICATION)}\n`);
    expect(readFileSync(join(cwd, 'env'), 'utf8')).toBe(`checkout-3\nquestion\n${NOTIFICATION.text}\n`);
    expect(existsSync(join(cwd, 'hacked'))).toBe(false);
  });

  test('that fails says how, with its last words', async () => {
    const way = command({ command: 'echo no such channel >&2; exit 3', cwd: notifyFolder(), environment });
    expect(await way.deliver(NOTIFICATION, never())).toEqual({
      type: 'failed',
      message: 'ended with exit code 3: no such channel',
    });
  });

  test('that hangs is ended with all that it has started', async () => {
    const cwd = notifyFolder();
    const way = command({ command: 'sleep 300 & echo $! > pid; wait', cwd, environment, limitMs: 500 });
    expect(await way.deliver(NOTIFICATION, never())).toEqual({
      type: 'failed',
      message: 'was ended: it took longer than 0.5 s.',
    });
    const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'));
    await vi.waitFor(() => expect(isGone(pid)).toBe(true), { timeout: PATIENCE_MS });
  });

  test('that hangs is ended with all that it has started when the process that started it is killed', async () => {
    const cwd = notifyFolder();
    const given = JSON.stringify({ command: 'sleep 300 & echo $! > started; mv started pid; wait', cwd, environment });
    const teller = spawn(process.execPath, ['--input-type=module', '-e', tellingOf(given)], { stdio: 'inherit' });
    onTestFinished(() => void teller.kill('SIGKILL'));
    await vi.waitFor(() => expect(existsSync(join(cwd, 'pid'))).toBe(true), { timeout: PATIENCE_MS });
    teller.kill('SIGKILL');
    const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'));
    await vi.waitFor(() => expect(isGone(pid)).toBe(true), { timeout: PATIENCE_MS });
  });

  test('that is over leaves what it has put into the background', async () => {
    const cwd = notifyFolder();
    const line = 'sleep 300 & echo $$ $! > pids';
    expect(await command({ command: line, cwd, environment }).deliver(NOTIFICATION, never())).toEqual({
      type: 'replied',
    });
    const [group = 0, pid = 0] = readFileSync(join(cwd, 'pids'), 'utf8').split(' ').map(Number);
    onTestFinished(() => {
      if (!isGone(pid)) process.kill(pid, 'SIGKILL');
    });
    // By then the process that waited for our exit is gone, and has killed nothing.
    await vi.waitFor(() => expect(membersOf(group).length).toBeLessThanOrEqual(1), { timeout: PATIENCE_MS });
    expect(isGone(pid)).toBe(false);
  });

  test('that does not read what it is told is told all the same', async () => {
    const way = command({ command: 'exec 0<&-; exit 0', cwd: notifyFolder(), environment });
    const long = { ...NOTIFICATION, text: 'x'.repeat(2_000_000) };
    // A text too long for any environment is not the command's fault, so only its input is long here.
    expect((await way.deliver({ ...NOTIFICATION, commands: [long.text] }, never())).type).toBe('replied');
  });

  test('in a folder that is not there could not be started', async () => {
    const way = command({ command: 'true', cwd: join(notifyFolder(), 'no'), environment });
    expect(await way.deliver(NOTIFICATION, never())).toMatchObject({
      type: 'failed',
      message: expect.stringContaining('could not'),
    });
  });

  test('is ended when nobody waits any more', async () => {
    const giveUp = new AbortController();
    const told = command({ command: 'sleep 300', cwd: notifyFolder(), environment }).deliver(
      NOTIFICATION,
      giveUp.signal,
    );
    giveUp.abort();
    expect(await told).toMatchObject({
      type: 'failed',
      message: expect.stringContaining('the run is over'),
    });
  });
});

describe('the desktop', () => {
  /** A program of that name that writes its arguments down, one a line. */
  function standIn(folder: string, name: string, then = ''): string {
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, name), `#!/bin/sh\nfor word; do printf '%s\\n' "$word"; done > said\n${then}\n`);
    chmodSync(join(bin, name), 0o755);
    return bin;
  }

  test('is told by notify-send, in words that are neither options nor markup', async () => {
    const cwd = notifyFolder();
    const way = desktop({ cwd, environment: { PATH: `${standIn(cwd, 'notify-send')}:/usr/bin:/bin` } });
    expect(await way.deliver(NOTIFICATION, never())).toEqual({ type: 'replied' });
    expect(readFileSync(join(cwd, 'said'), 'utf8').split('\n')).toEqual([
      '--app-name=Heddle',
      '--urgency=critical',
      '--',
      'api/code of checkout-3 asks you',
      'Which &lt;b&gt;one&lt;/b&gt; &amp; why? "$(touch hacked)" `touch hacked` --help',
      '',
    ]);
  });

  test('is told by osascript, where the words are arguments and no script', async () => {
    const cwd = notifyFolder();
    const way = desktop({ cwd, environment: { PATH: standIn(cwd, 'osascript') } });
    expect(await way.deliver(NOTIFICATION, never())).toEqual({ type: 'replied' });
    const said = readFileSync(join(cwd, 'said'), 'utf8').split('\n');
    expect(said.filter((_, at) => said[at - 1] === '-e').join(' ')).not.toContain('hacked');
    expect(said.at(-2)).toContain('$(touch hacked)');
  });

  test('that has neither says so', async () => {
    const way = desktop({ cwd: notifyFolder(), environment: { PATH: notifyFolder() } });
    expect(await way.deliver(NOTIFICATION, never())).toMatchObject({
      type: 'failed',
      message: expect.stringContaining('neither notify-send nor osascript'),
    });
  });

  test('whose program hangs is given up', async () => {
    const cwd = notifyFolder();
    const path = `${standIn(cwd, 'notify-send', 'exec sleep 300')}:/usr/bin:/bin`;
    const way = desktop({ cwd, environment: { PATH: path }, limitMs: 300 });
    expect(await way.deliver(NOTIFICATION, never())).toMatchObject({ type: 'failed' });
  });
});

describe('a webhook', () => {
  const quick = { limitMs: PATIENCE_MS, pausesMs: [1, 1] };

  test('is posted the notification as JSON, with the token from the environment', async () => {
    const server = await givenServer(204);
    const address = `http://127.0.0.1:\${PORT}/hooks/\${TOKEN}`;
    const way = webhook({ address, environment: { PORT: String(server.port), TOKEN: 's3cret' }, ...quick });
    expect(await way.deliver(NOTIFICATION, never())).toEqual({ type: 'replied' });
    expect(server.posted).toHaveLength(1);
    expect(server.posted[0]).toMatchObject({
      method: 'POST',
      path: '/hooks/s3cret',
      body: notificationText(NOTIFICATION),
    });
    expect(server.posted[0]?.headers['content-type']).toBe('application/json');
    expect(way.name).not.toContain('s3cret');
  });

  test('that has a bad moment is tried again, and not for ever', async () => {
    const server = await givenServer(503, 429, 200);
    const address = `http://localhost:${server.port}/s3cret`.replace('localhost', '127.0.0.1');
    expect(await webhook({ address, environment: {}, ...quick }).deliver(NOTIFICATION, never())).toEqual({
      type: 'replied',
    });
    expect(server.posted).toHaveLength(3);
    const down = await givenServer(500);
    const told = await webhook({ address: `http://127.0.0.1:${down.port}/`, environment: {}, ...quick }).deliver(
      NOTIFICATION,
      never(),
    );
    expect(told).toEqual({ type: 'failed', message: 'did not take it: it answered with status 500.' });
    expect(down.posted).toHaveLength(3);
  });

  test('that refuses is asked once', async () => {
    const server = await givenServer(404);
    const told = await webhook({ address: `http://127.0.0.1:${server.port}/`, environment: {}, ...quick }).deliver(
      NOTIFICATION,
      never(),
    );
    expect(told).toMatchObject({ type: 'failed' });
    expect(server.posted).toHaveLength(1);
  });

  test('that sends us elsewhere is not followed', async () => {
    const server = await givenServer(302);
    const told = await webhook({ address: `http://127.0.0.1:${server.port}/`, environment: {}, ...quick }).deliver(
      NOTIFICATION,
      never(),
    );
    expect(told).toMatchObject({ type: 'failed', message: expect.stringContaining('302') });
  });

  test('that never answers is given up', async () => {
    const server = await givenServer(0);
    const address = `http://127.0.0.1:${server.port}/s3cret`;
    const told = await webhook({ address, environment: {}, limitMs: 200, pausesMs: [1] }).deliver(
      NOTIFICATION,
      never(),
    );
    expect(told).toEqual({ type: 'failed', message: 'did not answer within 0.2 s.' });
    expect(server.posted).toHaveLength(2);
  });

  test('is given up when the run is over, and not tried again', async () => {
    const server = await givenServer(0);
    const giveUp = new AbortController();
    const address = `http://127.0.0.1:${server.port}/`;
    const told = webhook({ address, environment: {} }).deliver(NOTIFICATION, giveUp.signal);
    await vi.waitFor(() => expect(server.posted).toHaveLength(1), { timeout: PATIENCE_MS });
    giveUp.abort();
    expect(await told).toEqual({ type: 'failed', message: 'was not answered before the run was over.' });
  });

  test('that nobody listens at says so without its address', async () => {
    const server = await givenServer(200);
    const address = `http://me:s3cret@127.0.0.1:${server.port}/s3cret`;
    const way = webhook({ address, environment: {}, ...quick });
    expect(await way.deliver(NOTIFICATION, never())).toEqual({ type: 'replied' });
    expect(server.posted[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:s3cret').toString('base64')}`);
    const closed = webhook({ address: 'http://me:s3cret@127.0.0.1:1/s3cret', environment: {}, ...quick });
    const told = await closed.deliver(NOTIFICATION, never());
    expect(`${closed.name} ${JSON.stringify(told)}`).toContain('could not be reached');
    expect(`${closed.name} ${JSON.stringify(told)}`).not.toContain('s3cret');
  });

  test('whose address is not safe once it is filled in gets nothing', async () => {
    const tell = (address: string, HOOK = ''): Promise<unknown> =>
      webhook({ address, environment: { HOOK }, ...quick }).deliver(NOTIFICATION, never());
    expect(await tell('${HOOK}', 'http://hooks.example.com/x')).toMatchObject({
      message: expect.stringContaining('neither https nor'),
    });
    expect(await tell('${HOOK}', 'no address')).toMatchObject({
      message: expect.stringContaining('is no address'),
    });
    expect(await tell('https://hooks.example.com/${HOOK}')).toEqual({
      type: 'failed',
      message: 'needs HOOK from the environment, which is not set.',
    });
  });
});

test('the bell rings at the first stream that is a terminal, and nowhere else', async () => {
  const rung: string[] = [];
  const stream = (name: string, isTTY: boolean): Parameters<typeof bell>[0][number] => ({
    isTTY,
    write: (text: string) => rung.push(`${name}${JSON.stringify(text)}`),
  });
  await bell([stream('err', false), stream('out', true), stream('more', true)]).deliver(NOTIFICATION, never());
  expect(rung).toEqual(['out"\\u0007"']);
  await bell([stream('err', false)]).deliver(NOTIFICATION, never());
  expect(rung).toHaveLength(1);
});
