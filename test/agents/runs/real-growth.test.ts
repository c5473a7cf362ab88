// A run that grows with the real programs: each is asked for tasks, is told what is wrong with its answer, answers again in
// the same conversation, and then does the tasks that it wrote.
import { expect, test } from 'vitest';
import { endProjectsAfterEach } from '../../e2e/world/given-project.given.ts';
import { need } from '../../needs.given.ts';
import { fetched, wholeRuns } from '../programs.given.ts';
import { givenRealProject, THREE } from './real-project.given.ts';

endProjectsAfterEach();

const FRAGMENT = [
  'Both files are new:',
  '```yaml',
  'tasks:',
  '  one:',
  '    files: [out/one.txt]',
  '    prompt: |',
  '      Write it.',
  '      @run mkdir -p out && cat base.txt > out/one.txt',
  '      @say one is done.',
  '  two:',
  '    needs: [one]',
  '    files: [out/two.txt]',
  '    prompt: |',
  '      Write it.',
  '      @run cat out/one.txt out/one.txt > out/two.txt',
  '      @say two is done.',
  '```',
].join('\\n');

/** The first answer is prose, the second leaves the repository, the third is right. */
const taskFor = (use: string): string => `  m:
    agent: ${use}
    files: [out/**]
    budget: { usd: 20 }
    grow:
      max_tasks: 4
      prompt: |
        Two tasks, please.
        @in 1 @say I would rather talk about it.
        @in 2 @say ${FRAGMENT.replace('[out/two.txt]', '[../two.txt]')}
        @in 3 @say ${FRAGMENT}
`;

test.for(THREE)('$use grows a run by the tasks that it then does', { timeout: 600_000 }, async (kind, context) => {
  const { use, program } = kind;
  need(context, fetched(program));
  // It takes minutes on a busy machine.
  if (use === 'opencode') need(context, wholeRuns());
  const project = await givenRealProject({ tasks: taskFor(use), kinds: [kind] });
  const ran = await project.heddle('run', '--json');
  expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}`).toBe(0);
  const events = await project.events();
  const refused = events.filter(({ type, reason }) => type === 'claim.returned' && reason === 'refused');
  expect(refused).toHaveLength(2);
  expect(events.filter(({ type }) => type === 'plan.grown')).toHaveLength(1);
  const { out } = await project.heddle('turns', 'm.draft');
  expect(out).toContain('leaves the repository');
  expect(project.git('show', 'heddle/real-1:out/two.txt')).toBe('the base\nthe base');
});
