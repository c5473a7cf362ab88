// A real program asks before it uses a tool, and a person decides: in a run of its own, in a sandbox.
import { expect, test } from 'vitest';
import { endProjectsAfterEach } from '../../e2e/world/given-project.given.ts';
import { CLAUDE } from '../kinds.given.ts';
import { givenRealProject, needRun } from './real-project.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endProjectsAfterEach();

const PLAN = {
  kinds: [CLAUDE],
  head: 'permissions: { policy: gate, allow: [edit] }\nattempts: 1\nmerge: { check: "true" }\n',
  tasks: '  claude: { agent: claude, prompt: "Do it.\\n@write a.txt one\\n@run cp a.txt ran.txt\\n@say Never." }\n',
};
const AGAIN = '@run cp a.txt ran.txt\n@say Done.';

interface Turn {
  readonly conversation: string;
  readonly from: { readonly id: string } | null;
}

test.for([
  ['allows', `yes\n${AGAIN}`, true],
  ['refuses', `no\n${AGAIN}`, false],
] as const)(
  'when a person %s a command that claude asks for (%j), whether it is run is theirs to say: %s',
  { timeout: PATIENCE_MS },
  async ([, words, isRun], context) => {
    await needRun(context, [CLAUDE]);
    const project = await givenRealProject(PLAN);
    const asked = await project.heddle('run', '--wait', '0s');
    expect(asked.code, `${asked.out}${asked.errors}`).toBe(3);
    expect(asked.out).toContain('claude asks: Permission to use Bash: cp a.txt ran.txt?');
    expect((await project.heddle('answer', 'claude', words)).code).toBe(0);
    const ended = await project.heddle('resume', '--wait', '0s');
    expect(ended.code, `${ended.out}${ended.errors}`).toBe(0);
    const files = project.git('ls-tree', '--name-only', 'heddle/real-1').split('\n');
    // What it had made before it asked is there either way.
    expect([files.includes('a.txt'), files.includes('ran.txt')]).toEqual([true, isRun]);
    const turns = (await project.heddle('turns', 'claude', '--json')).out.trim().split('\n');
    // What the program prints as JSON lines is what the test is about.
    const told = turns.map((line) => JSON.parse(line) as Turn);
    expect(told[1]?.from?.id).toBe(told[0]?.conversation);
  },
);
