// A server of SSH on the loopback, for this user alone, and the options by which ssh reaches it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { until } from './host-program.given.ts';

export interface Sshd {
  readonly machine: string;
  readonly options: readonly string[];
  /** Ends the connections that there are; the server takes new ones. */
  readonly cut: () => void;
}

export async function startSshd(): Promise<Sshd> {
  const root = mkdtempSync(join(tmpdir(), 'heddle-sshd-'));
  const file = (name: string): string => join(root, name);
  for (const name of ['host', 'client'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)]);
  copyFileSync(file('client.pub'), file('authorized'));
  // It is a folder of the system's own, which only its own start makes.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true });
  const port = await freePort();
  writeFileSync(file('config'), configFor(port, file));
  const sshd = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', file('config')], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(async () => {
    sshd.kill('SIGTERM');
    if (sshd.exitCode === null && sshd.signalCode === null) await once(sshd, 'exit');
    rmSync(root, { recursive: true, force: true });
  });
  let said = '';
  sshd.stderr.on('data', (part: Buffer) => (said += part.toString('utf8')));
  await until('sshd listens', () => said.includes('Server listening'));
  return {
    machine: `${userInfo().username}@127.0.0.1`,
    options: [
      `Port=${port}`,
      `IdentityFile=${file('client')}`,
      'IdentitiesOnly=yes',
      'StrictHostKeyChecking=no',
      'UserKnownHostsFile=/dev/null',
      'LogLevel=ERROR',
    ],
    cut: () => {
      for (const pid of childrenOf(sshd.pid ?? 0)) process.kill(pid, 'SIGKILL');
    },
  };
}

const configFor = (port: number, file: (name: string) => string): string =>
  [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${file('host')}`,
    `AuthorizedKeysFile ${file('authorized')}`,
    `PidFile ${file('pid')}`,
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'UsePAM no',
    'StrictModes no',
    '',
  ].join('\n');

const childrenOf = (pid: number): readonly number[] =>
  execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => [Number(line)]);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens by TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
