import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { IsolationRequest } from './isolation.ts';
import { bubblewrap } from './bubblewrap.ts';

const ORDER: IsolationRequest = {
  writable: ['/sandbox/tree/deep', '/sandbox/tree'],
  readable: ['/base/objects'],
  cwd: '/sandbox/tree',
  home: undefined,
  network: { type: 'none' },
  limits: { fileSize: 1000, memory: undefined, processes: 64 },
  session: 'own',
};

/** What bubblewrap is told, and what it starts. */
function wrapped(more: Partial<IsolationRequest> = {}) {
  const environment = { RUSTUP_HOME: '/people/me/.rustup' };
  const toolchains = { paths: ['/people/me/.cargo/bin'], masked: [], environment };
  const filter = '/sandbox/filter';
  const argv = bubblewrap({ program: '/usr/bin/bwrap', filter, launcher: undefined, toolchains }).wrap(
    ['make', 'all'],
    {
      ...ORDER,
      ...more,
    },
  );
  const at = argv.indexOf('--', argv.indexOf('/usr/bin/bwrap'));
  const told = argv.slice(0, at);
  /** The words behind each option of a name. */
  const given = (option: string, count: number): readonly string[] =>
    told.flatMap((word, index) => (word === option ? [told.slice(index + 1, index + 1 + count).join(' ')] : []));
  return { told, given, started: argv.slice(at + 1) };
}

describe('a program that bubblewrap isolates', () => {
  test('writes only where it may, outermost folder first, and reads besides what it needs to work', () => {
    const { given } = wrapped();
    expect(given('--bind', 2)).toEqual(['/sandbox/tree /sandbox/tree', '/sandbox/tree/deep /sandbox/tree/deep']);
    expect(given('--ro-bind-try', 2)).toEqual(
      expect.arrayContaining(['/base/objects /base/objects', '/people/me/.cargo/bin /people/me/.cargo/bin']),
    );
    expect(given('--remount-ro', 1)).toEqual(['/dev', '/proc', '/']);
    expect(given('--setenv', 2)).toEqual(['RUSTUP_HOME /people/me/.rustup']);
    expect(given('--chdir', 1)).toEqual(['/sandbox/tree']);
  });

  test('is shown nothing twice that lies in a folder that it is shown', () => {
    const readable = ['/people/me/venv/bin/python', '/people/me/venv', '/people/me/venv-2', '/people/me/.cargo/bin/x'];
    const shown = wrapped({ readable }).given('--ro-bind-try', 1);
    expect(shown.filter((path) => path.startsWith('/people'))).toEqual([
      '/people/me/venv',
      '/people/me/venv-2',
      '/people/me/.cargo/bin',
    ]);
  });

  test('is shown a link into a folder that it is shown as a link, so that it finds what lies beside its target', () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-links-')));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [server, link, away, outside] = ['mcp', 'bin/server', 'bin/away', 'other'].map((name) => join(folder, name));
    for (const name of ['mcp', 'bin', 'other']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'mcp/server.js'), '');
    symlinkSync('../mcp/server.js', link ?? '');
    symlinkSync('../other', away ?? '');
    const shown = (more: Partial<IsolationRequest>) => {
      const { given } = wrapped({ readable: [server ?? '', link ?? '', away ?? ''], ...more });
      return { links: given('--symlink', 2).filter((words) => words.startsWith(folder)), given };
    };
    expect(shown({}).links).toEqual([`${server}/server.js ${link}`]);
    expect(shown({}).given('--ro-bind-try', 1)).toContain(away);
    const writable = [join(away ?? '', 'inside')];
    expect(shown({ readable: [away ?? '', outside ?? ''] }).links).toEqual([`${outside} ${away}`]);
    expect(shown({ readable: [away ?? '', outside ?? ''], writable }).links).toEqual([]);
  });

  test('dies with its parent, has no capabilities, and memory of its own has a size', () => {
    const { told, given } = wrapped();
    expect(told).toEqual(expect.arrayContaining(['--die-with-parent', '--unshare-pid', '--disable-userns']));
    expect(given('--cap-drop', 1)).toEqual(['ALL']);
    expect(given('--size', 3).every((words) => /^\d+ --tmpfs \//.test(words))).toBe(true);
    expect(given('--tmpfs', 1)).toEqual(['/dev/shm', '/tmp']);
  });

  test('has no more memory to write files to than its limit of memory', () => {
    const sizes = (memory: number | undefined): readonly string[] =>
      wrapped({ limits: { ...ORDER.limits, memory } }).given('--size', 1);
    const [mebibyte, gibibyte] = [1024 ** 2, 1024 ** 3];
    expect(sizes(undefined)).toEqual([`${256 * mebibyte}`, `${gibibyte}`]);
    expect(sizes(64 * gibibyte)).toEqual(sizes(undefined));
    expect(sizes(100 * mebibyte)).toEqual([`${25 * mebibyte}`, `${50 * mebibyte}`]);
  });

  test('has no network unless the plan gives it all, and then knows who answers for names', () => {
    expect(wrapped().told).toContain('--unshare-net');
    expect(wrapped().given('--ro-bind-try', 2).join()).not.toContain('/etc/resolv.conf');
    expect(wrapped({ network: { type: 'all' } }).told).not.toContain('--unshare-net');
  });

  test('reaches what is allowed through sockets that are opened before it starts', () => {
    const { told, started } = wrapped({ network: { type: 'proxy', near: ['localhost:5432'] } });
    expect(told).toContain('--unshare-net');
    expect(started).toContain('HTTPS_PROXY=http://127.0.0.1:48128');
    expect(started.slice(-3)).toEqual(['48128,localhost:5432', 'make', 'all']);
  });

  test('has a home of its own, with copies of what it is given there', () => {
    const brought = [{ from: '/people/me/.agent', to: '.agent' }];
    const home = { folder: '/sandbox/home', brought, unset: ['AGENT_HOME'] };
    const { given, started } = wrapped({ home });
    expect(given('--bind', 2)).toContain('/sandbox/home /sandbox/home');
    expect(given('--setenv', 2)).toContain('HOME /sandbox/home');
    expect(given('--unsetenv', 1)).toEqual(expect.arrayContaining(['SSH_AUTH_SOCK', 'AGENT_HOME']));
    expect(given('--ro-bind-try', 2)).toContain('/people/me/.agent /run/heddle/home/.agent');
    expect(started.join(' ')).toContain('cp -RLu /run/heddle/home/.');
  });

  test('keeps to the limits of the plan, and minds a signal unless it says otherwise', () => {
    expect(wrapped().started).toEqual([
      'env',
      '--default-signal=TERM,INT,HUP',
      'prlimit',
      '--fsize=1000',
      '--nproc=80',
      '--core=0',
      '--',
      'make',
      'all',
    ]);
    const { started } = wrapped({ limits: { fileSize: 1000, memory: 5, processes: 64 } });
    expect(started).toContain(`--data=${5 + 2 * 1024 ** 3}`);
  });

  test('has a session of its own unless it is given one, whose end then waits for the program', () => {
    expect(wrapped().told).toContain('--new-session');
    const { told, given } = wrapped({ session: 'given' });
    expect(told).not.toContain('--new-session');
    expect(told.slice(0, 4)).toEqual(['/bin/sh', '-c', `trap '' TERM INT HUP; exec "$@" 9< "$0"`, '/sandbox/filter']);
    expect(given('--seccomp', 1)).toEqual(['9']);
  });
});
