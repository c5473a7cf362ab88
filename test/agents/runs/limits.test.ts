// Real programs whose account or provider will not have them: pools that rest and open again, agents that take over.
import { expect, test } from 'vitest';
import { endProjectsAfterEach } from '../../e2e/world/given-project.given.ts';
import { leftRunning } from '../../e2e/world/processes.given.ts';
import { CLAUDE, CODEX, OPENCODE } from '../kinds.given.ts';
import { givenRealProject, THREE, needRun } from './real-project.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endProjectsAfterEach();

test(
  'a limit of an account closes its pool, which opens by itself, and counts as no attempt',
  { timeout: 2 * PATIENCE_MS },
  async (context) => {
    await needRun(context, THREE);
    // Of each the provider says no as often as the program asks in one turn.
    const says: Readonly<Record<string, string>> = {
      claude: '@error 429 times=2',
      codex: '@error 429 quota reset=15 times=1',
      opencode: '@error 429 times=2',
    };
    const task = (use: string, name: string, trouble: string): string =>
      `  ${name}:\n    agent: ${use}\n    prompt: |\n      Do ${name}.\n${trouble === '' ? '' : `      ${trouble}\n`}      @write ${name}.txt x\n      @say ok\n`;
    const project = await givenRealProject({
      head: `attempts: 1\npools: { claude: 1, codex: 1, opencode: 1 }\nagents:\n${THREE.map(({ use }) => `  ${use}: { pool: ${use} }\n`).join('')}`,
      tasks: THREE.map(({ use }) => task(use, `${use}-1`, says[use] ?? '') + task(use, `${use}-2`, '')).join(''),
    });
    const ran = await project.heddle('run', '--json');
    expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}`).toBe(0);
    const events = await project.events();
    const pools = events.filter(({ type }) => type.startsWith('pool.'));
    expect(pools.map(({ type }) => type).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'pool.closed'),
      ...Array.from({ length: 3 }, () => 'pool.opened'),
    ]);
    const returned = events.filter(({ type, work }) => work === 'step' && type === 'claim.returned');
    const said = returned.map(({ task: path, reason, counted }) => `${path} ${reason} ${counted}`);
    expect(said.toSorted((one, other) => one.localeCompare(other))).toEqual([
      'claude-1 rate_limit false',
      'codex-1 quota false',
      'opencode-1 rate_limit false',
    ]);
    for (const { use } of THREE) expect(project.git('show', `heddle/real-1:${use}-2.txt`)).toBe('x');
  },
);

const PATHS: Readonly<Record<string, string>> = { claude: 'messages', codex: 'responses', opencode: 'completions' };

test.for([
  ['claude', CLAUDE, CODEX],
  ['codex', CODEX, OPENCODE],
  ['opencode', OPENCODE, CLAUDE],
] as const)(
  'another program takes over from %s that may not sign in',
  { timeout: 2 * PATIENCE_MS },
  async ([, first, second], context) => {
    const kinds = [first, second];
    await needRun(context, kinds);
    const trouble = `@error 401 on=${PATHS[first.use]}`;
    const agents = `[${first.use}, ${second.use}]`;
    const lines = ['Do it.', trouble, '@write a.txt x', '@say ok'].map((line) => `      ${line}\n`).join('');
    const project = await givenRealProject({ kinds, tasks: `  a:\n    agent: ${agents}\n    prompt: |\n${lines}` });
    const ran = await project.heddle('run', '--json');
    expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}`).toBe(0);
    const turns = await project.heddle('turns', 'a', '--json');
    // What it prints is read here and nowhere else.
    const told = turns.out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
    expect(told).toMatchObject([
      { agent: first.use, verdict: 'authentication' },
      { agent: second.use, verdict: 'done' },
    ]);
  },
);

test('a limit of one account is one for all agents of its pool', { timeout: 2 * PATIENCE_MS }, async (context) => {
  const kinds = [CLAUDE, CODEX];
  await needRun(context, kinds);
  const project = await givenRealProject({
    kinds,
    head: 'attempts: 1\npools: { account: 1 }\nagents:\n  claude: { pool: account }\n  codex: { pool: account }\n',
    tasks:
      '  a:\n    agent: codex\n    prompt: |\n      Do a.\n      @error 429 quota reset=5 times=1\n      @say ok\n' +
      '  b:\n    agent: claude\n    prompt: |\n      Do b.\n      @say ok\n',
  });
  const ran = await project.heddle('run', '--json');
  expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}`).toBe(0);
  const told = (await project.events()).filter(
    ({ type, work }) => type.startsWith('pool.') || (work === 'step' && type === 'claim.made'),
  );
  const types = told.map(({ type }) => type);
  expect(types).toContain('pool.closed');
  expect(types[types.indexOf('pool.closed') + 1]).toBe('pool.opened');
});

test(
  'a turn that a limit breaks off at work goes on with what it has made',
  { timeout: 2 * PATIENCE_MS },
  async (context) => {
    const kinds = [CLAUDE, CODEX];
    await needRun(context, kinds);
    const task = (use: string, trouble: string): string =>
      `  ${use}:\n    agent: ${use}\n    prompt: |\n      Do it.\n      @run echo one > ${use}.txt\n      ${trouble}\n      @run cat ${use}.txt > ${use}-again.txt\n      @say ok\n`;
    const project = await givenRealProject({
      kinds,
      tasks: task('claude', '@error 429 times=2') + task('codex', '@error 429 quota reset=5 times=1'),
    });
    const ran = await project.heddle('run', '--json');
    expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}`).toBe(0);
    for (const { use } of kinds) {
      expect(project.git('show', `heddle/real-1:${use}-again.txt`)).toBe('one');
      const { out } = await project.heddle('turns', use);
      expect(out).toContain('going on with');
      expect(out).toContain('go on where you stopped');
    }
  },
);

test(
  'a turn that spends more than a budget allows is ended and has failed for its cost',
  { timeout: 2 * PATIENCE_MS },
  async (context) => {
    await needRun(context, THREE);
    const tools = Array.from({ length: 30 }, (_, index) => `      @run echo ${index}; sleep 1\n`).join('');
    const task = (use: string, budget: string): string =>
      `  ${use}:\n    agent: ${use}\n    budget: ${budget}\n    reserve: { usd: 0.0001, tokens: 10 }\n    prompt: |\n      Do it.\n${tools}      @say ok\n`;
    const project = await givenRealProject({
      head: 'attempts: 2\n',
      tasks: task('claude', '{ usd: 0.0015 }') + task('opencode', '{ usd: 0.0005 }'),
    });
    const ran = await project.heddle('run', '--json');
    expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}`).toBe(4);
    const ends = (await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.ended');
    expect(ends.map(({ reason }) => reason)).toEqual(['cost', 'cost']);
    // Each answer is told of; what was on its way when it was ended is not much more.
    for (const { spend } of ends) expect(spend?.usd).toBeLessThan(0.003);
    expect(await leftRunning(project.folder)).toEqual([]);
  },
);
