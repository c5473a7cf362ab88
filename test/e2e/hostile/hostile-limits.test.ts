// Programs that take all they can get are ended, and the step says which limit it was.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { leftRunning } from '../world/processes.given.ts';
import { makeCgroup } from '../../../src/shell/sandbox/isolation/cgroup.ts';
import { isolation, skipUnless, type Need } from '../../needs.given.ts';
import { endPrisonsAfterEach, givenPrison, type Prison } from './prison.given.ts';

endPrisonsAfterEach();

const ISOLATION = await isolation();

const ISOLATIONS = ['none', 'os'] as const;

const CGROUP: Need = await (async (): Promise<Need> => {
  const made = makeCgroup({ memory: 1e9, processes: 100 });
  await made?.remove();
  return { name: 'other', missing: made === undefined ? 'this user may make no control group' : undefined };
})();

/** In pieces, because one file alone may not be that large. Each is small, so that there is time to notice. */
const FILL = 'i=0; while :; do head -c 4000000 /dev/zero > fill-$i; i=$((i+1)); sleep 0.02; done';

async function endOf(prison: Prison): Promise<{ readonly reason: unknown; readonly message: string }> {
  const ended = (await prison.events()).find(({ type, work }) => work === 'step' && type === 'claim.ended');
  return { reason: ended?.reason, message: ended?.result?.response ?? '' };
}

describe.each(ISOLATIONS)('with isolation %s', (wanted) => {
  if (wanted === 'os') skipUnless(ISOLATION);

  test.each(['auto', 'checkout'])('a program that fills the disk is ended, in a tree of the kind %s', async (tree) => {
    const prison = givenPrison({
      sandbox: `isolation: ${wanted}, tree: ${tree}, limits: { disk: 40M }`,
      tasks: `tasks:\n  rogue:\n    run: ${FILL}\n`,
    });
    const ran = await prison.heddle('run');
    expect(ran.code).toBe(1);
    expect(ran.out).toContain('sandbox.limits.disk');
    expect(await endOf(prison)).toMatchObject({
      reason: 'limit',
      message: expect.stringContaining('40 MB is the most'),
    });
    expect(await leftRunning(prison.folder)).toEqual([]);
    expect(Number(execFileSync('du', ['-sm', prison.home], { encoding: 'utf8' }).split('\t')[0])).toBeLessThan(2_000);
  });

  test('set-up that fills the disk is ended, and its task says so', async () => {
    const prison = givenPrison({
      sandbox: `isolation: ${wanted}, limits: { disk: 40M }, setup: "${FILL}"`,
      tasks: 'tasks:\n  one: { run: "true" }\n',
    });
    const ran = await prison.heddle('run');
    expect(ran.code).toBe(1);
    expect((await endOf(prison)).message).toContain('sandbox.limits.disk');
    expect(await leftRunning(prison.folder)).toEqual([]);
  });

  test('a check of merged work that fills the disk is ended, and its task says so', async () => {
    const prison = givenPrison({
      sandbox: `isolation: ${wanted}, limits: { disk: 40M }`,
      tasks: `merge: { check: "test ! -e src/two.txt || { ${FILL}; }" }\ntasks:\n  one: { run: echo two > src/two.txt }\n`,
    });
    const ran = await prison.heddle('run', '--wait', '0');
    expect(ran.code).not.toBe(0);
    const folder = join(prison.home, 'runs', 'world-1');
    const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.log'));
    const said = [ran.out, ...logs.map((name) => readFileSync(join(folder, name), 'utf8'))].join('\n');
    expect(said + JSON.stringify(await prison.events())).toContain('sandbox.limits.disk');
    expect(await leftRunning(prison.folder)).toEqual([]);
  });
});

describe.each(ISOLATIONS)('where there is a control group, with isolation %s', (wanted) => {
  if (wanted === 'os') skipUnless(ISOLATION);
  skipUnless(CGROUP);

  test('a program that takes memory without end is ended by the kernel, however quick, and the step says so', async () => {
    const prison = givenPrison({
      sandbox: `isolation: ${wanted}, limits: { memory: 300M }`,
      tasks: 'tasks:\n  alone: { run: "node eat.js 900 && echo ate" }\n',
      files: { 'eat.js': EAT },
    });
    expect((await prison.heddle('run')).code).toBe(1);
    expect(await endOf(prison)).toMatchObject({ reason: 'limit', message: expect.stringContaining('limits.memory') });
    expect(await prison.said('alone')).not.toContain('ate');
    expect(await leftRunning(prison.folder)).toEqual([]);
  });

  test('a program that starts processes without end is ended, and nothing is left of the group', async () => {
    const prison = givenPrison({
      sandbox: `isolation: ${wanted}, limits: { processes: 64 }`,
      tasks: 'tasks:\n  rogue: { run: sh bomb.sh }\n',
      files: { 'bomb.sh': 'bomb() { sleep 0.2; bomb & bomb & wait; }\nbomb\n' },
    });
    expect((await prison.heddle('run')).code).toBe(1);
    expect(await endOf(prison)).toMatchObject({
      reason: 'limit',
      message: expect.stringContaining('limits.processes'),
    });
    expect(await leftRunning(prison.folder)).toEqual([]);
  });
});

describe('where the system isolates', () => {
  skipUnless(ISOLATION);

  test('a program that starts processes without end is ended with all of them', async () => {
    const prison = givenPrison({
      sandbox: 'isolation: os, limits: { processes: 64 }',
      tasks: 'tasks:\n  rogue:\n    run: sh bomb.sh\n',
      files: { 'bomb.sh': 'bomb() { sleep 0.2; bomb & bomb & wait; }\nbomb\n' },
    });
    const ran = await prison.heddle('run');
    expect(ran.code).toBe(1);
    expect(await endOf(prison)).toMatchObject({
      reason: 'limit',
      message: expect.stringContaining('limits.processes'),
    });
    expect(await leftRunning(prison.folder)).toEqual([]);
  });

  test('a program that takes memory without end is ended, alone and in numbers', async () => {
    const prison = givenPrison({
      sandbox: 'isolation: os, limits: { memory: 400M }',
      tasks: `tasks:
  many: { run: "for i in 1 2 3 4 5 6; do node eat.js 150 & done; wait" }
  alone: { run: "node eat.js 900 && echo ate" }
`,
      files: { 'eat.js': EAT },
    });
    expect((await prison.heddle('run')).code).toBe(1);
    const ends = (await prison.events()).filter(({ type, work }) => work === 'step' && type === 'claim.ended');
    const many = ends.find(({ task }) => task === 'many');
    expect(many).toMatchObject({ reason: 'limit', result: { response: expect.stringContaining('limits.memory') } });
    expect(await prison.said('alone')).not.toContain('ate');
    expect(await leftRunning(prison.folder)).toEqual([]);
  });

  test('one file cannot be larger than the sandbox may be, and memory is no disk', async () => {
    const prison = givenPrison({
      sandbox: 'isolation: os, limits: { disk: 5M }',
      tasks: `tasks:
  rogue:
    run: "! head -c 6000000 /dev/zero > large; rm large; ! head -c 6000000 /dev/zero > ~/large; rm ~/large; ulimit -f | grep -x 9765 && echo held"
`,
    });
    expect(await prison.heddle('run')).toMatchObject({ code: 0 });
    expect(await prison.said('rogue')).toContain('held');
  });
});

/** Megabytes as its first argument. */
const EAT = `const eaten = [];
for (let taken = 0; taken < Number(process.argv[2]); taken += 10) eaten.push(Buffer.alloc(10_000_000, 1));
setTimeout(() => console.log(eaten.length), process.argv[2] > 500 ? 0 : 600_000);
`;
