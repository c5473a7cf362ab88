// With programs in the place of bubblewrap, so that it is shown on every Linux what is made of what it does.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { need, skipUnless, type Need } from '../../../../test/needs.given.ts';
import { chooseIsolation } from './choose-isolation.ts';

skipUnless({ name: 'other', missing: process.platform === 'linux' ? undefined : 'isolation takes Linux' });

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-choose-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
});

/** Goes to the folder that it is told, and then does what stands behind the two dashes. */
const INSIDE = `for last; do :; done
while [ "$1" != -- ]; do [ "$1" = --chdir ] && cd "$2"; shift; done; shift
`;
const WORKS = `${INSIDE}mv "$last" "$last.hidden"; "$@"; code=$?; mv -f "$last.hidden" "$last"; exit $code`;
const HIDES_NOTHING = `${INSIDE}exec "$@"`;
const FAILS = 'echo "bwrap: No permissions to create new namespace" >&2; exit 1';

/** A bubblewrap that is a script, first on the PATH, and how often it was started. */
function given(script: string | undefined) {
  const bin = join(root, 'bin');
  const times = join(root, 'times');
  const home = join(root, '.heddle');
  mkdirSync(bin);
  mkdirSync(home);
  if (script !== undefined) {
    writeFileSync(join(bin, 'bwrap'), `#!/bin/sh\necho x >> '${times}'\n${script}\n`);
    chmodSync(join(bin, 'bwrap'), 0o755);
  }
  return {
    choose: (wanted: 'auto' | 'os' | 'none') =>
      chooseIsolation({ wanted, home, path: ['relative', bin].join(delimiter) }),
    timesStarted: () => (existsSync(times) ? readFileSync(times, 'utf8').split('\n').length - 1 : 0),
    program: join(bin, 'bwrap'),
  };
}

/** An `unshare` before the real one, which answers what a kernel answers that makes no user namespaces. */
function givenKernel(answer: string): void {
  const bin = join(root, 'kernel');
  mkdirSync(bin);
  writeFileSync(join(bin, 'unshare'), `#!/bin/sh\necho 'unshare: unshare failed: ${answer}' >&2\nexit 1\n`, {
    mode: 0o755,
  });
  const before = process.env['PATH'] ?? '';
  process.env['PATH'] = [bin, before].join(delimiter);
  onTestFinished(() => void (process.env['PATH'] = before));
}

/** Whether the kernel under the test makes user namespaces, for tests of a bubblewrap that fails all the same. */
const userNamespaces = (): Need => {
  const { status } = spawnSync('unshare', ['--user', '--map-root-user', 'true']);
  return { name: 'other', missing: status === 0 ? undefined : 'there are no user namespaces here' };
};

describe('isolation by the system', () => {
  test('is chosen where it works, which is tried once and remembered', async () => {
    const { choose, timesStarted, program } = given(WORKS);
    expect(await choose('os')).toMatchObject({ type: 'chosen', isolation: { name: 'os' } });
    expect(await choose('auto')).toMatchObject({ type: 'chosen', isolation: { name: 'os' } });
    expect(timesStarted()).toBe(1);
    chmodSync(program, 0o755);
    writeFileSync(program, `#!/bin/sh\n${FAILS}\n`);
    expect(await choose('os'), 'another program is tried again').toMatchObject({ type: 'refused' });
  });

  test('is refused where it fails, with what it said', async (context) => {
    need(context, userNamespaces());
    const { choose } = given(FAILS);
    expect(await choose('os')).toEqual({
      type: 'refused',
      failure: {
        code: 'bubblewrap-fails',
        program: expect.stringContaining('bwrap'),
        stderr: expect.stringContaining('bwrap: No permissions to create new namespace'),
      },
    });
  });

  test('is refused where it hides nothing, though it says that all is well', async (context) => {
    need(context, userNamespaces());
    const { choose } = given(HIDES_NOTHING);
    for (const wanted of ['os', 'auto'] as const)
      expect(await choose(wanted)).toEqual({
        type: 'refused',
        failure: { code: 'bubblewrap-fails', program: expect.stringContaining('bwrap'), stderr: '' },
      });
  });

  test('is refused where nothing of it is installed, and not wanted where the plan says so', async () => {
    const { choose, timesStarted } = given(undefined);
    expect(await choose('os')).toEqual({
      type: 'refused',
      failure: { code: 'isolation-missing', why: 'not-installed' },
    });
    const none = await choose('none');
    expect(none).toMatchObject({ type: 'chosen', isolation: { name: 'none' }, why: 'plan' });
    expect(none.type === 'chosen' && none.isolation.wrap(['a', 'b'], ORDER)).toEqual(['a', 'b']);
    expect(timesStarted()).toBe(0);
  });

  test.for(['kill -9 $$', FAILS, 'echo "bwrap: Cannot allocate memory" >&2; exit 1'])(
    'that is automatic and fails is refused, says how to go on, and is tried again next time: %s',
    async (script, context) => {
      need(context, userNamespaces());
      const { choose, program } = given(script);
      const at = statSync(program).mtime;
      const failure = { code: 'bubblewrap-fails', stderr: expect.not.stringContaining('keyring-') };
      for (const wanted of ['auto', 'os'] as const)
        expect(await choose(wanted)).toMatchObject({ type: 'refused', failure });
      writeFileSync(program, `#!/bin/sh\n${WORKS}\n`);
      utimesSync(program, at, at);
      expect(await choose('auto')).toMatchObject({ isolation: { name: 'os' } });
    },
  );

  test('that is automatic is none where nothing is installed, or the kernel makes no user namespaces', async () => {
    const { choose, program } = given(undefined);
    expect(await choose('auto')).toMatchObject({ isolation: { name: 'none' }, why: 'not-installed' });
    writeFileSync(program, `#!/bin/sh\n${FAILS}\n`, { mode: 0o755 });
    givenKernel('Operation not permitted');
    expect(await choose('auto')).toMatchObject({ isolation: { name: 'none' }, why: 'no-user-namespaces' });
    expect(await choose('os')).toMatchObject({ type: 'refused' });
  });

  test.for(['kill -9 $$', 'echo "bwrap: Too many open files" >&2; exit 1'])(
    'that is automatic and fails in passing is refused also where the kernel makes others no user namespaces: %s',
    async (script) => {
      const { choose } = given(script);
      givenKernel('Operation not permitted');
      expect(await choose('auto')).toMatchObject({ type: 'refused', failure: { code: 'bubblewrap-fails' } });
    },
  );

  test.for([
    ['may not be started', 'EACCES', (program: string) => writeFileSync(program, WORKS, { mode: 0o644 })],
    ['is a link to nothing', 'ENOENT', (program: string) => symlinkSync('/nonexistent/bwrap', program)],
    ['is a link to itself', 'ELOOP', (program: string) => symlinkSync(program, program)],
  ] as const)('that is automatic is refused where bubblewrap %s', async ([, code, put]) => {
    const { choose, program } = given(undefined);
    put(program);
    const failure = { code: 'bubblewrap-fails', program, stderr: `it cannot be started (${code})` };
    expect(await choose('auto')).toEqual({ type: 'refused', failure });
    const further = join(root, 'further');
    mkdirSync(join(further, 'bwrap'), { recursive: true });
    const home = join(root, '.heddle');
    const first = await chooseIsolation({ wanted: 'auto', home, path: [further, join(root, 'bin')].join(delimiter) });
    expect(first, 'a folder of that name is no program').toMatchObject({ type: 'refused' });
    rmSync(join(further, 'bwrap'), { recursive: true });
    writeFileSync(join(further, 'bwrap'), `#!/bin/sh\n${WORKS}\n`, { mode: 0o755 });
    const second = await chooseIsolation({ wanted: 'auto', home, path: [join(root, 'bin'), further].join(delimiter) });
    expect(second, 'another one works').toMatchObject({ isolation: { name: 'os' } });
  });

  test('that is automatic is refused where the kernel says no for a moment', async () => {
    const { choose } = given(FAILS);
    givenKernel('Cannot allocate memory');
    expect(await choose('auto')).toMatchObject({ type: 'refused' });
  });
});

const ORDER = {
  writable: [],
  readable: [],
  cwd: '/',
  home: undefined,
  network: { type: 'none' },
  limits: { fileSize: 1, memory: undefined, processes: 1 },
  session: 'own',
} as const;
