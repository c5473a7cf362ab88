// Actions are killed at random moments, with all that they started, and done again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { chance } from '../../src/core/schedule/chance.ts';
import { fingerprintOf, gitIn, homeOf, makeProject, writeFiles } from './git-project.given.ts';

const ROUNDS = 12;
const KILLS_OF_ROUND = 3;
const SEED = 5;

/** Its output when it was let to end, undefined when it was killed. */
async function runActions(args: readonly string[], killAfterMs: number | undefined): Promise<string | undefined> {
  const program = join(import.meta.dirname, 'git-actions.given.ts');
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
  return output;
}

test(
  'what is killed and done again comes out the same, and the user’s repository is untouched',
  { timeout: 600_000 },
  async () => {
    const project = makeProject({ a: '1\n', b: '1\n', c: '1\n', d: '1\n' });
    const base = project.git('rev-parse', 'HEAD');
    const tips = ['b', 'c', 'd'].map((name) => project.branch(base, { [name]: '2\n' }));
    const root = dirname(project.folder);
    const sandbox = join(root, 'sandbox');
    project.git('clone', '--quiet', '--no-local', '.', sandbox);
    gitIn(sandbox, 'checkout', '--quiet', '-b', 'heddle/a');
    writeFiles(sandbox, { a: '2\n' });
    gitIn(sandbox, 'commit', '--quiet', '--all', '--message', 'work');
    const argsFor = (home: string): readonly string[] => [home, project.folder, join(sandbox, '.git'), ...tips];
    const before = fingerprintOf(project.folder);
    const begin = performance.now();
    const expected = await runActions(argsFor(homeOf(project.folder)), undefined);
    const wholeMs = performance.now() - begin;
    const random = chance(SEED);
    let killed = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const home = join(root, `home-${round}`);
      mkdirSync(home);
      project.git('update-ref', '-d', 'refs/heddle/run-1/base');
      for (let kill = 0; kill < KILLS_OF_ROUND; kill += 1) {
        if ((await runActions(argsFor(home), random.below(Math.ceil(wholeMs)))) === undefined) killed += 1;
      }
      expect(await runActions(argsFor(home), undefined), `round ${round} of seed ${SEED}`).toBe(expected);
      const gitDir = join(home, 'repo.git');
      expect(gitIn(gitDir, 'fsck', '--strict', '--no-dangling')).toBe('');
      const left = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /\.lock$|making/.test(name),
      );
      expect(left).toEqual([]);
      expect(fingerprintOf(project.folder)).toBe(before);
    }
    expect(killed, 'runs that were really killed').toBeGreaterThan(ROUNDS);
  },
);
