// Real programs whose connection breaks in the middle of a turn.
import { expect, test } from 'vitest';
import { endProjectsAfterEach } from '../../e2e/world/given-project.given.ts';
import { CLAUDE, CODEX } from '../kinds.given.ts';
import { givenRealProject, needRun } from './real-project.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endProjectsAfterEach();

test('a turn that is cut off at work goes on with its conversation', { timeout: PATIENCE_MS }, async (context) => {
  const kinds = [CLAUDE, CODEX];
  await needRun(context, kinds);
  // As often as the program asks in one turn.
  const times: Readonly<Record<string, number>> = { claude: 3, codex: 2 };
  const task = (use: string): string =>
    `  ${use}:\n    agent: ${use}\n    prompt: |\n      Do it.\n      @run echo one >> ${use}.txt\n      @cut times=${times[use]}\n      @run cat ${use}.txt > ${use}-again.txt\n      @say ok\n`;
  const project = await givenRealProject({ kinds, tasks: kinds.map(({ use }) => task(use)).join('') });
  const ran = await project.heddle('run', '--json');
  expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}`).toBe(0);
  const returned = (await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.returned');
  expect(returned.map(({ task: path, reason, counted }) => `${path} ${reason} ${counted}`).toSorted()).toEqual([
    'claude cut_off true',
    'codex cut_off true',
  ]);
  for (const { use } of kinds) {
    // Its tool was used once, and the turn after it found what it had made.
    expect(project.git('show', `heddle/real-1:${use}-again.txt`)).toBe('one');
    const { out } = await project.heddle('turns', use);
    expect(out).toContain('going on with');
    expect(out).toContain('You were cut off');
  }
});
