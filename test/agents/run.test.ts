// A run of three real programs at once: six tasks in sandboxes of their own, merged to one branch.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from '../e2e/world/given-project.given.ts';
import { need } from '../needs.given.ts';
import { startModels } from '../models/start-models.ts';
import { CLAUDE, CODEX, OPENCODE } from './kinds.given.ts';
import { fetched, pathWithAgents } from './programs.given.ts';

endProjectsAfterEach();

const KINDS = [CLAUDE, CODEX, OPENCODE];

const taskOf = (name: string, use: string): string => `  ${name}:
    agent: ${use}
    prompt: |
      Do it.
      @run cat base.txt > ${name}.txt
      @say ${name} is done.
`;

test(
  'three programs complete a plan of six tasks in parallel, each in its own sandbox',
  { timeout: 600_000 },
  async (context) => {
    for (const { program } of KINDS) need(context, fetched(program));
    const models = await startModels();
    const env: Record<string, string> = { PATH: pathWithAgents() };
    const tasks = KINDS.flatMap(({ use }) => [`${use}-1`, `${use}-2`].map((name) => taskOf(name, use)));
    const plan = `heddle: 1\nname: real\nmax_parallel: 3\nattempts: 2\nsandbox: { isolation: none }\ntasks:\n${tasks.join('')}`;
    const project = givenProject(plan, env);
    for (const { settle } of KINDS) Object.assign(env, settle({ home: project.folder, url: models.url }));
    const git = (...words: readonly string[]): string =>
      execFileSync('git', words, { cwd: project.folder, encoding: 'utf8' }).trim();
    git('init', '-q', '-b', 'main');
    mkdirSync(project.file('src'));
    writeFileSync(project.file('base.txt'), 'the base\n');
    git('add', 'base.txt');
    git('-c', 'user.name=x', '-c', 'user.email=x@localhost', 'commit', '-qm', 'start');
    const ran = await project.heddle('run', '--json');
    await models.close();
    expect(ran.code, `${ran.out.slice(-2000)}${ran.errors}`).toBe(0);
    for (const { use } of KINDS) expect(git('show', `heddle/real-1:${use}-2.txt`)).toBe('the base');
    const spends = (await project.events()).flatMap(({ type, work, spend }) =>
      work === 'step' && type === 'claim.ended' ? [spend?.tokens] : [],
    );
    expect(spends).toEqual(Array.from({ length: 6 }, () => 2 * 110));
  },
);
