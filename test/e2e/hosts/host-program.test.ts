import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startHostServer } from '../../../src/shell/link/host-server.given.ts';
import { heddle } from '../heddle.given.ts';
import { command, givenPlace, playServer, startHost, step, TOKEN, until, type Place } from './host-program.given.ts';

/** Says that it has begun, and ends when the test makes a file. */
const waiting = (place: Place, task: string): string =>
  `echo x >> ${place.file(`${task}.begun`)}; until [ -e ${place.file(`${task}.go`)} ]; do sleep 0.05; done; echo "$HEDDLE_TASK"`;

const begun = (place: Place, task: string): number =>
  existsSync(place.file(`${task}.begun`))
    ? readFileSync(place.file(`${task}.begun`), 'utf8')
        .trim()
        .split('\n').length
    : 0;

const letGo = (place: Place, task: string): void => writeFileSync(place.file(`${task}.go`), '');

describe('heddle host', () => {
  test('carries out claims of several runs within one width, and leaves when its work is over', async () => {
    const place = givenPlace();
    const server = await playServer();
    server.offer('one', command('a', waiting(place, 'a')));
    server.offer('two', command('b', waiting(place, 'b')), command('c', 'echo c'));
    const host = startHost(place, server.url, ['--width', '2', '--label', 'gpu,linux']);
    await until('two are begun', () => begun(place, 'a') + begun(place, 'b') === 2);
    expect(server.latest()).toMatchObject({ width: 2, labels: ['gpu', 'linux'], isDraining: false });
    letGo(place, 'b');
    expect(await server.outcome('two', 'c')).toMatchObject({ type: 'finished', result: { response: 'c' } });
    const heldAtOnce = server.messages().map(({ runs }) => runs.reduce((count, { held }) => count + held.length, 0));
    expect(Math.max(...heldAtOnce)).toBe(2);
    host.child.kill('SIGINT');
    await host.says('draining');
    letGo(place, 'a');
    expect(await host.exit()).toBe(0);
    expect(await server.outcome('one', 'a')).toMatchObject({ type: 'finished', result: { response: 'a' } });
    expect(server.latest()).toMatchObject({ isDraining: true, isLeaving: true });
    expect(statSync(place.home).mode & 0o077).toBe(0);
  });

  test('finds its claims again after a kill, and reports each once', async () => {
    const place = givenPlace();
    const server = await playServer();
    server.offer('one', command('a', waiting(place, 'a')), command('b', waiting(place, 'b')));
    const killed = startHost(place, server.url);
    await until('both are begun', () => begun(place, 'a') + begun(place, 'b') === 2);
    killed.child.kill('SIGKILL');
    await killed.exit();
    letGo(place, 'a');
    const output = join(place.home, 'runs', 'one', 'a.main.1', 'attempt.json');
    await until('the worker is done alone', () => readFileSync(output, 'utf8').includes('"finished"'));
    const host = startHost(place, server.url);
    expect(await host.says('taken-over')).toMatchObject({ claims: 2 });
    expect(await server.outcome('one', 'a')).toMatchObject({ type: 'finished', result: { response: 'a' } });
    letGo(place, 'b');
    expect(await server.outcome('one', 'b')).toMatchObject({ type: 'finished', result: { response: 'b' } });
    expect([begun(place, 'a'), begun(place, 'b')]).toEqual([1, 1]);
    expect(server.messages().filter(({ number }) => number === 1)).toHaveLength(2);
    const reports = server.reports('a');
    host.child.kill('SIGTERM');
    expect(await host.exit()).toBe(0);
    startHost(place, server.url);
    await until('it has spoken', () => server.messages().filter(({ number }) => number === 1).length === 3);
    expect(server.reports('a')).toBe(reports);
  });

  test('goes on while the server is away, and reports when it is back', async () => {
    const place = givenPlace();
    const server = await playServer();
    server.offer('one', command('a', waiting(place, 'a')));
    const host = startHost(place, server.url);
    await until('it is begun', () => begun(place, 'a') === 1);
    await server.close();
    await host.says('link-lost');
    letGo(place, 'a');
    const again = await playServer(server.port);
    expect(await again.outcome('one', 'a')).toMatchObject({ type: 'finished' });
    await host.says('link-back');
    expect(host.codes().filter((code) => code === 'link-lost')).toHaveLength(1);
  });

  test('ends its claims when it is terminated, says so, and then leaves', async () => {
    const place = givenPlace();
    const server = await playServer();
    server.offer('one', command('a', waiting(place, 'a')));
    const host = startHost(place, server.url);
    await until('it is begun', () => begun(place, 'a') === 1);
    host.child.kill('SIGTERM');
    expect(await server.outcome('one', 'a')).toMatchObject({ type: 'stopped' });
    expect(await host.exit()).toBe(0);
    expect(server.latest()).toMatchObject({ isLeaving: true, runs: [{ held: [] }] });
  });

  test('ends what the server cancels, and says so of what it never had', async () => {
    const place = givenPlace();
    const server = await playServer();
    server.offer('one', command('a', waiting(place, 'a')));
    startHost(place, server.url);
    await until('it is begun', () => begun(place, 'a') === 1);
    server.cancel('one', step('a'));
    server.cancel('other', step('z'));
    expect(await server.outcome('one', 'a')).toMatchObject({ type: 'stopped' });
    expect(await server.outcome('other', 'z')).toMatchObject({ type: 'stopped' });
  });

  test('removes what it has of a run that is over, and works for it again when it goes on', async () => {
    const place = givenPlace();
    const server = await playServer();
    server.offer('one', command('a', 'echo a'));
    const host = startHost(place, server.url);
    await server.outcome('one', 'a');
    server.over('one');
    await host.says('run-over');
    await until('it is removed', () => !existsSync(join(place.home, 'runs', 'one')));
    server.offer('one', command('b', 'echo b'));
    expect(await server.outcome('one', 'b')).toMatchObject({ type: 'finished' });
  });

  test('keeps its token from its steps and from everyone who lists processes', async () => {
    const place = givenPlace();
    const server = await playServer();
    server.offer('one', command('a', `env; cat /proc/$PPID/environ /proc/$PPID/cmdline`));
    const host = startHost(place, server.url);
    const outcome = await server.outcome('one', 'a');
    const seen = JSON.stringify(outcome);
    expect(seen).toContain('HEDDLE_TASK');
    expect(seen).not.toContain(TOKEN);
    expect(seen).not.toContain(place.tokenFile);
    const own = readFileSync(`/proc/${host.child.pid ?? 0}/cmdline`, 'utf8');
    expect(own).not.toContain(TOKEN);
    expect(host.errors()).not.toContain(TOKEN);
  });
});

describe('heddle host says in one sentence', () => {
  const refused = (url: string, place: Place, ...words: readonly string[]): string => {
    const { code, errors } = heddle(['host', '--join', url, '--home', place.home, ...words], { cwd: place.root });
    expect(code).toBe(2);
    return errors.replaceAll(place.root, 'PLACE').trim();
  };

  test('what is wrong with its call', () => {
    const place = givenPlace();
    const token = ['--token-file', place.tokenFile];
    writeFileSync(place.file('short'), 'short');
    expect(refused('build', place, ...token)).toBe(
      'heddle: build is no address of a server. Write it as https://machine:4400.',
    );
    expect(refused('http://build.example', place, ...token)).toBe(
      'heddle: http://build.example/ is not encrypted, so others could read the token. Use https, or say --insecure if the network is yours alone.',
    );
    expect(refused('https://me:secret@build.example', place, ...token)).not.toContain('secret');
    expect(refused('http://127.0.0.1:9', place, '--token-file', place.file('short'))).toBe(
      'heddle: PLACE/short holds no token. Write into it what heddle token add has printed.',
    );
    expect(refused('http://127.0.0.1:9', place)).toContain('A host needs a token');
    expect(refused('http://127.0.0.1:9', place, '--token-file', place.file('none'))).toContain('PLACE/none');
    expect(refused('https://nowhere.invalid', place, ...token)).toContain('no machine of that name');
  });

  test.each([
    [401, { type: 'token', why: 'wrong' }, 'does not know this token'],
    [401, { type: 'token', why: 'expired' }, 'says that this token has expired'],
    [401, { type: 'token', why: 'revoked' }, 'says that this token was revoked'],
    [403, { type: 'token', why: 'role' }, 'says that this token is not one for hosts'],
    [426, { type: 'protocol', protocol: 9, version: '9.1' }, 'speaks protocol 9 (Heddle 9.1), and this host 2'],
    [404, {}, 'there is no server that hosts can join (404)'],
  ])('why the server does not take it: %i %o', async (status, body, sentence) => {
    const place = givenPlace();
    const server = await startHostServer();
    onTestFinished(() => server.close().catch(() => undefined));
    const host = startHost(place, server.url);
    (await server.next()).refuse(status, JSON.stringify(body));
    expect(await host.exit()).toBe(2);
    expect(host.errors()).toContain(sentence);
    expect(host.errors().trim().split('\n')).toHaveLength(1);
  });

  test('that a program uses its folder already, and takes over that of a dead one', async () => {
    const place = givenPlace();
    const server = await playServer();
    const first = startHost(place, server.url);
    await first.says('joined');
    const second = startHost(place, server.url);
    expect(await second.exit()).toBe(2);
    expect(second.errors()).toContain('is a host with the folder');
    first.child.kill('SIGKILL');
    await first.exit();
    await startHost(place, server.url).says('joined');
  });
});

test('a token that is revoked while it works ends its claims; the next program of the host reports them', async () => {
  const place = givenPlace();
  const server = await startHostServer();
  onTestFinished(() => server.close().catch(() => undefined));
  const host = startHost(place, server.url);
  const first = await server.next();
  const reply = { number: 1, start: [command('a', waiting(place, 'a'))], cancel: [] };
  first.answer({ runs: [{ run: 'one', reply }] });
  await until('it is begun', () => begun(place, 'a') === 1);
  (await server.next()).refuse(401, JSON.stringify({ type: 'token', why: 'revoked' }));
  expect(await host.exit()).toBe(2);
  await server.close();
  const again = await playServer();
  startHost(place, again.url);
  expect(await again.outcome('one', 'a')).toMatchObject({ type: 'stopped' });
});
