// Conflicts foreseen while tasks still run.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endRepositoriesAfterEach, givenRepository } from './repository.given.ts';

endRepositoriesAfterEach();

const WAIT = 'until [ -e $HEDDLE_HOME/go ]; do sleep 0.05; done';

test('heddle conflicts names the pairs and the paths before anything is merged', async () => {
  const project = givenRepository(`merge: { on_conflict: stop }
sandbox: { isolation: none }
tasks:
  one:
    steps: [{ id: work, run: echo mine >> src/shared.txt }, { id: wait, run: "${WAIT}" }]
  two:
    steps: [{ id: work, run: echo yours >> src/shared.txt }, { id: wait, run: "${WAIT}" }]
  three: { run: echo three > src/three.txt }
  later: { run: "${WAIT}" }
`);
  const going = project.start('run', '--json', '--wait', '0');
  for (const name of ['one', 'two'])
    await going.sees(
      ({ type, work, task, step }) => work === 'step' && type === 'claim.made' && task === name && step === 'wait',
    );
  // The work of `three` is unknown until its step has ended, however busy the machine is.
  await going.sees(({ type, work, task }) => work === 'step' && type === 'claim.ended' && task === 'three');
  const { code, out } = await project.heddle('conflicts', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    run: 'world-1',
    conflicts: [{ one: 'one', other: 'two', paths: ['src/shared.txt'], kinds: ['contents'] }],
    unknown: ['later'],
  });
  const said = await project.heddle('conflicts');
  expect(said.out).toContain('1 conflict foreseen');
  expect(said.out).toMatch(/one and two +src\/shared.txt \(contents\)/);
  writeFileSync(join(project.home, 'go'), '');
  expect((await going.ended).code).toBe(3);
  const settled = await project.heddle('conflicts');
  expect(settled.out).toContain('1 conflict foreseen');
  expect((await project.heddle('conflicts', 'world-7')).code).toBe(2);
});
