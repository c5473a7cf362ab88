// Real programs that speak the protocol, each in a sandbox of its own, kept apart by the system where it can.
import { expect, test } from 'vitest';
import { endProjectsAfterEach } from '../../e2e/world/given-project.given.ts';
import { CLAUDE_ACP, CODEX_ACP, COPILOT, GOOSE, KIMI, QWEN } from '../kinds.given.ts';
import { givenRealProject, ISOLATIONS, needRun } from './real-project.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endProjectsAfterEach();

const KINDS = [CLAUDE_ACP, CODEX_ACP, COPILOT, GOOSE, KIMI, QWEN];

const taskOf = (name: string): string => `  ${name}:
    agent: ${name}
    steps:
      - { id: first, prompt: "Do it.\\n@run cat base.txt > ${name}.txt\\n@say done" }
      - { id: second, prompt: "Go on.\\n@count" }
`;

test.for(ISOLATIONS)(
  'programs that speak the protocol work and go on side by side, with isolation %s',
  { timeout: 2 * PATIENCE_MS },
  async (isolation, context) => {
    await needRun(context, KINDS, isolation);
    const agents = KINDS.map(({ program }) => `  ${program}: { use: acp, command: ${program} }\n`).join('');
    const project = await givenRealProject({
      head: `max_parallel: 3\nsandbox: { isolation: ${isolation} }\nagents:\n${agents}`,
      tasks: KINDS.map(({ program }) => taskOf(program)).join(''),
      kinds: KINDS,
    });
    const ran = await project.heddle('run', '--json');
    expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}`).toBe(0);
    const said = (await project.events()).flatMap(({ type, work, task, step, result }) =>
      work === 'step' && type === 'claim.ended' ? [`${task} ${step}: ${result?.response}`] : [],
    );
    expect(said.toSorted()).toEqual(
      KINDS.flatMap(({ program }) => [`${program} first: done`, `${program} second: I was asked 2 times.`]).toSorted(),
    );
    for (const { program } of KINDS) expect(project.git('show', `heddle/real-1:${program}.txt`)).toBe('the base');
  },
);
