// A person at a terminal and a draft: accept, edit, say what should change, leave.
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { endRepositoriesAfterEach } from '../git-commands/repository.given.ts';
import { atTerminal, openSession } from '../live/at-terminal.given.ts';
import { givenAnswers, GOAL, GOOD } from './drafting.given.ts';

endRepositoriesAfterEach();

const ASKS = 'accept, edit, leave, or say what should change:';
const BROKEN = GOOD.replace('needs: [three, four]', 'needs: [three, five]');

const planWords = (...more: readonly string[]): readonly string[] => [
  'plan',
  GOAL,
  '--agent',
  'scripted',
  '--no-tests',
  ...more,
];

atTerminal('says what should change, edits what comes back, and accepts it', async () => {
  const second = GOOD.replace('src/four.txt four', 'src/four.txt vier');
  const project = givenAnswers(GOOD, second);
  const env = { EDITOR: "sed -i 's/three.txt three/three.txt drei/'" };
  const session = openSession(planWords(), { cwd: project.folder, height: 60, env });
  await session.shows(ASKS);
  expect(session.raw()).toContain('Can start now');
  expect(session.raw()).toContain('both are in English.');
  expect(session.raw()).toContain('plan.svg');
  session.type('the second page in German\r');
  await session.until('a second draft', () => session.raw().split(ASKS).length === 3);
  session.type('e\r');
  await session.until('the edited plan', () => session.raw().split(ASKS).length === 4);
  expect(session.raw()).toContain('three.txt drei');
  session.type('a\r');
  expect(await session.end()).toEqual({ code: 0, isCooked: true });
  const written = readFileSync(project.file('plan.yaml'), 'utf8');
  expect(written).toContain('src/three.txt drei');
  expect(written).toContain('src/four.txt vier');
  expect(readFileSync(project.file('.heddle/runs/draft-1/plan.svg'), 'utf8')).toContain('<svg');
  expect((await project.heddle('turns', 'draft-1')).out).toContain('the second page in German');
});

atTerminal('counts rounds anew after the words of a person', async () => {
  const project = givenAnswers(BROKEN, BROKEN, BROKEN, GOOD);
  const session = openSession(planWords('--rounds', '1'), { cwd: project.folder, height: 60 });
  await session.shows('edit, leave, or say what should change:');
  expect(session.raw().match(/Draft \d/gu)).toEqual(['Draft 1', 'Draft 2']);
  session.type('mend it\r');
  await session.shows(ASKS);
  expect(session.raw().match(/Draft \d/gu)).toEqual(['Draft 1', 'Draft 2', 'Draft 3', 'Draft 4']);
  session.type('accept\r');
  expect((await session.end()).code).toBe(0);
});

atTerminal('does not accept a plan with errors, and leaves it without losing it', async () => {
  const project = givenAnswers(BROKEN);
  const session = openSession(planWords('--rounds', '1'), { cwd: project.folder, height: 60 });
  await session.shows('edit, leave, or say what should change:');
  session.type('accept\r');
  await session.shows('The plan has errors and cannot be accepted.');
  session.type('leave\r');
  expect(await session.end()).toEqual({ code: 2, isCooked: true });
  expect(existsSync(project.file('plan.yaml'))).toBe(false);
  expect((await project.heddle('turns', 'draft-1')).out).toContain('needs: [three, five]');
});

atTerminal('keeps what a person edited when the drafting is left, or the editor fails', async () => {
  const project = givenAnswers(GOOD);
  const failing = { EDITOR: "sh -c 'exit 1'" };
  const first = openSession(planWords(), { cwd: project.folder, height: 60, env: failing });
  await first.shows(ASKS);
  first.type('e\r');
  await first.shows('did not end well');
  first.type('l\r');
  expect((await first.end()).code).toBe(3);
  const rubbish = openSession(['plan'], {
    cwd: project.folder,
    height: 60,
    env: { EDITOR: String.raw`printf '\\377' >` },
  });
  await rubbish.shows(ASKS);
  rubbish.type('e\r');
  await rubbish.until('what is wrong', () => rubbish.raw().split('should change:').length === 3);
  rubbish.type('l\r');
  expect((await rubbish.end()).code).toBe(2);
  const emptied = openSession(['plan'], { cwd: project.folder, height: 60, env: { EDITOR: ': >' } });
  await emptied.shows('edit, leave, or say what should change:');
  emptied.type('e\r');
  await emptied.shows('The file is empty, so the plan stays as it was.');
  emptied.type('l\r');
  expect((await emptied.end()).code).toBe(2);
  const editing = { EDITOR: "sed -i 's/three.txt three/three.txt drei/'" };
  const second = openSession(['plan'], { cwd: project.folder, height: 60, env: editing });
  await second.shows(ASKS);
  second.type('e\r');
  await second.until('the edited plan', () => second.raw().split(ASKS).length === 3);
  second.type('l\r');
  expect((await second.end()).code).toBe(3);
  const accepted = await project.heddle('plan', '--yes');
  expect(accepted.errors).toContain('This is draft 1 as you edited it');
  expect(readFileSync(project.file('plan.yaml'), 'utf8')).toContain('src/three.txt drei');
});
