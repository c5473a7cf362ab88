// What a host with a good token may not do, by plain git and by plain HTTP.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import * as http from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { REFS } from '../../../src/shell/git/store/ref-names.ts';
import { processesAtWorkOn } from '../../../src/shell/git/run/git-processes.ts';
import { PATIENCE_MS } from '../../patience.given.ts';
import { gitIn } from '../git-project.given.ts';
import {
  assignmentFor,
  CLAIM,
  commitIn,
  farSideOf,
  givenGateway,
  givenHome,
  givenHost,
  RUN,
  workOn,
  type Gateway,
  type GatewayOptions,
  type Home,
  type Host,
} from './far-side.given.ts';

const CHECKPOINT = REFS.checkpoint(RUN, CLAIM);

let server: Home;
let gateway: Gateway;
let host: Host;

async function given(options: GatewayOptions = {}): Promise<void> {
  server = await givenHome();
  gateway = await givenGateway(server, options);
  host = await givenHost(farSideOf(gateway));
  await host.transfers.bring(RUN, assignmentFor(server.base));
}

beforeEach(async () => given());

/** Not as the other calls of git in tests, because the server is in this process. */
const gitAsync = async (token: string, ...args: readonly string[]): Promise<string> => {
  const settings = ['-c', `http.extraHeader=Authorization: Bearer ${token}`, '-c', 'core.askPass=true'];
  const environment = { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_GLOBAL: '/dev/null' };
  const options = { cwd: host.repository.gitDir, env: environment };
  return (await promisify(execFile)('git', [...settings, ...args], options)).stdout;
};

/** What git prints for a push, or for another command against the server, that has to fail. */
const refused = async (token: string, ...args: readonly string[]): Promise<string> =>
  gitAsync(token, ...args).then(
    () => 'git did it',
    (error: unknown) => String(error),
  );

const at = (...words: readonly (string | number)[]): string => [`${gateway.url.origin}/git`, ...words].join('/');
const OURS = [RUN, CLAIM.task, CLAIM.step, CLAIM.attempt];

const serverRefs = (): string => gitIn(server.repository.gitDir, 'for-each-ref', '--format=%(refname) %(objectname)');

describe('a push is refused, and moves no ref of the server,', () => {
  test.each([
    ['to the checkpoint of a claim of another task', [RUN, 'web', 'code', 1], '409'],
    ['to the checkpoint of an earlier attempt', [RUN, 'api', 'code', 2], '409'],
    ['to another run', ['day-1', 'api', 'code', 1], 'not found'],
    ['to the addresses for fetching', [RUN], 'not found'],
    ['to a base, without being an operator', ['bases', 'a'.repeat(40)], '403'],
  ])('%s', async (_, place, status) => {
    const commit = await workOn(host, server.base);
    const before = serverRefs();
    expect(await refused('token-one', 'push', '--quiet', at(...place), `${commit}:${CHECKPOINT}`)).toContain(status);
    expect(serverRefs()).toBe(before);
  });

  test.each([
    ['of another ref', 'refs/heads/main'],
    ['of the run branch', `refs/heads/heddle/${RUN}`],
    ['of the base', REFS.base(RUN)],
    ['of a ref that a person could take for the checkpoint', `${CHECKPOINT}/x`],
  ])('%s', async (_, ref) => {
    const commit = await workOn(host, server.base);
    const before = serverRefs();
    expect(await refused('token-one', 'push', '--quiet', at(...OURS), `${commit}:${ref}`)).toMatch(
      /rejected|failed to push/,
    );
    expect(serverRefs()).toBe(before);
  });

  test('of something that is no commit', async () => {
    await workOn(host, server.base);
    const blob = gitIn(host.repository.gitDir, 'rev-parse', `${CHECKPOINT}:work.txt`);
    const before = serverRefs();
    expect(await refused('token-one', 'push', '--quiet', at(...OURS), `${blob}:${CHECKPOINT}`)).toContain(
      'import-not-a-commit',
    );
    expect(serverRefs()).toBe(before);
  });

  test('by which a checkpoint would be deleted, or other work would be lost', async () => {
    const first = await workOn(host, server.base);
    expect(await host.transfers.deliver(RUN, CLAIM, first)).toBeUndefined();
    const before = serverRefs();
    const other = await commitIn(host, server.base, { 'other.txt': 'other\n' });
    expect(await refused('token-one', 'push', '--quiet', '--force', at(...OURS), `:${CHECKPOINT}`)).toContain(
      'rejected',
    );
    expect(await refused('token-one', 'push', '--quiet', '--force', at(...OURS), `${other}:${CHECKPOINT}`)).toContain(
      'import-drops',
    );
    expect(serverRefs()).toBe(before);
    expect(before).toContain(`${CHECKPOINT} ${first}`);
  });

  test('with more bytes than one push may bring', async () => {
    await given({ bytesMax: 100_000 });
    const commit = await workOn(host, server.base, { 'large.bin': randomBytes(3_000_000).toString('base64') });
    const failure = await host.transfers.deliver(RUN, CLAIM, commit);
    expect(failure).toEqual({ code: 'too-large', bytesMax: 100_000 });
    expect(await server.repository.read(CHECKPOINT)).toBeUndefined();
  });

  test.each(['token-two', 'token-eye', 'token-nobody'])('with the token of somebody else: %s', async (token) => {
    const commit = await workOn(host, server.base);
    const before = serverRefs();
    expect(await refused(token, 'push', '--quiet', at(...OURS), `${commit}:${CHECKPOINT}`)).toMatch(
      /403|409|Authentication/,
    );
    expect(serverRefs()).toBe(before);
  });
});

interface Reply {
  readonly status: number | undefined;
  readonly body: string;
}

const post = (path: string, body: Buffer, headers: http.OutgoingHttpHeaders = {}): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const request = http.request(
      new URL(path, gateway.url),
      { method: 'POST', headers: { authorization: 'Bearer token-one', ...headers } },
      (response) => {
        let text = '';
        response.on('data', (part: Buffer) => {
          text += part.toString('latin1');
        });
        response.on('end', () => resolve({ status: response.statusCode, body: text }));
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });

const RECEIVE = `/git/${OURS.join('/')}/git-receive-pack`;

const line = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;

const command = (to: string): string => `${line(`${'0'.repeat(40)} ${to} ${CHECKPOINT}\0report-status`)}0000`;

describe('a body that no git would send', () => {
  test.each([
    ['garbage', Buffer.from('what is this?'), {}],
    ['a command and garbage for a pack', Buffer.from(`${command('a'.repeat(40))}PACKgarbage`), {}],
    ['a command without its objects', Buffer.from(command('a'.repeat(40))), {}],
    ['what says that it is gzip and is not', Buffer.from('no gzip'), { 'content-encoding': 'gzip' }],
    ['nothing', Buffer.alloc(0), {}],
  ])('moves no ref and ends: %s', async (_, body, headers) => {
    const before = serverRefs();
    await post(RECEIVE, body, headers).catch(() => undefined);
    expect(serverRefs()).toBe(before);
    expect(readdirSync(join(server.home, 'incoming'))).toEqual([]);
    expect(await host.transfers.deliver(RUN, CLAIM, await workOn(host, server.base))).toBeUndefined();
  });

  test('is not unpacked without end', async () => {
    await given({ bytesMax: 1_000_000 });
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const reply = await post(RECEIVE, Buffer.from(bomb), { 'content-encoding': 'gzip' }).catch(() => undefined);
    expect(reply?.body ?? '').not.toContain('unpack ok\nok');
    expect(await server.repository.read(CHECKPOINT)).toBeUndefined();
  });
});

test('a caller that goes away takes its git along, and what it had sent', async () => {
  const request = http.request(new URL(RECEIVE, gateway.url), {
    method: 'POST',
    headers: { authorization: 'Bearer token-one' },
  });
  request.on('error', () => undefined);
  request.write(command('a'.repeat(40)));
  const incoming = join(server.home, 'incoming');
  await vi.waitFor(() => expect(processesAtWorkOn(incoming)).toHaveLength(1), { timeout: PATIENCE_MS });
  request.destroy();
  await vi.waitFor(() => expect(processesAtWorkOn(incoming)).toEqual([]), { timeout: PATIENCE_MS });
  await vi.waitFor(() => expect(readdirSync(incoming)).toEqual([]), { timeout: PATIENCE_MS });
});

describe('a host that fetches', () => {
  test('sees no ref of the server, and none of the user', async () => {
    for (const version of [0, 2])
      expect(await gitAsync('token-one', '-c', `protocol.version=${version}`, 'ls-remote', at(RUN))).toBe('');
  });

  test('hears which commit the server does not have', async () => {
    const missing = 'b'.repeat(40);
    expect(await host.transfers.bring(RUN, assignmentFor(missing))).toEqual({
      code: 'commit-missing',
      commit: missing,
      address: gateway.url.origin,
    });
  });

  test('of another run than there is gets nothing', async () => {
    expect(await refused('token-one', 'fetch', at('day-1'), server.base)).toContain('not found');
    expect(existsSync(join(server.home, 'day-1'))).toBe(false);
  });
});
