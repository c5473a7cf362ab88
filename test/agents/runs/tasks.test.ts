// Conversations of real programs over tasks: a later task goes on with that of an earlier one, or branches off it, in a
// sandbox of its own.
import { expect, test } from 'vitest';
import { endProjectsAfterEach } from '../../e2e/world/given-project.given.ts';
import { isolation, need } from '../../needs.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';
import { CLAUDE, CODEX } from '../kinds.given.ts';
import { givenRealProject, needRun } from './real-project.given.ts';

endProjectsAfterEach();

const BOTH = [CLAUDE, CODEX];

const tasksOf = (use: string): string => `  ${use}-design:
    agent: ${use}
    prompt: "Begin.\\n@write ${use}.txt one\\n@say One."
  ${use}-left:
    agent: ${use}
    needs: [${use}-design]
    resume: { fork: tasks.${use}-design }
    prompt: "Branch off.\\n@run cp ${use}.txt ${use}-left.txt\\n@count"
  ${use}-right:
    agent: ${use}
    needs: [${use}-design]
    resume: { fork: tasks.${use}-design }
    prompt: "Branch off too.\\n@count"
  ${use}-after:
    agent: ${use}
    needs: [${use}-left, ${use}-right]
    resume: { from: tasks.${use}-design }
    prompt: "Go on.\\n@run cat ${use}.txt ${use}-left.txt > ${use}-after.txt\\n@count"
  ${use}-last:
    agent: ${use}
    needs: [${use}-after]
    resume: { from: tasks.${use}-after }
    prompt: "Go on with what was gone on with.\\n@count"
`;

test.for(['os', 'none'] as const)(
  'two programs go on with conversations of other tasks and branch off them, with isolation %s',
  { timeout: 2 * PATIENCE_MS },
  async (wanted, context) => {
    await needRun(context, BOTH);
    if (wanted === 'os') need(context, await isolation());
    const project = await givenRealProject({
      head: `attempts: 1\nsandbox: { isolation: ${wanted} }\n`,
      tasks: BOTH.map(({ use }) => tasksOf(use)).join(''),
      kinds: BOTH,
    });
    const ran = await project.heddle('run', '--json');
    expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}`).toBe(0);
    const ends = (await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.ended');
    const said = (use: string) =>
      Object.fromEntries(
        ends.flatMap(({ task = '', result, spend }) =>
          task.startsWith(use) ? [[task.slice(use.length + 1), `${result?.response} ${spend?.tokens}`]] : [],
        ),
      );
    for (const { use } of BOTH) {
      expect([use, said(use)]).toEqual([
        use,
        {
          design: 'One. 220',
          left: 'I was asked 2 times. 220',
          right: 'I was asked 2 times. 110',
          after: 'I was asked 2 times. 220',
          last: 'I was asked 3 times. 110',
        },
      ]);
      expect(project.git('show', `heddle/real-1:${use}-after.txt`)).toBe('one\none');
    }
  },
);
