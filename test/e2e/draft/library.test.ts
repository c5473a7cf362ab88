// Drafting from a program: propose, ask for a change, accept.
import { expect, test } from 'vitest';
import { draft } from '../../../src/library.ts';
import { endRepositoriesAfterEach } from '../git-commands/repository.given.ts';
import { givenAnswers, GOAL, GOOD, isWritten } from './drafting.given.ts';

endRepositoriesAfterEach();

test('a program drafts, asks for a change and accepts, without a word on its terminal', async () => {
  const project = givenAnswers('Not yet.', GOOD, GOOD.replace('src/four.txt four', 'src/four.txt vier'));
  const { folder } = project;
  const proposed = await draft({ folder, goal: GOAL, agent: 'scripted', runsCheck: false });
  expect(proposed).toMatchObject({ type: 'proposed', run: 'draft-1', drafts: 2, findings: [], file: undefined });
  expect(isWritten(project)).toBe(false);
  const changed = await draft({ folder, change: 'In German.', accepts: true });
  expect(changed).toMatchObject({ type: 'accepted', run: 'draft-1', drafts: 3, file: 'plan.yaml' });
  expect(project.read('plan.yaml')).toContain('src/four.txt vier');
  expect(await draft({ folder })).toEqual({ type: 'refused', refusal: { code: 'no-drafting', run: undefined } });
});

test('an agent that fails is a result, and a wrong call is refused', async () => {
  const { folder } = givenAnswers('');
  const failed = await draft({ folder, goal: '@fail refused No.', agent: 'scripted', runsCheck: false });
  expect(failed).toEqual({ type: 'failed', run: 'draft-1', reason: 'refused', message: 'No.' });
  expect(await draft({ folder, goal: ' ' })).toMatchObject({ type: 'refused', refusal: { code: 'no-goal' } });
});
