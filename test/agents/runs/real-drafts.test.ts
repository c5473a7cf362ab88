// From a goal to a merged branch with the real programs: each drafts a plan, is told what is wrong with it, drafts again in
// the same conversation, and then does the tasks of its own plan.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endProjectsAfterEach } from '../../e2e/world/given-project.given.ts';
import { need } from '../../needs.given.ts';
import { fetched, wholeRuns } from '../programs.given.ts';
import { givenRealProject, THREE } from './real-project.given.ts';

endProjectsAfterEach();

const PLAN = [
  'Why: both files are new.',
  'Assumption: the base stays.',
  '',
  '```yaml',
  'heddle: 1',
  'name: pages',
  'tasks:',
  '  one:',
  '    prompt: |',
  '      Write it.',
  '      @run cat base.txt > one.txt',
  '      @say one is done.',
  '    files: [one.txt]',
  '    check: grep -q base one.txt',
  '    estimate: 3m',
  '  two:',
  '    needs: [one]',
  '    prompt: |',
  '      Write it.',
  '      @run cat one.txt one.txt > two.txt',
  '      @say two is done.',
  '    files: [two.txt]',
  '    check: test -s two.txt',
  '    estimate: 3m',
  '```',
].join('\\n');

/** The first answer has no plan, the second an unknown key, the third is right. It reads the repository before the first. */
const GOAL = [
  'Add the two files.',
  '@in 1 @run ls',
  '@in 1 @say I would rather talk about it.',
  `@in 2 @say ${PLAN.replace('files: [two.txt]', 'file: [two.txt]')}`,
  `@in 3 @say ${PLAN}`,
].join('\n');

test.for(THREE)('$use drafts a plan by which it works', { timeout: 600_000 }, async (kind, context) => {
  const { use, program } = kind;
  need(context, fetched(program));
  // It takes minutes on a busy machine.
  if (use === 'opencode') need(context, wholeRuns());
  const project = await givenRealProject({ tasks: '  a: { run: "true" }\n', kinds: [kind] });
  project.git('rm', '-q', '--cached', '--ignore-unmatch', 'plan.yaml');
  const planned = await project.heddle('plan', GOAL, '--agent', use, '--yes', '--json', '--out', 'pages.yaml');
  expect(planned.code, `${planned.out.slice(-2000)}${planned.errors}`).toBe(0);
  // What the program prints is read here.
  const { drafts } = JSON.parse(planned.out) as { drafts: readonly { findings: readonly { code: string }[] }[] };
  expect(drafts.map(({ findings }) => findings.map(({ code }) => code))).toEqual([['no-plan'], ['unknown-key'], []]);
  expect(readFileSync(project.file('pages.yaml'), 'utf8')).toContain(`agent: ${use}`);
  expect((await project.heddle('check', 'pages.yaml')).code).toBe(0);
  const ran = await project.heddle('run', 'pages.yaml', '--json');
  expect(ran.code, `${ran.out.slice(-2000)}${ran.errors}`).toBe(0);
  expect(project.git('show', 'heddle/pages-1:two.txt')).toBe('the base\nthe base');
});
