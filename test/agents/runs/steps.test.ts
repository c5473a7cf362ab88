// Conversations of real programs over the steps of a task: continued, and forked.
import { expect, test } from 'vitest';
import { endProjectsAfterEach } from '../../e2e/world/given-project.given.ts';
import { givenRealProject, THREE, needRun } from './real-project.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endProjectsAfterEach();

const taskOf = (use: string): string => `  ${use}:
    agent: ${use}
    steps:
      - { id: first, prompt: "Begin.\\n@write ${use}.txt one\\n@say One." }
      - { id: second, prompt: "Go on.\\n@run cat ${use}.txt >> ${use}.txt.again\\n@count" }
      - { id: left, async: true, prompt: "Branch off.\\n@count" }
      - { id: right, async: true, prompt: "Branch off too.\\n@count" }
      - { id: third, needs: [left, right], prompt: "Go on again.\\n@count" }
      - { id: fresh, resume: false, prompt: "Begin anew.\\n@count" }
`;

test(
  'three programs go on with their conversations, branch off and begin anew, as the steps say',
  { timeout: 2 * PATIENCE_MS },
  async (context) => {
    await needRun(context, THREE);
    const project = await givenRealProject({ tasks: THREE.map(({ use }) => taskOf(use)).join('') });
    const ran = await project.heddle('run', '--json');
    expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}`).toBe(0);
    const ends = (await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.ended');
    const said = (use: string) =>
      Object.fromEntries(ends.flatMap(({ task, step, result }) => (task === use ? [[step, result?.response]] : [])));
    for (const { use } of THREE)
      expect([use, said(use)]).toEqual([
        use,
        {
          first: 'One.',
          second: 'I was asked 2 times.',
          left: 'I was asked 3 times.',
          right: 'I was asked 3 times.',
          third: 'I was asked 3 times.',
          fresh: 'I was asked 1 times.',
        },
      ]);
    const tokens = Object.fromEntries(ends.map(({ task, step, spend }) => [`${task}.${step}`, spend?.tokens]));
    for (const { use } of THREE) {
      expect(project.git('show', `heddle/real-1:${use}.txt.again`)).toBe('one');
      expect([tokens[`${use}.second`], tokens[`${use}.left`], tokens[`${use}.third`]]).toEqual([220, 110, 110]);
    }
  },
);
