// Agents as people meet them: what is there, what a plan does with any program, and what it says when one is missing.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from './world/given-project.given.ts';

endProjectsAfterEach();

const EMPTY = 'tasks:\n  a: { run: "true" }\n';

describe('heddle agents', () => {
  test('lists every kind, as text and as JSON, with how to install the missing ones', async () => {
    const project = givenProject(EMPTY, { PATH: '/usr/bin:/bin' });
    const words = await project.heddle('agents');
    expect(words).toMatchObject({ code: 0, errors: '' });
    expect(words.out).toMatch(/^claude +not installed/m);
    expect(words.out).toContain('npm install --global @openai/codex');
    expect(words.out).toMatch(/^scripted +part of Heddle +needs no login/m);
    // What the program prints is read here and nowhere else.
    const found = JSON.parse((await project.heddle('agents', '--json')).out) as readonly { use: string }[];
    expect(found.map(({ use }) => use)).toEqual(['claude', 'codex', 'opencode', 'gemini', 'pi', 'scripted']);
  });

  test('tries one, and exits by how that went', async () => {
    const project = givenProject(EMPTY, { PATH: '/usr/bin:/bin' });
    const good = await project.heddle('agents', '--try', 'scripted');
    expect(good.out).toMatch(/^scripted works: it answered "ready" after \d/);
    expect(good.code).toBe(0);
    const missing = await project.heddle('agents', '--try', 'claude', '--json');
    expect(missing.code).toBe(1);
    expect(JSON.parse(missing.out)).toMatchObject({ use: 'claude', verdict: { type: 'failed' } });
    const nobody = await project.heddle('agents', '--try', 'nobody');
    expect(nobody).toMatchObject({ code: 2, out: '' });
    expect(nobody.errors).toContain('There is no agent nobody to try; there are: claude, codex');
  });

  test('has help with examples', async () => {
    const { out } = await givenProject(EMPTY).heddle('agents', '--help');
    expect(out).toContain('heddle agents --try claude');
  });
});

describe('a plan', () => {
  test('gives its prompts to any program, which sees nothing that is not allowed', async () => {
    const project = givenProject(
      `agents: { mine: { use: command, command: ./agent.sh } }
tasks:
  a: { agent: mine, prompt: Write a poem. }
  b: { needs: [a], run: "printf '%s' {{ tasks.a.response }} > said.txt" }
`,
      { A_DATABASE_PASSWORD: 'hunter-2-hunter-2' },
    );
    writeFileSync(project.file('agent.sh'), '#!/bin/sh\necho "asked: $(cat) [$A_DATABASE_PASSWORD]"\n');
    chmodSync(project.file('agent.sh'), 0o755);
    expect((await project.heddle('run', '--json')).code).toBe(0);
    const ended = (await project.events()).find(
      ({ type, work, task }) => work === 'step' && type === 'claim.ended' && task === 'a',
    );
    expect(ended?.result?.response).toBe('asked: Write a poem. []');
    expect((await project.heddle('logs', 'a')).out).toBe('asked: Write a poem. []\n');
  });

  test('passes an agent the variables that it names, and keeps nothing that looks like a key', async () => {
    const project = givenProject(
      `agents: { mine: { use: command, command: ./agent.sh, env: { HEADER: "Bearer \${MY_PASS}" } } }
tasks:
  a: { agent: mine, prompt: Go. }
`,
      { MY_PASS: 'abcdefgh-12345678', OTHER: 'x' },
    );
    writeFileSync(
      project.file('agent.sh'),
      '#!/bin/sh\necho "$HEADER" > seen.txt\necho "it is $HEADER and [$OTHER]"\n',
    );
    chmodSync(project.file('agent.sh'), 0o755);
    expect((await project.heddle('run', '--json')).code).toBe(0);
    expect(readFileSync(project.file('seen.txt'), 'utf8')).toBe('Bearer abcdefgh-12345678\n');
    expect((await project.heddle('logs', 'a')).out).toBe('it is Bearer [redacted] and []\n');
  });

  test('whose agent is not installed is refused before anything starts', async () => {
    const project = givenProject('tasks:\n  a: { agent: codex, prompt: x }\n', { PATH: '/usr/bin:/bin' });
    const { code, errors } = await project.heddle('run');
    expect(code).toBe(2);
    expect(errors).toContain('The agent codex uses codex, which is not installed here.');
    expect((await project.heddle('runs')).out).not.toContain('world-1');
  });
});
