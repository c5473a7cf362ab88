// Conversations, questions, limits, fallback agents and the breaker, with real turns of agents that do as they are told.
import { expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from './given-project.given.ts';
import type { Project } from './project.given.ts';

endProjectsAfterEach();

const HEAD = `attempts: 1
agents: { ai: { use: scripted }, other: { use: scripted } }
agent: ai
`;

interface Turn {
  readonly task: string;
  readonly step: string;
  readonly type: string;
  readonly attempt: number;
  readonly agent: string | null;
  readonly prompt: string;
  readonly response: string | null;
  readonly launched_at: number;
  readonly completed_at: number;
  readonly group: number;
  readonly verdict: string;
  readonly conversation: string | null;
  readonly from: { readonly id: string; readonly mode: string } | null;
}

async function turnsOf(project: Project, task: string): Promise<readonly Turn[]> {
  const { out, code } = await project.heddle('turns', task, '--json');
  expect(code).toBe(0);
  return (
    out
      .trim()
      .split('\n')
      // What the program prints as JSON lines is what the test is about.
      .map((line) => JSON.parse(line) as Turn)
  );
}

test('steps go on with one conversation, async ones branch off, and fresh ones begin their own', async () => {
  const project = givenProject(`${HEAD}tasks:
  a:
    steps:
      - { id: one, prompt: "@say first" }
      - { id: side, async: true, prompt: "@say aside" }
      - { id: two, prompt: "@say second" }
      - { id: apart, resume: false, prompt: "@say alone" }
      - { id: all, needs: [side], action: join }
  each: { for_each: { in: [x, y], task: { run: "echo {{ item }}" } } }
`);
  expect((await project.heddle('run', 'plan.yaml')).code).toBe(0);
  const turns = await turnsOf(project, 'a');
  const by = Object.fromEntries(turns.map((turn) => [turn.step, turn]));
  expect(by['one']).toMatchObject({
    from: null,
    conversation: 'a/one#1',
    response: 'first',
    verdict: 'done',
    group: 1,
  });
  expect(by['all']).toMatchObject({ type: 'join', response: '[side]:\naside', verdict: 'done', agent: null });
  expect(by['two']).toMatchObject({ from: { id: 'a/one#1', mode: 'continue' }, conversation: 'a/one#1 + two#1' });
  expect(by['side']).toMatchObject({ from: { id: 'a/one#1', mode: 'fork' }, conversation: 'a/one#1 / side#1' });
  expect(by['apart']).toMatchObject({ from: null, conversation: 'a/apart#1', prompt: '@say alone' });
  for (const { launched_at: begun, completed_at: ended } of turns) expect(begun).toBeLessThanOrEqual(ended);
  const { out } = await project.heddle('turns', 'a');
  expect(out).toContain('two #1 by ai: done');
  expect(out).toContain('going on with a/one#1\n> @say second\n  second\n');
  const inside = await project.heddle('turns', 'each');
  expect(inside.out).toMatch(/^each\.x #1: done [^]*^ {2}x\neach\.y #1: done [^]*^ {2}y\n$/m);
});

test('an agent that asks gets the answer of a person and continues its conversation, after the coordinator has exited', async () => {
  const project = givenProject(`${HEAD}tasks: { a: { prompt: "@write half.txt x\\n@ask Which one?" } }\n`);
  const first = await project.heddle('run', 'plan.yaml', '--wait', '0s');
  expect(first.code).toBe(3);
  expect(first.out).toContain('a asks: Which one?  heddle answer a "…"');
  expect((await project.heddle('status')).out).toContain('Which one?');
  const yes = await project.heddle('approve', 'a');
  expect(yes.code).toBe(2);
  expect(yes.errors).toContain('a wants words, not a yes: heddle answer a "…"');
  expect((await project.heddle('answer', 'a')).code).toBe(2);
  const told = await project.heddle('answer', 'a', '--json', '@say', 'The', 'blue one.');
  expect(JSON.parse(told.out)).toMatchObject({ task: 'a', hasCoordinator: false });
  expect(told.out).toContain('heddle resume');
  expect((await project.heddle('resume')).code).toBe(0);
  expect(await turnsOf(project, 'a')).toMatchObject([
    { verdict: 'asked', conversation: 'a/main#1' },
    { verdict: 'done', prompt: '@say The blue one.', response: 'The blue one.', from: { id: 'a/main#1' } },
  ]);
  const late = await project.heddle('answer', 'a', 'too late');
  expect(late.code).toBe(2);
  expect(late.errors).toContain('a asks nothing');
});

test('a question without an answer in time fails its step, and a denied one is decided by the agent', async () => {
  const silent = givenProject(`${HEAD}questions: { timeout: 1s }\ntasks: { a: { prompt: "@ask Yes?" } }\n`);
  expect((await silent.heddle('run', 'plan.yaml', '--wait', '1m')).code).toBe(1);
  expect((await silent.events()).find(({ type }) => type === 'task.ended')).toMatchObject({ reason: 'asked' });
  const denied = givenProject(
    `${HEAD.replace('attempts: 1', 'attempts: 2')}questions: deny\ntasks: { a: { prompt: "@once asked @ask Yes?" } }\n`,
  );
  expect((await denied.heddle('run', 'plan.yaml')).code).toBe(0);
  expect((await turnsOf(denied, 'a'))[1]?.prompt).toContain('Decide for yourself');
});

test('a list of agents lets another take over by verdict, and the log says who', async () => {
  const project = givenProject(`${HEAD}tasks:
  a: { agent: [ai, other], prompt: "@once tried @fail authentication Log in." }
  b: { agent: [ai, other], prompt: "@once quota @quota 1h" }
`);
  expect((await project.heddle('run', 'plan.yaml', '--max-parallel', '1')).code).toBe(0);
  expect(await turnsOf(project, 'a')).toMatchObject([
    { agent: 'ai', verdict: 'authentication' },
    { agent: 'other', verdict: 'done' },
  ]);
  expect((await turnsOf(project, 'b')).map(({ agent, verdict }) => [agent, verdict])).toEqual([
    ['ai', 'quota'],
    ['other', 'done'],
  ]);
});

test('an answer of the wrong shape is repaired once, and then fails for it', async () => {
  const project = givenProject(`${HEAD}tasks:
  right:
    prompt: "@forget\\n@once tried @say no json\\n@say {\\"n\\": 1}\\n@once last @say no json"
    output: { type: object, required: [n] }
  wrong: { prompt: "@say never json", output: { type: object } }
`);
  expect((await project.heddle('run', 'plan.yaml')).code).toBe(1);
  const right = await turnsOf(project, 'right');
  expect(right.map(({ verdict }) => verdict)).toEqual(['output', 'done']);
  expect(right[1]?.prompt).toContain('does not have the shape that the plan declares');
  expect((await turnsOf(project, 'wrong')).map(({ verdict }) => verdict)).toEqual(['output', 'output']);
});

test('turns that fail in the same way in three tasks pause the run, and say why', async () => {
  const tasks = ['a', 'b', 'c', 'd', 'e'].map((task) => `  ${task}: { prompt: "@fail authentication Not logged in." }`);
  const project = givenProject(`${HEAD}max_parallel: 1\ntasks:\n${tasks.join('\n')}\n`);
  const { code, out } = await project.heddle('run', 'plan.yaml', '--wait', '0s');
  expect(code).toBe(3);
  expect(out).toContain('because turns of ai fail in the same way, in a, b, c (authentication): Not logged in.');
  expect((await project.heddle('status')).out).toContain('paused');
  expect((await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.made')).toHaveLength(3);
});

test('a limit closes the pool of its account without an attempt, and it opens by itself after a restart', async () => {
  const project = givenProject(`attempts: 1
pools: { account: 2 }
agents: { ai: { use: scripted, pool: account }, free: { use: scripted } }
agent: ai
tasks:
  a: { prompt: "@once tried @limit 1s" }
  b: { needs: [a], agent: free, prompt: "@say free" }
  c: { agent: free, prompt: "@say free" }
`);
  const going = project.start('run', 'plan.yaml', '--json');
  await going.sees(({ type }) => type === 'pool.closed');
  const { out } = await project.heddle('status');
  expect(out).toContain('its account is at its limit');
  await project.endProcesses();
  expect((await project.heddle('resume')).code).toBe(0);
  const types = (await project.events()).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith('pool.'))).toEqual(['pool.closed', 'pool.opened']);
  expect(await turnsOf(project, 'a')).toMatchObject([{ verdict: 'rate_limit' }, { verdict: 'done' }]);
});
