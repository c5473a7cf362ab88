// A repository behind a server, and clients in folders of their own.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { heddle, ROOT, type Ran } from '../heddle.given.ts';

export interface GivenServed {
  readonly url: string;
  /** The repository of the server. */
  readonly folder: string;
  readonly server: ChildProcess;
  /** Of a role; of any other word a token that the server does not know. */
  readonly tokenOf: (role: string) => string;
  /** A client in a folder with these files. */
  readonly client: (files?: Readonly<Record<string, string>>, role?: 'operator' | 'reader' | 'nobody') => GivenClient;
}

export interface GivenClient {
  readonly folder: string;
  readonly start: (words: readonly string[]) => Running;
  readonly ask: (words: readonly string[], input?: string) => Promise<Ran>;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
  /** All that was printed so far, on both streams. */
  readonly printed: () => string;
}

export function givenFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-remote-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

export function givenRepository(files: Readonly<Record<string, string>>): string {
  const folder = givenFolder(files);
  const git = (...words: readonly string[]): void => void execFileSync('git', ['-C', folder, ...words]);
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  git('add', '.');
  git('commit', '-qm', 'first');
  return folder;
}

export async function givenServed(files: Readonly<Record<string, string>> = { 'a.txt': 'a\n' }): Promise<GivenServed> {
  const folder = givenRepository(files);
  const tokens = Object.fromEntries(
    ROLES.map((role) => [role, heddle(['token', 'add', role, '--role', role], { cwd: folder }).out]),
  );
  const server = spawn(process.execPath, [join(ROOT, 'bin', 'heddle.js'), 'serve', '--listen', '127.0.0.1:0'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, 'exit');
    server.kill('SIGKILL');
    await exit;
  });
  const { value: address = '' } = await createInterface({ input: server.stdout })[Symbol.asyncIterator]().next();
  const url = new URL(address).origin;
  const tokenOf = (role: string): string => tokens[role]?.trim() ?? 'w'.repeat(43);
  return {
    url,
    folder,
    server,
    tokenOf,
    client: (given, role = 'operator') => clientOf(url, givenFolder(given), tokenOf(role)),
  };
}

const ROLES = ['operator', 'reader'] as const;

export function clientOf(url: string, folder: string, token: string): GivenClient {
  const kept = givenFolder({ token: `${token}\n` });
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    HEDDLE_SERVER: url,
    HEDDLE_TOKEN_FILE: join(kept, 'token'),
  };
  const start = (words: readonly string[], input = ''): Running => {
    const child = spawn(process.execPath, [join(ROOT, 'bin', 'heddle.js'), ...words], { cwd: folder, env });
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stdin.end(input);
    let [out, errors, all] = ['', '', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      all += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
      all += text;
    });
    const ended = once(child, 'close').then(([code]) => ({
      code: typeof code === 'number' ? code : null,
      out,
      errors,
    }));
    return { child, ended, printed: () => all };
  };
  return { folder, start, ask: (words, input) => start(words, input).ended };
}

export interface Posted {
  readonly words: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/** What a server replies to a call of any program, which need not be ours. */
export async function posted(served: GivenServed, { words, files }: Posted): Promise<string> {
  const sent = Object.entries(files).map(([name, content]) => ({
    name,
    base64: Buffer.from(content).toString('base64'),
  }));
  const flags = { colour: false, unicode: true, isTty: false, isInteractive: false, canAsk: false };
  const screen = { width: 80, height: 24, ...flags };
  const call = { protocol: 1, version: '0', words, files: sent, taken: [], screen };
  return await (await postTo(served, '/api/exec', JSON.stringify(call))).text();
}

export const postTo = (
  { url, tokenOf }: GivenServed,
  path: string,
  body: string,
  role = 'operator',
): Promise<Response> =>
  fetch(`${url}${path}`, { method: 'POST', headers: { authorization: `Bearer ${tokenOf(role)}` }, body });
