// `heddle host --ssh`, with a real sshd.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { skipUnless, ssh } from '../../needs.given.ts';
import { ROOT } from '../heddle.given.ts';
import { command, givenPlace, playServer, startHost, TOKEN, until } from './host-program.given.ts';
import { startSshd, type Sshd } from './sshd.given.ts';

skipUnless(ssh());

const HEDDLE = `${process.execPath} ${join(ROOT, 'bin', 'heddle.js')}`;

const through = ({ machine, options }: Sshd, program = HEDDLE): readonly string[] => [
  '--ssh',
  machine,
  '--ssh-program',
  program,
  ...options.flatMap((option) => ['--ssh-option', option]),
];

test('a host on another machine works through ssh, keeps its claims when the connection breaks, and leaves', async () => {
  const place = givenPlace();
  const sshd = await startSshd();
  const server = await playServer();
  const wait = `echo x >> ${place.file('begun')}; cat /proc/*/cmdline > ${place.file('seen')}; until [ -e ${place.file('go')} ]; do sleep 0.05; done`;
  server.offer('one', command('a', wait), command('b', 'echo "$SSH_CONNECTION"'));
  const host = startHost(place, server.url, [...through(sshd), '--label', 'far', '--width', '3']);
  expect(await server.outcome('one', 'b')).toMatchObject({
    result: { response: expect.stringContaining('127.0.0.1') },
  });
  expect(server.latest()).toMatchObject({ labels: ['far'], width: 3 });
  await until('it is begun', () => existsSync(place.file('begun')));
  sshd.cut();
  await host.says('ssh-lost');
  writeFileSync(place.file('go'), '');
  expect(await server.outcome('one', 'a')).toMatchObject({ type: 'finished' });
  expect(readFileSync(place.file('begun'), 'utf8')).toBe('x\n');
  expect(readFileSync(place.file('seen'), 'utf8')).not.toContain(TOKEN);
  host.child.kill('SIGINT');
  expect(await host.exit()).toBe(0);
  expect(server.latest()).toMatchObject({ isLeaving: true });
});

test('a machine that ssh cannot use is one sentence', async () => {
  const place = givenPlace();
  const sshd = await startSshd();
  const server = await playServer();
  const absent = startHost(place, server.url, through(sshd, 'no-such-heddle'));
  expect(await absent.exit()).toBe(2);
  expect(absent.errors()).toContain(`There is no no-such-heddle on ${sshd.machine}`);
  const closed = startHost(place, server.url, through({ ...sshd, options: ['Port=1'] }));
  expect(await closed.exit()).toBe(2);
  expect(closed.errors()).toContain(`ssh could not reach ${sshd.machine}`);
});
