// Turns of real programs that do not come to their end as they began: cancelled, stopped, or outliving their coordinator.
import { expect, test } from 'vitest';
import { endProjectsAfterEach } from '../../e2e/world/given-project.given.ts';
import { hasOutcome } from '../../e2e/world/holding.given.ts';
import { leftRunning, processesOf, signal } from '../../e2e/world/processes.given.ts';
import { until } from '../../e2e/world/project.given.ts';
import {
  foldersOfWaiting,
  givenRealProject,
  ISOLATIONS,
  letGo,
  THREE,
  WAITS,
  type RealProject,
  needRun,
} from './real-project.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endProjectsAfterEach();

const NAMES = THREE.map(({ use }) => use);

const promptTask = (use: string, tool: string): string =>
  `  ${use}:\n    agent: ${use}\n    prompt: |\n      Do it.\n      @run ${tool}\n      @say ${use} is done.\n`;

const givenThree = (isolation: string, tool: string): Promise<RealProject> =>
  givenRealProject({
    head: `sandbox: { isolation: ${isolation} }\n`,
    tasks: NAMES.map((use) => promptTask(use, tool)).join(''),
  });

const MAKES = `${WAITS}; echo made > $HEDDLE_TASK.txt`;
/** One in the session of the tool and one that has left it. */
const STAYS = 'echo begun; setsid sleep 300 & sleep 300';

const staying = (project: RealProject): number =>
  processesOf(project.folder).filter(({ command }) => command === 'sleep 300').length;

async function endsOf(project: RealProject): Promise<readonly string[]> {
  const ends = (await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.ended');
  return ends.map(({ task, ending }) => `${task} ${ending}`).toSorted();
}

test.for(ISOLATIONS)(
  'three programs that are cancelled while a tool works leave nothing running, with isolation %s',
  { timeout: 2 * PATIENCE_MS },
  async (isolation, context) => {
    await needRun(context, THREE, isolation);
    const project = await givenThree(isolation, STAYS);
    const going = project.start('run', '--json');
    await until(() => staying(project) === 6, PATIENCE_MS);
    expect(await project.heddle('cancel')).toMatchObject({ code: 0 });
    const { code } = await going.ended;
    expect(code).toBe(1);
    expect(await leftRunning(project.folder)).toEqual([]);
    expect(await endsOf(project)).toEqual(NAMES.map((use) => `${use} cancelled`));
  },
);

test.for(ISOLATIONS)(
  'turns of three programs whose coordinator is killed are used, not repeated, with isolation %s',
  { timeout: 2 * PATIENCE_MS },
  async (isolation, context) => {
    await needRun(context, THREE, isolation);
    const project = await givenThree(isolation, MAKES);
    const going = project.start('run', '--json');
    const folders = await foldersOfWaiting(project, THREE.length);
    for (const { pid, type } of processesOf(project.folder)) if (type === 'coordinator') signal(pid, 'SIGKILL');
    expect((await going.ended).signal).toBe('SIGKILL');
    // Two turns end while there is no coordinator; the third still runs when the run is resumed.
    const [last = '', ...first] = NAMES.toReversed();
    for (const use of first) letGo(folders.get(use));
    await until(() => first.every((use) => hasOutcome(project, use)), PATIENCE_MS);
    const resumed = project.start('resume', '--json');
    await resumed.sees(({ type, work, task }) => work === 'step' && type === 'claim.ended' && task === first[0]);
    letGo(folders.get(last));
    expect((await resumed.ended).code, resumed.errors()).toBe(0);
    for (const use of NAMES) expect(project.git('show', `heddle/real-1:${use}.txt`)).toBe('made');
    const claims = (await project.events()).filter(({ type, work }) => work === 'step' && type === 'claim.made');
    expect(claims.map(({ task = '' }) => task).toSorted()).toEqual(NAMES);
    // Only the first request of a turn tells of no call of a tool.
    const begun = project.models.requests.filter(({ tools, text }) => tools.length > 0 && !/call_\d/.test(text));
    expect(begun.length).toBe(THREE.length);
  },
);

test(
  'turns of three programs that are stopped leave nothing running, and are taken up again when the run goes on',
  { timeout: 2 * PATIENCE_MS },
  async (context) => {
    await needRun(context, THREE);
    const project = await givenThree('auto', MAKES);
    const going = project.start('run', '--json');
    await foldersOfWaiting(project, THREE.length);
    expect(await project.heddle('stop')).toMatchObject({ code: 0 });
    expect((await going.ended).code).toBe(3);
    expect(await leftRunning(project.folder)).toEqual([]);
    const resumed = project.start('resume', '--json');
    for (const folder of (await foldersOfWaiting(project, THREE.length)).values()) letGo(folder);
    expect((await resumed.ended).code, resumed.errors()).toBe(0);
    for (const use of NAMES) expect(project.git('show', `heddle/real-1:${use}.txt`)).toBe('made');
    expect(await endsOf(project)).toEqual(NAMES.map((use) => `${use} done`));
  },
);

test(
  'turns of three programs that were cancelled are run again by hand',
  { timeout: 2 * PATIENCE_MS },
  async (context) => {
    await needRun(context, THREE);
    const project = await givenThree('auto', MAKES);
    const going = project.start('run', '--json');
    await foldersOfWaiting(project, THREE.length);
    expect(await project.heddle('cancel')).toMatchObject({ code: 0 });
    expect((await going.ended).code).toBe(1);
    const again = project.start('retry', ...NAMES, '--json');
    for (const folder of (await foldersOfWaiting(project, THREE.length)).values()) letGo(folder);
    expect((await again.ended).code, again.errors()).toBe(0);
    for (const use of NAMES) expect(project.git('show', `heddle/real-1:${use}.txt`)).toBe('made');
  },
);
