// P7 while a host is out of reach for longer than its lease, with real processes: what holds slots of a pool has ended there
// before they are given to others, whatever it is that stands still.
import { expect, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../patience.given.ts';
import { poolUsers, type PoolUsers } from './pool-users.given.ts';
import { logged, realHost, tallyOf, type RealHost } from './real-hosts.given.ts';
import { freePort } from '../../../src/shell/engines/free-port.ts';
import { givenServed, type Event, type ServedHere, type Server } from './serve.given.ts';
import { stallingProxy, type StallingProxy } from './stalling-proxy.given.ts';

const SIZE = 2;
/** Short, and long enough for a busy machine. */
const LEASE = '16s';
const JOINED = /Joined http/;
const TASKS = ['a', 'b', 'c', 'd'];

interface Trial {
  readonly given: ServedHere;
  readonly server: Server;
  readonly users: PoolUsers;
  readonly hosts: readonly RealHost[];
  readonly ended: Promise<number | null>;
}

/** Two hosts, all of whose work is in one pool, which is full. */
async function givenFullPool(network?: StallingProxy): Promise<Trial> {
  const users = poolUsers();
  const tasks = TASKS.map((name) => `  ${name}: { pool: gpu, run: "${users.command(name)}" }`);
  const settings = `sandbox: { isolation: none }\nmax_parallel: 8\npools: { gpu: ${SIZE} }`;
  const given = givenServed(`heddle: 1\nname: many\n${settings}\ntasks:\n${tasks.join('\n')}\n`);
  // The server answers to the names that it knows, so that of the network is given to it, which has to be there before.
  const base = `http://127.0.0.1:${network?.port ?? (await freePort())}`;
  const named = network === undefined ? [] : ['--public-url', network.base];
  const server = await given.serve('--listen', new URL(base).host, '--width', '0', '--lease', LEASE, ...named);
  const bases = [network?.base ?? base, base];
  const hosts = ['one', 'two'].map((name, at) =>
    realHost({ name, base: bases[at] ?? '', token: given.token(name), width: SIZE }),
  );
  for (const { printed } of hosts) await vi.waitFor(() => expect(printed()).toMatch(JOINED), { timeout: PATIENCE_MS });
  const { ended } = given.begin('run', 'plan.yaml', '--plain');
  await vi.waitFor(() => expect(users.begun()).toHaveLength(SIZE), { timeout: PATIENCE_MS, interval: 100 });
  return { given, server, users, hosts, ended };
}

const isPlaced = ({ type, host }: Event): boolean => type === 'claim.placed' && host !== undefined;

/** The host that has the first of the tasks. */
function firstHost({ given, hosts }: Trial): RealHost {
  const name = given.events('many-1').find(isPlaced)?.host;
  const found = hosts.find((host) => host.name === name);
  if (found === undefined) throw new Error('No host has the first of the tasks.');
  return found;
}

const onHost = ({ given }: Trial, { name }: RealHost): number =>
  given.events('many-1').filter((event) => isPlaced(event) && event.host === name).length;

/** Its work was given away and begun elsewhere, and never was more alive than the pool has slots. */
async function mustHaveKeptThePool(trial: Trial, cutOff: RealHost): Promise<void> {
  const { users, given, ended } = trial;
  const again = SIZE + onHost(trial, cutOff);
  await vi.waitFor(() => expect(users.begun().length).toBeGreaterThanOrEqual(again), {
    timeout: PATIENCE_MS,
    interval: 200,
  });
  users.open();
  expect(await ended).toBe(0);
  expect(Math.max(...users.alive())).toBe(SIZE);
  expect(tallyOf(given.events('many-1'))).toEqual(Object.fromEntries(TASKS.map((name) => [name, 1])));
}

test('a host program that stands still keeps no work in a pool beyond its lease', async () => {
  const trial = await givenFullPool();
  const frozen = firstHost(trial);
  frozen.child.kill('SIGSTOP');
  await mustHaveKeptThePool(trial, frozen);
});

test('the workers of a host program that was killed keep no work in a pool beyond its lease', async () => {
  const trial = await givenFullPool();
  const killed = firstHost(trial);
  killed.child.kill('SIGKILL');
  await mustHaveKeptThePool(trial, killed);
});

test('a host that is cut off from the server keeps no work in a pool beyond its lease, and goes on when the network is back', async () => {
  const network = await stallingProxy();
  const trial = await givenFullPool(network);
  const one = trial.hosts[0];
  if (one === undefined || onHost(trial, one) === 0) throw new Error('The host behind the network has no work.');
  network.cut();
  await logged(trial.given, 'many-1', ({ type, reason }) => type === 'claim.returned' && reason === 'crashed');
  network.heal();
  await mustHaveKeptThePool(trial, one);
  expect(one.child.exitCode).toBeNull();
});

test('work in a pool that ended while the server was dead is reported to the next one, which has it done again', async () => {
  const trial = await givenFullPool();
  const { given, server, users } = trial;
  server.child.kill('SIGKILL');
  await server.ended;
  await vi.waitFor(() => expect(users.stillAlive()).toBe(0), { timeout: PATIENCE_MS, interval: 200 });
  await given.serve('--listen', `127.0.0.1:${server.port}`, '--width', '0', '--lease', LEASE);
  const returned = await logged(given, 'many-1', ({ type }) => type === 'claim.returned');
  expect(returned).toMatchObject({ reason: 'lease', counted: false });
  users.open();
  await logged(given, 'many-1', ({ type }) => type === 'run.ended');
  expect(Math.max(...users.alive())).toBe(SIZE);
  expect(tallyOf(given.events('many-1'))).toEqual(Object.fromEntries(TASKS.map((name) => [name, 1])));
});
