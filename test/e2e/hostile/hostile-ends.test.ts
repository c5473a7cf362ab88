// Nothing of a step outlives it, and it has its grace, though it runs in namespaces of its own.
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pidInAttempt } from '../../../src/shell/host/attempt-folder.given.ts';
import { leftRunning, processesOf, signal } from '../world/processes.given.ts';
import { until } from '../world/project.given.ts';
import { isolation, skipUnless } from '../../needs.given.ts';
import { endPrisonsAfterEach, givenPrison, type Prison } from './prison.given.ts';

endPrisonsAfterEach();

const ISOLATION = await isolation();

/** Leaves every way to stay behind that a shell knows, then says that it is there and stays itself. */
const STAY = `setsid nohup sleep 3001 > /dev/null 2>&1 &
(trap '' TERM HUP INT; sleep 3002) &
env -i setsid sleep 3003 &
touch here
sleep 3004
`;

const prisonOf = (tasks: string): Prison =>
  givenPrison({ sandbox: 'isolation: os, tree: checkout', tasks, files: { 'stay.sh': STAY } });

const inTree = (prison: Prison, task: string, name: string): string =>
  join(prison.home, 'sandboxes', 'world-1', task, 'tree', name);

/** Those that a step started, whether they carry its marks or not: they are in its tree. */
const sleepers = (prison: Prison): readonly string[] =>
  readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const isIn = readlinkSync(`/proc/${name}/cwd`).startsWith(inTree(prison, 'one', '').replace(/\/$/, ''));
      return /^sleep 300\d$/.test(command) && isIn ? [command] : [];
    } catch {
      // It ended while we looked, or it is somebody else's.
      return [];
    }
  });

describe('an agent that a signal ends', () => {
  skipUnless(ISOLATION);

  test.for(['os', 'none'])('has crashed, with isolation %s', async (wanted) => {
    const prison = givenPrison({
      sandbox: `isolation: ${wanted}`,
      tasks: 'agents: { ai: { use: scripted } }\ntasks:\n  rogue: { prompt: "@signal SIGKILL" }\n',
    });
    expect((await prison.heddle('run')).code).toBe(1);
    const ended = (await prison.events()).find(({ type, work }) => work === 'step' && type === 'claim.ended');
    expect(ended).toMatchObject({ reason: 'crashed', result: { response: 'The agent was ended by SIGKILL.' } });
  });
});

describe('a step that the system isolates', () => {
  skipUnless(ISOLATION);

  test('is asked to end when its time is over, and has its grace', async () => {
    const prison = prisonOf(`tasks:
  one:
    timeout: 2s
    run: "trap 'echo so long; exit 0' TERM; sleep 3005 & wait"
`);
    expect((await prison.heddle('run')).code).toBe(1);
    const ended = (await prison.events()).find(({ type, work }) => work === 'step' && type === 'claim.ended');
    expect(ended?.reason).toBe('timeout');
    expect(await prison.said('one')).toContain('so long');
    expect(await leftRunning(prison.folder)).toEqual([]);
  });

  test('leaves nothing behind when it ends by itself', async () => {
    const prison = prisonOf(`tasks:
  one:
    run: sed -i '/3004/d' stay.sh; sh stay.sh; git checkout stay.sh; rm here
`);
    expect(await prison.heddle('run')).toMatchObject({ code: 0 });
    expect(await leftRunning(prison.folder)).toEqual([]);
    expect(sleepers(prison)).toEqual([]);
  });

  test('is gone with all that it started when it is cancelled', async () => {
    const prison = prisonOf('tasks:\n  one:\n    run: sh stay.sh\n');
    const going = prison.start('run', '--json');
    await until(() => existsSync(inTree(prison, 'one', 'here')));
    expect((await prison.heddle('cancel', 'one')).code).toBe(0);
    expect((await going.ended).code).not.toBe(0);
    expect(await leftRunning(prison.folder)).toEqual([]);
    expect(sleepers(prison)).toEqual([]);
  });

  test.each(['wrapper', 'worker'])('is gone with all that it started when its %s is killed', async (killed) => {
    const prison = prisonOf('tasks:\n  one:\n    run: sh stay.sh\n');
    const going = prison.start('run', '--json');
    await until(() => existsSync(inTree(prison, 'one', 'here')));
    await until(() => sleepers(prison).length === 4);
    const worker = pidInAttempt(prison.attempt({ work: 'step', task: 'one', step: 'main', attempt: 1 }));
    const wrapper = processesOf(prison.folder).find(({ parent, type }) => type === 'step' && parent === worker)?.pid;
    expect(signal(killed === 'worker' ? worker : (wrapper ?? 0), 'SIGKILL')).toBe(true);
    expect((await going.ended).code).toBe(1);
    expect(await leftRunning(prison.folder)).toEqual([]);
    expect(sleepers(prison)).toEqual([]);
    const ended = (await prison.events()).find(({ type, work }) => work === 'step' && type === 'claim.ended');
    expect(ended?.reason).toBe('crashed');
  });

  test('continues when its coordinator is killed, and is taken over by the next', async () => {
    const prison = prisonOf(`tasks:
  one:
    run: "touch here; until [ -e go ]; do sleep 0.05; done; rm here go; echo more >> src/one.txt"
`);
    const going = prison.start('run', '--json');
    await until(() => existsSync(inTree(prison, 'one', 'here')));
    process.kill(going.pid, 'SIGKILL');
    await going.ended;
    const resumed = prison.start('resume', '--json');
    writeFileSync(inTree(prison, 'one', 'go'), '');
    expect((await resumed.ended).code).toBe(0);
    const claims = (await prison.events()).filter(({ type, work }) => work === 'step' && type === 'claim.made');
    expect(claims.map(({ task, attempt }) => `${task}#${attempt}`)).toEqual(['one#1']);
    expect(prison.git('show', 'heddle/world-1:src/one.txt')).toBe('one\nmore');
    expect(await leftRunning(prison.folder)).toEqual([]);
  });
});
