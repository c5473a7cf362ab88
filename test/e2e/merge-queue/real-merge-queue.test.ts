// The merge queue over real git and real sandboxes, whole and killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { MergeRequest } from '../../../src/shell/ports/merge-request.ts';
import { chance } from '../../../src/core/schedule/chance.ts';
import { endOrphans, findChecks } from '../../../src/shell/merge/run-check.ts';
import { AT, fingerprintOf, gitIn, homeOf, makeProject } from '../git-project.given.ts';
import type { Project } from '../git-project.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

const RUN = 'run-1';
const ROUNDS = 3;
const KILLS_OF_ROUND = 3;
const SEED = 11;

interface Ended {
  readonly branch: string;
  readonly outcomes: readonly { readonly type: string; readonly task: string }[];
}

/** What came of it, undefined when it was killed. */
async function ride(args: readonly string[], killAfterMs: number | undefined): Promise<Ended | undefined> {
  const program = join(import.meta.dirname, 'merge-queue-program.given.ts');
  const child = spawn(process.execPath, [program, ...args], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (killAfterMs !== undefined) {
    await Promise.race([setTimeout(killAfterMs), once(child, 'exit')]);
    // The group may be gone already; then there is nothing to kill.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }
  const [output, stderr] = await ended;
  if (child.exitCode === null) return undefined;
  if (child.exitCode !== 0) throw new Error(stderr);
  // It prints nothing else.
  return JSON.parse(output) as Ended;
}

const CHECK = 'sleep 0.2; test ! -e bad';

function requestsIn(project: Project): readonly MergeRequest[] {
  const base = project.git('rev-parse', 'HEAD');
  const requestFor = (task: string, at: number, tip: string | undefined): MergeRequest => ({
    work: 'merge',
    task,
    step: undefined,
    attempt: 1,
    checksOfDone: {},
    tip,
    base,
    at,
    intent: `Work on ${task}.`,
    answer: '',
    agents: [],
    take: [],
    checks: [CHECK],
    limits: { timeoutMs: PATIENCE_MS, idleTimeoutMs: PATIENCE_MS },
    hasConflicted: false,
    isToStop: false,
  });
  const works = { a: { a: '2\n' }, b: { b: '2\n' }, bad: { bad: '1\n' }, clash: { a: '3\n' }, d: { d: '2\n' } };
  const requests = Object.entries(works).map(([task, files], index) =>
    requestFor(task, AT + index * 1_000, project.branch(base, files)),
  );
  return [...requests, requestFor('none', AT, undefined)];
}

const givenProject = (): Project => {
  const project = makeProject({ a: '1\n', b: '1\n', d: '1\n' });
  onTestFinished(async () => {
    const root = dirname(project.folder);
    for (const home of readdirSync(root)) await endOrphans({ home: join(root, home), run: RUN });
  });
  return project;
};

describe('the merge queue on real git', () => {
  test('lands what fits and passes, in order, and tells of the rest why not', async () => {
    const project = givenProject();
    const home = homeOf(project.folder);
    const requests = requestsIn(project);
    const before = fingerprintOf(project.folder);
    const ended = await ride([home, project.folder, JSON.stringify(requests)], undefined);
    const gitDir = join(home, 'repo.git');
    const log = gitIn(gitDir, 'log', '--first-parent', '--format=%s|%an|%ct', `heddle/${RUN}`);
    expect(log.split('\n').slice(0, 3)).toEqual(
      ['d', 'b', 'a'].map((task) => {
        const at = requests.find((request) => request.task === task)?.at ?? 0;
        return `${task}: Work on ${task}.|Heddle|${at / 1_000}`;
      }),
    );
    expect(gitIn(gitDir, 'log', '-1', '--format=%b', `heddle/${RUN}`)).toBe('Heddle-Task: d\n');
    expect(Object.fromEntries((ended?.outcomes ?? []).map(({ task, type }) => [task, type]))).toEqual({
      a: 'finished',
      b: 'finished',
      bad: 'failed',
      clash: 'conflict',
      d: 'finished',
      none: 'finished',
    });
    const outcomeOf = (task: string): unknown => ended?.outcomes.find((each) => each.task === task);
    expect(outcomeOf('clash')).toMatchObject({
      paths: ['a'],
      with: ['a'],
      onto: expect.stringMatching(/^[\da-f]{40}$/),
    });
    expect(outcomeOf('bad')).toMatchObject({ reason: 'check', isBaseline: false });
    expect(outcomeOf('d')).toMatchObject({ result: { commit: ended?.branch } });
    expect(readdirSync(join(home, 'candidates'))).toEqual([]);
    expect(fingerprintOf(project.folder)).toEqual(before);
  });

  test('killed at any moment and begun again, ends with the same commits', { timeout: 600_000 }, async () => {
    const project = givenProject();
    const requests = JSON.stringify(requestsIn(project));
    const root = dirname(project.folder);
    const before = fingerprintOf(project.folder);
    const begin = performance.now();
    const expected = await ride([homeOf(project.folder), project.folder, requests], undefined);
    const wholeMs = performance.now() - begin;
    const landed = treeAndTasks(homeOf(project.folder));
    const random = chance(SEED);
    let killed = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const about = `round ${round} of seed ${SEED}`;
      const home = join(root, `home-${round}`);
      mkdirSync(home);
      for (let kill = 0; kill < KILLS_OF_ROUND; kill += 1) {
        const ended = await ride([home, project.folder, requests], random.below(Math.ceil(wholeMs)));
        if (ended === undefined) killed += 1;
      }
      const ended = await ride([home, project.folder, requests], undefined);
      expect(ended?.outcomes.map(({ task, type }) => `${task} ${type}`).sort(), about).toEqual(
        expected?.outcomes.map(({ task, type }) => `${task} ${type}`).sort(),
      );
      expect(treeAndTasks(home), about).toEqual(landed);
      expect(findChecks({ home, run: RUN }), about).toEqual([]);
      expect(gitIn(join(home, 'repo.git'), 'fsck', '--no-dangling'), about).toBe('');
    }
    expect(killed).toBeGreaterThan(0);
    expect(fingerprintOf(project.folder)).toEqual(before);
  });
});

/** The merged commits and their tasks: a double merge or a lost one shows. */
function treeAndTasks(home: string): readonly string[] {
  const gitDir = join(home, 'repo.git');
  return gitIn(gitDir, 'log', '--first-parent', '--format=%H %s', `heddle/${RUN}`).split('\n');
}
