// With programs in the place of bubblewrap, so that it is shown on every Linux what is made of what it does.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { skipUnless } from '../../../../test/needs.given.ts';
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

describe('isolation by the system', () => {
  test('is chosen where it works, which is tried once and remembered', async () => {
    const { choose, timesStarted, program } = given(WORKS);
    const chosen = await choose('os');
    expect(chosen).toMatchObject({ type: 'chosen', isolation: { name: 'os' } });
    expect(await choose('auto')).toMatchObject({ type: 'chosen', isolation: { name: 'os' } });
    expect(timesStarted()).toBe(1);
    chmodSync(program, 0o755);
    writeFileSync(program, `#!/bin/sh\n${FAILS}\n`);
    expect(await choose('os'), 'another program is tried again').toMatchObject({ type: 'refused' });
  });

  test('is refused where it fails, with what it said', async () => {
    const { choose } = given(FAILS);
    expect(await choose('os')).toEqual({
      type: 'refused',
      message: expect.stringContaining('(bwrap: No permissions to create new namespace)'),
    });
  });

  test('is refused where it hides nothing, though it says that all is well', async () => {
    const { choose } = given(HIDES_NOTHING);
    expect(await choose('os')).toEqual({
      type: 'refused',
      message: expect.stringContaining('does not hide what it should'),
    });
  });

  test('is refused where nothing of it is installed, and not wanted where the plan says so', async () => {
    const { choose, timesStarted } = given(undefined);
    expect(await choose('os')).toEqual({
      type: 'refused',
      message: expect.stringContaining('bubblewrap is not installed'),
    });
    const none = await choose('none');
    expect(none).toMatchObject({ type: 'chosen', isolation: { name: 'none' } });
    expect(none.type === 'chosen' && none.isolation.wrap(['a', 'b'], ORDER)).toEqual(['a', 'b']);
    expect(timesStarted()).toBe(0);
  });

  test('that is automatic is none where it does not work, and says why', async () => {
    const { choose } = given(FAILS);
    const chosen = await choose('auto');
    expect(chosen).toMatchObject({ type: 'chosen', isolation: { name: 'none' } });
    expect(chosen.type === 'chosen' && chosen.says).toContain('No permissions to create new namespace');
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
