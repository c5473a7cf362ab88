// Turns of real programs that do not come to their end as they began: cancelled, or outliving their coordinator.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ATTEMPT_FILES } from '../../../src/shell/attempt-folder.ts';
import { endProjectsAfterEach } from '../../e2e/world/given-project.given.ts';
import { leftRunning, processesOf, signal } from '../../e2e/world/processes.given.ts';
import { until } from '../../e2e/world/project.given.ts';
import { areHere, givenRealProject, PATIENCE_MS, THREE, type RealProject } from './real-project.given.ts';

endProjectsAfterEach();

const promptTask = (use: string, tool: string): string =>
  `  ${use}:\n    agent: ${use}\n    prompt: |\n      Do it.\n      @run ${tool}\n      @say ${use} is done.\n`;

/** All of the three programs have a tool at work. */
const allBegun = (project: RealProject): Promise<boolean> =>
  until(() => THREE.every(({ use }) => existsSync(join(project.home, `${use}.begun`))), PATIENCE_MS);

test(
  'three programs that are cancelled while a tool works leave nothing running',
  { timeout: PATIENCE_MS },
  async () => {
    if (!areHere(THREE)) return;
    const tool = 'touch $HEDDLE_HOME/$HEDDLE_TASK.begun; setsid sleep 300 & sleep 300';
    const project = await givenRealProject({ tasks: THREE.map(({ use }) => promptTask(use, tool)).join('') });
    const going = project.start('run', '--json');
    await allBegun(project);
    await until(() => processesOf(project.folder).filter(({ command }) => command === 'sleep 300').length === 6);
    expect(await project.heddle('cancel')).toMatchObject({ code: 0 });
    const { code } = await going.ended;
    expect(code).toBe(1);
    expect(await leftRunning(project.folder)).toEqual([]);
    const ends = (await project.events()).filter(({ type }) => type === 'step.ended');
    const said = ends.map(({ task, ending }) => `${task} ${ending}`);
    expect(said.toSorted((one, other) => one.localeCompare(other))).toEqual(THREE.map(({ use }) => `${use} cancelled`));
  },
);

test(
  'turns of three programs whose coordinator is killed are used, not repeated',
  { timeout: PATIENCE_MS },
  async () => {
    if (!areHere(THREE)) return;
    const tool =
      'touch $HEDDLE_HOME/$HEDDLE_TASK.begun; until [ -e $HEDDLE_HOME/$HEDDLE_TASK.go ]; do sleep 0.1; done; echo made > $HEDDLE_TASK.txt';
    const project = await givenRealProject({ tasks: THREE.map(({ use }) => promptTask(use, tool)).join('') });
    const going = project.start('run', '--json');
    await allBegun(project);
    for (const { pid, type } of processesOf(project.folder)) if (type === 'coordinator') signal(pid, 'SIGKILL');
    expect((await going.ended).signal).toBe('SIGKILL');
    // Of two the turn ends while nobody is there; the third is still at work when the run goes on.
    const [last, ...first] = THREE.map(({ use }) => use).toReversed();
    for (const use of first) writeFileSync(join(project.home, `${use}.go`), '');
    const outcomeOf = (task: string): string =>
      join(project.attempt({ task, step: 'main', attempt: 1 }), ATTEMPT_FILES.outcome);
    await until(() => first.every((use) => existsSync(outcomeOf(use))), PATIENCE_MS);
    const resumed = project.start('resume', '--json');
    await resumed.sees(({ type, task }) => type === 'step.ended' && task === first[0]);
    writeFileSync(join(project.home, `${last}.go`), '');
    expect((await resumed.ended).code, resumed.errors()).toBe(0);
    for (const { use } of THREE) expect(project.git('show', `heddle/real-1:${use}.txt`)).toBe('made');
    const claims = (await project.events()).filter(({ type }) => type === 'step.claimed');
    expect(claims.map(({ task = '' }) => task).toSorted((one, other) => one.localeCompare(other))).toEqual(
      THREE.map(({ use }) => use),
    );
    expect(project.models.requests.filter(({ tools }) => tools.length > 0).length).toBe(6);
  },
);
