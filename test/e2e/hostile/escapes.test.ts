// A hostile program tries to get out of a sandbox that the system isolates.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isolation, skipUnless } from '../../needs.given.ts';
import { heddle } from '../heddle.given.ts';
import { ATTEMPT, endPrisonsAfterEach, givenPrison, SECRET } from './prison.given.ts';

endPrisonsAfterEach();

const ISOLATION = await isolation();

/** Every one of these would succeed if the program were not kept apart. */
const ROGUE = `${ATTEMPT}
attempt 'write outside' sh -c 'echo x > $OUTSIDE/written && exit 0'
attempt 'write to the home folder' sh -c 'echo x > $USER_HOME/written'
attempt 'write to the system' sh -c 'echo x > /usr/written || echo x > /etc/written || echo x > /written'
attempt 'write into memory without bound' sh -c 'echo x > /dev/written || echo x > /run/written'
attempt 'read the home folder' grep -r '${SECRET}' $USER_HOME
attempt 'read secrets of the system' cat /etc/shadow
attempt 'read what the user has checked out' cat $PROJECT/plan.yaml
attempt 'read Heddles own' sh -c 'cat $PROJECT/.heddle/*.db* || ls $PROJECT/.heddle/runs'
attempt 'read the environment of others' sh -c 'cat /proc/$VICTIM/environ'
attempt 'kill a process of the user' kill -9 $VICTIM
attempt 'see processes of the user' sh -c 'test $(ls /proc | grep -c "^[0-9]") -gt 40'
attempt 'write into the base objects' sh -c 'echo x > $PROJECT/.git/objects/written'
attempt 'remove base objects' sh -c 'rm -rf $PROJECT/.git/objects/* && ls $PROJECT/.git/objects/?? && exit 1'
attempt 'write into the integration repository' sh -c 'echo x > $PROJECT/.heddle/repo.git/objects/written'
attempt 'move a ref of the user' git --git-dir=$PROJECT/.git update-ref refs/heads/main HEAD~0
attempt 'change settings of the user' git --git-dir=$PROJECT/.git config core.hooksPath /tmp
attempt 'plant a hook' sh -c 'echo x > $PROJECT/.git/hooks/post-commit'
attempt 'write into a template' sh -c 'for t in $PROJECT/.heddle/templates/*/; do echo x > $t/written && exit 0; done; exit 1'
attempt 'make the system writable' mount -o remount,rw /usr
attempt 'mount something' mount -t tmpfs tmpfs /tmp
attempt 'unmount something' umount /proc
attempt 'make a user namespace' unshare --user --map-root-user true
attempt 'make a mount namespace' unshare --mount true
attempt 'enter the first namespaces' nsenter --target 1 --mount --root test -e $OUTSIDE
attempt 'leave through the root of a process' test -e /proc/1/root$OUTSIDE
attempt 'leave by chroot' chroot /proc/1/root test -e $OUTSIDE
attempt 'make a device' mknod /tmp/disk b 254 0
attempt 'change settings of the machine' sh -c 'cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness'
attempt 'ask the kernel for help' sh -c 'echo h > /proc/sysrq-trigger'
attempt 'reach a server of the machine' sh -c 'exec node -e "require(\\"net\\").connect($SERVER, \\"127.0.0.1\\").on(\\"connect\\", () => process.exit(0)).on(\\"error\\", () => process.exit(1))"'
attempt 'look up a name' sh -c 'getent hosts example.com'
attempt 'reach a socket without a file' node -e 'require("net").connect("\\0heddle-hostile").on("connect", () => process.exit(0)).on("error", () => process.exit(1))'
attempt 'become somebody else' setpriv --reuid=1 true
attempt 'have capabilities' sh -c '! grep -q "CapEff:.0000000000000000" /proc/self/status'
attempt 'type into a terminal' sh -c 'echo x > /dev/tty'
echo "did: all"
`;

const ATTEMPTS = ROGUE.split('\n').filter((line) => line.startsWith('attempt ')).length;

describe('a hostile program that the system isolates', () => {
  skipUnless(ISOLATION);

  test.each(['auto', 'checkout'])('gets nowhere from a tree of the kind %s', async (tree) => {
    const victim = spawn('sleep', ['600'], { stdio: 'ignore', env: { SECRET } });
    onTestFinished(() => void victim.kill('SIGKILL'));
    const server = await listening({ port: 0, host: '127.0.0.1' });
    await listening({ path: '\0heddle-hostile' });
    const prison = givenPrison({
      sandbox: `isolation: os, tree: ${tree}`,
      tasks: 'tasks:\n  rogue:\n    run: PROJECT=${HEDDLE_HOME%/.heddle} sh rogue.sh\n',
      files: { 'rogue.sh': ROGUE },
      env: { VICTIM: String(victim.pid), SERVER: String(server) },
    });
    const before = prison.fingerprint();
    const ran = await prison.heddle('run');
    const said = await prison.said('rogue');
    expect(said).toContain('did: all');
    expect(said.split('\n').filter((line) => line.startsWith('ESCAPED'))).toEqual([]);
    expect(said.split('\n').filter((line) => line.startsWith('held: '))).toHaveLength(ATTEMPTS);
    expect(said).not.toContain(SECRET);
    expect(ran.code).toBe(0);
    expect(prison.traces()).toEqual([]);
    expect(existsSync(join(prison.userHome, 'written'))).toBe(false);
    expect(victim.exitCode ?? victim.signalCode).toBeNull();
    expect(prison.fingerprint()).toEqual(before);
    prison.git('fsck', '--strict');
  });

  test('sees nothing of the sandbox beside it, and cannot write there', async () => {
    const prison = givenPrison({
      sandbox: 'isolation: os',
      tasks: `tasks:
  victim: { run: "echo ${SECRET} > mine.txt; until [ -e $TMPDIR/go ]; do sleep 0.05; done" }
  rogue: { run: "find $HEDDLE_HOME -path '*/victim/*' | sed s/^/found:/; for at in tree upper git tmp; do echo x > $HEDDLE_HOME/sandboxes/world-1/victim/$at/go; done; true" }
`,
    });
    const going = prison.start('run', '--json');
    await going.sees(({ type, task }) => type === 'task.ended' && task === 'rogue');
    const place = join(prison.home, 'sandboxes', 'world-1', 'victim');
    const written = ['upper', 'tree']
      .map((name) => join(place, name))
      .find((folder) => existsSync(join(folder, 'mine.txt')));
    expect(readFileSync(join(written ?? '', 'mine.txt'), 'utf8')).toContain(SECRET);
    expect(['tmp', 'upper', 'tree', 'git'].filter((name) => existsSync(join(place, name, 'go')))).toEqual([]);
    writeFileSync(join(place, 'tmp', 'go'), '');
    expect((await going.ended).code).toBe(0);
    expect(await prison.said('rogue')).not.toContain('found:');
  });

  test('sees of its run the folder of its own attempt when an agent started it, and cannot write there', async () => {
    const runs = '"$HEDDLE_HOME"/runs';
    const looks = `ls ${runs}/*; cat ${runs}/*/*/attempt.json > /dev/null && echo read; echo x > ${runs}/world-1/rogue.main.1/x`;
    const prison = givenPrison({
      sandbox: 'isolation: os',
      tasks: `agents: { ai: { use: scripted } }
tasks:
  first: { run: "true" }
  rogue: { needs: [first], prompt: '@run (${looks}) > seen.txt 2>&1; true' }
`,
    });
    expect((await prison.heddle('run')).code).toBe(0);
    const seen = prison.git('show', 'heddle/world-1:seen.txt');
    expect(seen).toMatch(/^rogue\.main\.1\nread\n/);
    expect(seen).toContain('Read-only file system');
  });

  test('sees of the PATH programs and not the secrets beside them', async () => {
    const prison = givenPrison({
      sandbox: 'isolation: os',
      tasks: `tasks:
  rogue: { run: "helper; tool; grep -r ${SECRET} $OUTSIDE $USER_HOME; ls -A $OUTSIDE $USER_HOME/.aws" }
`,
    });
    const path = ['bin', 'mixed'].map((name) => join(prison.outside, name));
    for (const folder of path) mkdirSync(folder);
    const program = '#!/bin/sh\necho "ran: $0"\n';
    for (const file of [join(prison.userHome, '.aws', 'helper'), join(prison.outside, 'mixed', 'tool')])
      writeFileSync(file, program, { mode: 0o755 });
    symlinkSync(join(prison.userHome, '.aws', 'helper'), join(prison.outside, 'bin', 'helper'));
    for (const file of ['.env', 'mixed/.env']) writeFileSync(join(prison.outside, file), SECRET);
    const env = { PATH: [...path, process.env['PATH']].join(delimiter), HOME: prison.userHome };
    const surroundings = { ...env, OUTSIDE: prison.outside, USER_HOME: prison.userHome };
    expect(heddle(['run'], { cwd: prison.folder, env: surroundings })).toMatchObject({ code: 0 });
    const said = await prison.said('rogue');
    expect(said).not.toContain(SECRET);
    expect(said.match(/^ran: .*/gm)).toHaveLength(2);
    expect(said).not.toContain('.env');
    expect(said).not.toContain('credentials');
  });

  test('does honest work all the same: set-up, commits of its own, checks, a home and ports', async () => {
    const prison = givenPrison({
      sandbox: 'isolation: os, setup: mkdir -p node_modules && echo made > node_modules/made, ports: 1',
      tasks: `merge: { check: "test -s src/two.txt && test ! -e $USER_HOME/.ssh" }
tasks:
  one:
    run: "cat node_modules/made && echo two > src/two.txt && git add src/two.txt && git commit -qm own && echo $HEDDLE_PORT_0 > $TMPDIR/port && touch ~/mine /tmp/mine && test ! -e ~/.claude"
    check: test -s src/two.txt
`,
    });
    expect(await prison.heddle('run')).toMatchObject({ code: 0 });
    expect(prison.git('show', 'heddle/world-1:src/two.txt')).toBe('two');
    expect(existsSync(join(prison.userHome, 'mine'))).toBe(false);
  });
});

async function listening(
  at: { readonly port: number; readonly host: string } | { readonly path: string },
): Promise<number> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(at, resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
