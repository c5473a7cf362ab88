// Real programs kept apart by the system: six tasks at once, each with a home, a tree and processes of its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endProjectsAfterEach } from '../../e2e/world/given-project.given.ts';
import { givenRealProject, ISOLATIONS, THREE, needRun } from './real-project.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endProjectsAfterEach();

const FIRST = (name: string): string =>
  `{ id: first, prompt: "Do it.\\n@run cat base.txt > ${name}.txt; ls $HOME/secret.txt\\n@say done" }`;

const longTask = (name: string, use: string): string => `  ${name}:
    agent: ${use}
    steps:
      - ${FIRST(name)}
      - { id: second, prompt: "Go on.\\n@count" }
      - { id: aside, async: true, prompt: "Branch off.\\n@count" }
      - { id: end, needs: [aside], run: "true" }
`;
const shortTask = (name: string, use: string): string =>
  `  ${name}:\n    agent: ${use}\n    steps:\n      - ${FIRST(name)}\n`;

test.for(ISOLATIONS)(
  'three programs complete a plan of six tasks, go on and branch off, with isolation %s',
  { timeout: 2 * PATIENCE_MS },
  async (isolation, context) => {
    await needRun(context, THREE, isolation);
    const project = await givenRealProject({
      // What they ask is found in their settings, and nothing else is reached.
      head: `max_parallel: 6\nsandbox: { isolation: ${isolation} }\n`,
      tasks: THREE.flatMap(({ use }) => [longTask(`${use}-1`, use), shortTask(`${use}-2`, use)]).join(''),
    });
    writeFileSync(join(project.folder, 'secret.txt'), 'x');
    const ran = await project.heddle('run', '--json');
    expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}`).toBe(0);
    const said = (await project.events()).flatMap(({ type, work, task, step, result }) =>
      work === 'step' && type === 'claim.ended' && step !== 'end' ? [`${task} ${step}: ${result?.response}`] : [],
    );
    expect(said.toSorted()).toEqual(
      THREE.flatMap(({ use }) => [
        `${use}-1 aside: I was asked 3 times.`,
        `${use}-1 first: done`,
        `${use}-1 second: I was asked 2 times.`,
        `${use}-2 first: done`,
      ]).toSorted(),
    );
    for (const { use } of THREE) expect(project.git('show', `heddle/real-1:${use}-2.txt`)).toBe('the base');
  },
);
