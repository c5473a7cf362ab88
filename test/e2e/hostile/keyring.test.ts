// A hostile program looks for the keys of the user who started the run, and gives programs rights that outlive it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DENIED_CALLS } from '../../../src/shell/sandbox/isolation/denied-calls.ts';
import { isolation, skipUnless, type Need } from '../../needs.given.ts';
import { ROOT } from '../heddle.given.ts';
import { ATTEMPT, endPrisonsAfterEach, givenPrison, SECRET, type Prison } from './prison.given.ts';

endPrisonsAfterEach();

const ISOLATION = await isolation();
const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'x64';

const numberOf = (name: string): number | undefined =>
  DENIED_CALLS.find((call) => call.name === name)?.number[ARCHITECTURE];
const [ADD, REQUEST, CONTROL] = ['add_key', 'request_key', 'keyctl'].map(numberOf);

/** Perl passes no text to the system that cannot be written to. */
const [TYPE, NAME] = ['my $t = "user"', 'my $n = "heddle-probe"'];

/** Starts a program with a session keyring that holds a secret; by perl, which makes any call by its number. */
const WITH_KEY = `syscall(${CONTROL}, 1, 0) >= 0 or exit 77;
$ENV{KEY} = syscall(${ADD}, ${TYPE}, ${NAME}, my $s = "${SECRET}", ${SECRET.length}, -3);
$ENV{KEY} >= 0 or exit 77;
exec @ARGV;`;

const keyring: Need = (() => {
  const { status } = spawnSync('perl', ['-e', WITH_KEY, 'true']);
  return { name: 'other', missing: status === 0 ? undefined : 'this system gives no keyring, or has no perl' };
})();

const ROGUE = `${ATTEMPT}
attempt 'find the key' perl -e 'exit(syscall(${REQUEST}, ${TYPE}, ${NAME}, 0, 0) < 0)'
attempt 'read the key' perl -e '$b = "\\0" x 64; syscall(${CONTROL}, 11, 0 + $ENV{KEY}, $b, 64); exit($b !~ /${SECRET}/)'
attempt 'list the key' grep -q heddle-probe /proc/keys
attempt 'leave by an open folder' sh -c 'for n in 3 4 9 12 20; do test -e /proc/self/fd/$n/proc && exit; done; exit 1'
`;

/** Starts a program that inherits the root folder open. */
const WITH_FOLDER = ['bash', '-c', 'exec 3</ 4</ 9</ 12</ 20</ && exec "$@"', 'bash'];

/** What a task prints in a run whose starter has the key, and a folder open. */
async function saidWithKey(prison: Prison, env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const heddle = [process.execPath, join(ROOT, 'bin', 'heddle.js'), 'run'];
  const { status, stderr } = spawnSync('perl', ['-e', WITH_KEY, ...WITH_FOLDER, ...heddle], {
    cwd: prison.folder,
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return (await prison.said('rogue')).split('\n').filter((line) => /^(ESCAPED|held)/.test(line));
}

describe('the keyring of the user who starts a run', () => {
  skipUnless(ISOLATION, keyring);

  test.each([
    ['os', 'held'],
    ['none', 'ESCAPED'],
  ])(
    'under isolation %s: to find, read and list its keys is %s, and no folder that was open leads out',
    async (wanted, word) => {
      const prison = givenPrison({
        sandbox: `isolation: ${wanted}`,
        tasks: 'tasks:\n  rogue: { run: sh rogue.sh }\n',
        files: { 'rogue.sh': ROGUE },
      });
      const said = await saidWithKey(prison, { HOME: prison.userHome });
      const tries = ['find', 'read', 'list'].map((each) => `${word}: ${each} the key`);
      expect(said).toEqual([...tries, 'held: leave by an open folder']);
    },
  );
});

/** Whether the key is found, and how many bytes of key numbers the session keyring holds. */
const LOOK = `my ($t, $n, $b) = ("user", "heddle-probe", "\\0" x 64);
print syscall(${REQUEST}, $t, $n, 0, 0) < 0 ? "no key" : "the key", ", ", syscall(${CONTROL}, 11, -3, $b, 64), " bytes";`;

/** Prints what a program without the filter of system calls finds, in the isolation that plans get here. */
const WITHOUT_FILTER = `
const { chooseIsolation } = await import(process.argv[1]);
const chosen = await chooseIsolation({ wanted: 'os', home: process.argv[2] });
const limits = { fileSize: 1e6, memory: undefined, processes: 100 };
const how = { writable: [], readable: [], cwd: '/', home: undefined, network: { type: 'none' }, limits, session: 'own' };
const argv = chosen.isolation.wrap(['perl', '-e', process.argv[3]], how);
argv.splice(argv.indexOf('--seccomp'), 2);
const [program, ...args] = process.argv[4] === 'launched' ? argv : argv.slice(argv.indexOf('/bin/sh'));
const { spawnSync } = await import('node:child_process');
const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
console.log(chosen.why + ': ' + stdout + stderr);`;

describe('the session keyring of a sandbox', () => {
  skipUnless(ISOLATION, keyring);

  test.each([
    ['launched', 'works: no key, 0 bytes'],
    ['without the launcher', 'works: the key, 4 bytes'],
  ])('is fresh and empty by itself, with no filter before it: %s', (how, found) => {
    const home = mkdtempSync(join(tmpdir(), 'heddle-keyring-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const choose = join(ROOT, 'src', 'shell', 'sandbox', 'isolation', 'choose-isolation.ts');
    const looking = [process.execPath, '--input-type=module', '-e', WITHOUT_FILTER, choose, home, LOOK, how];
    const { stdout, stderr } = spawnSync('perl', ['-e', WITH_KEY, ...looking], { encoding: 'utf8' });
    expect(stdout.trim(), stderr).toBe(found);
  });
});

/** What `setcap cap_setuid+ep` writes, and the number of `setxattr`. */
const CAPABILITY = 'pack("L5", 0x02000001, 0x80, 0, 0, 0)';
const SETXATTR = { x64: 188, arm64: 5 }[ARCHITECTURE];

describe('capabilities of files', () => {
  skipUnless(ISOLATION, keyring);

  test('cannot be left behind by a program that the system isolates, not even by root', async () => {
    const set = `attempt 'set a capability' perl -e '$v = ${CAPABILITY}; exit(syscall(${SETXATTR}, my $f = "left", my $n = "security.capability", $v, 20, 0) < 0)'`;
    const prison = givenPrison({
      sandbox: 'isolation: os',
      tasks: 'tasks:\n  rogue: { run: sh rogue.sh }\n',
      files: { 'rogue.sh': `${ATTEMPT}\ncp /bin/cat left\n${set}\n` },
    });
    expect(await prison.heddle('run')).toMatchObject({ code: 0 });
    expect(await prison.said('rogue')).toContain('held: set a capability');
  });
});
