import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { fork, type ForkEnd } from './forker.ts';
import { openPipe } from './pipes.ts';

/** Where there is no Perl, or not Linux, workers fork by themselves, and there is nothing to show. */
const IS_POSSIBLE = process.platform === 'linux' && spawnSync('perl', ['-e', '1']).status === 0;
if (!IS_POSSIBLE) console.warn('There is no Perl here, so nothing is forked for workers.');

const FOLDER = mkdtempSync(`${tmpdir()}/heddle-forker-`);

interface Given {
  readonly argv?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Done while it is at work. */
  readonly meanwhile?: (pid: number) => void | Promise<void>;
}

type Seen = ForkEnd & { readonly printed: string; readonly complained: string };

/** What came of it; undefined when it was not forked. */
async function forked(command: string, given: Given = {}): Promise<Seen | undefined> {
  const { argv = ['/bin/sh', '-c', command], environment = { PATH: '/usr/bin:/bin' }, cwd = FOLDER } = given;
  const [stdout, stderr] = [openPipe(), openPipe()];
  if (stdout === undefined || stderr === undefined) throw new Error('no pipes');
  const child = await fork({ argv, environment, cwd, stdout: stdout.name, stderr: stderr.name });
  try {
    if (child.type !== 'forked') return undefined;
    await given.meanwhile?.(child.pid);
    const end = await child.exit;
    return { printed: read(stdout), complained: read(stderr), ...end };
  } finally {
    stdout.giveBack(false);
    stderr.giveBack(false);
  }
}

function read({ readNow }: { readonly readNow: (hear: (chunk: Buffer) => void) => boolean }): string {
  let text = '';
  readNow((chunk) => (text += chunk.toString()));
  return text;
}

const shown = (name: string, body: () => Promise<void>): void => {
  test(name, async () => {
    if (IS_POSSIBLE) await body();
    expect(true).toBe(true);
  });
};

const exited = (code: number): ForkEnd['how'] => ({ type: 'exited', code });

describe('a program that is forked for a worker', () => {
  shown('has the folder, the words and the streams that were asked for', async () => {
    const argv = ['/bin/sh', '-c', 'pwd; echo "$1" "$#"; echo oops > /dev/stderr; exit 3', 'sh', 'a\nb ü', ''];
    expect(await forked('', { argv })).toEqual({
      printed: `${FOLDER}\na\nb ü 2\n`,
      complained: 'oops\n',
      how: exited(3),
      isLast: true,
    });
  });

  shown('has its environment and nothing of the one before', async () => {
    const environment = { PATH: '/usr/bin:/bin', GREETING: 'two\nlines', 'odd-name': 'x=y', EMPTY: '' };
    const first = await forked('env -0 | sort -z | tr "\\0\\n" ";,"', { environment });
    expect(first?.printed).toContain('EMPTY=;GREETING=two,lines;');
    expect(first?.printed).toContain('PATH=/usr/bin:/bin;');
    // A shell drops names that are none to it, so it is asked without one.
    const odd = await forked('', { argv: ['/usr/bin/env'], environment });
    expect(odd?.printed.split('\n')).toContain('odd-name=x=y');
    expect((await forked('', { argv: ['/usr/bin/env'], environment: { ONLY: 'this' } }))?.printed).toBe('ONLY=this\n');
  });

  shown('inherits no more files than a child of our own does, and reads nothing', async () => {
    const command = 'cat; ls /proc/self/fd';
    const own = spawnSync('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
    expect(await forked(command)).toEqual({ printed: own.stdout, complained: '', how: exited(0), isLast: true });
  });

  shown('leads a group of its own', async () => {
    const seen = await forked('sleep 600 & wait', { meanwhile: (pid) => void process.kill(-pid, 'SIGTERM') });
    expect(seen?.how).toEqual({ type: 'killed', signal: 'SIGTERM' });
  });

  shown('is not the last of its group while something that it started is left', async () => {
    const seen = await forked('sleep 600 > /dev/null 2>&1 & echo $!');
    expect(seen).toMatchObject({ how: exited(0), isLast: false });
    process.kill(Number(seen?.printed), 'SIGKILL');
  });

  shown('that was killed is told apart from one that exits as shells do for it', async () => {
    expect((await forked('kill -9 $$'))?.how).toEqual({ type: 'killed', signal: 'SIGKILL' });
    expect((await forked('exit 137'))?.how).toEqual(exited(137));
  });

  shown('that is not there, or given more than fits, is refused by its child, and the next one goes on', async () => {
    expect((await forked('', { argv: ['/nowhere/at/all'] }))?.how).toEqual({ type: 'refused', code: 'ENOENT' });
    const environment = { PATH: '/usr/bin:/bin', LONG: 'x'.repeat(300_000) };
    expect((await forked('true', { environment }))?.how).toEqual({ type: 'refused', code: 'E2BIG' });
    expect((await forked('echo on'))?.printed).toBe('on\n');
  });

  shown('is not forked in a folder that is not there, nor beside another', async () => {
    expect(await forked('true', { cwd: '/nowhere' })).toBeUndefined();
    const meanwhile = async (): Promise<void> => expect(await forked('true')).toBeUndefined();
    expect((await forked('sleep 0.1', { meanwhile }))?.how).toEqual(exited(0));
  });

  shown('is said to be killed when the forker is, and there is another forker for the next', async () => {
    const meanwhile = (pid: number): void => {
      process.kill(parentOf(pid), 'SIGKILL');
      process.kill(-pid, 'SIGKILL');
    };
    expect((await forked('sleep 600', { meanwhile }))?.how).toEqual({ type: 'killed', signal: 'SIGKILL' });
    expect((await forked('echo again'))?.printed).toBe('again\n');
  });

  shown('is neither forked nor unable to be when the forker vanishes before it answers', async () => {
    const forker = await currentForker();
    process.kill(forker, 'SIGSTOP');
    const request = { argv: ['/bin/true'], environment: {}, cwd: FOLDER, stdout: '/dev/null', stderr: '/dev/null' };
    const asked = fork(request);
    process.kill(forker, 'SIGKILL');
    expect(await asked).toEqual({ type: 'vanished' });
    expect((await forked('echo again'))?.printed).toBe('again\n');
  });
});

async function currentForker(): Promise<number> {
  let forker = 0;
  await forked('sleep 0.2', { meanwhile: (pid) => void (forker = parentOf(pid)) });
  return forker;
}

const parentOf = (pid: number): number =>
  Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout);
