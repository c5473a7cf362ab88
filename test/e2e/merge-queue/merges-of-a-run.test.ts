// Merges as claims of the host, with real processes: killed in the middle of a check, and inside the cap.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { isPidThere } from '../../../src/shell/host/host.given.ts';
import { endRepositoriesAfterEach, givenRepository } from '../git-commands/repository.given.ts';
import { leftRunning } from '../world/processes.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endRepositoriesAfterEach();

type Repository = ReturnType<typeof givenRepository>;

const linesIn = ({ home }: Repository, name: string): readonly string[] =>
  existsSync(join(home, name)) ? readFileSync(join(home, name), 'utf8').trimEnd().split('\n') : [];

describe('the merges of a run', () => {
  test('go on after the coordinator was killed in the middle of their check: merged once, and no check left', async () => {
    const project = givenRepository(`sandbox: { isolation: none }
merge:
  check: |
    echo $$ >> "$HEDDLE_HOME/checks"
    until [ -e "$HEDDLE_HOME/go" ]; do sleep 0.05; done
    test -s src/one.txt
tasks:
  one: { run: echo more >> src/one.txt }
  two: { run: echo more >> src/two.txt }
`);
    const killed = project.start('run', '--json');
    await vi.waitUntil(() => linesIn(project, 'checks').length > 0, PATIENCE_MS);
    process.kill(killed.pid, 'SIGKILL');
    await killed.ended;
    const orphans = linesIn(project, 'checks');
    expect(orphans.filter((pid) => isPidThere(Number(pid)))).toEqual(orphans);
    const resumed = project.start('resume', '--json');
    await vi.waitUntil(() => linesIn(project, 'checks').length > orphans.length, PATIENCE_MS);
    expect(orphans.filter((pid) => isPidThere(Number(pid)))).toEqual([]);
    writeFileSync(join(project.home, 'go'), '');
    expect((await resumed.ended).code).toBe(0);
    expect(await leftRunning(project.folder)).toEqual([]);
    const subjects = project.git('log', '--format=%s', 'main..heddle/world-1').split('\n');
    expect(subjects.toSorted()).toEqual(['one: echo more >> src/one.txt', 'two: echo more >> src/two.txt']);
    const merges = (await project.events()).filter(({ work }) => work === 'merge');
    expect(merges.map(({ type, task, attempt }) => `${type} ${task}#${attempt}`).toSorted()).toEqual([
      'claim.ended one#1',
      'claim.ended two#1',
      'claim.made one#1',
      'claim.made two#1',
    ]);
  });

  test('hold a slot of the cap while they are checked, beside steps and ahead of new ones', async () => {
    // A step that were let in beside the merge and the step that overlaps it would still be there when the check begins.
    const waiting = 'echo "+ step" >> "$HEDDLE_HOME/log"; until [ -e "$HEDDLE_HOME/checked" ]; do sleep 0.05; done;';
    const project = givenRepository(`sandbox: { isolation: none }
merge:
  check: |
    echo "+ check" >> "$HEDDLE_HOME/log"
    touch "$HEDDLE_HOME/checked"
    sleep 0.5
    echo "- check" >> "$HEDDLE_HOME/log"
tasks:
  capped:
    max_parallel: 2
    tasks:
      first: { run: 'echo "+ step" >> "$HEDDLE_HOME/log"; echo 1 > 1; echo "- step" >> "$HEDDLE_HOME/log"' }
      second: { run: '${waiting} echo 2 > 2; echo "- step" >> "$HEDDLE_HOME/log"' }
      third: { run: '${waiting} echo 3 > 3; echo "- step" >> "$HEDDLE_HOME/log"' }
      fourth: { run: '${waiting} echo 4 > 4; echo "- step" >> "$HEDDLE_HOME/log"' }
`);
    const { code, errors } = await project.heddle('run', '--json');
    expect({ code, errors }).toMatchObject({ code: 0 });
    const running = { step: 0, check: 0 };
    let peak = 0;
    let isOverlapped = false;
    for (const line of linesIn(project, 'log')) {
      running[line.endsWith('check') ? 'check' : 'step'] += line.startsWith('+') ? 1 : -1;
      peak = Math.max(peak, running.step + running.check);
      isOverlapped ||= running.step > 0 && running.check > 0;
    }
    expect({ peak, isOverlapped }).toEqual({ peak: 2, isOverlapped: true });
  });
});
