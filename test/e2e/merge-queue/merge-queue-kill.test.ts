// The merge queue is killed at each of its calls of git, before and after the call, and begun again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { MergeRequest } from '../../../src/shell/ports/merge-request.ts';
import { resolutionMessage } from '../../../src/shell/git/merge/learn-resolutions.ts';
import { endOrphans } from '../../../src/shell/merge/run-check.ts';
import { AT, fingerprintOf, gitIn, homeOf, makeProject } from '../git-project.given.ts';
import type { Project } from '../git-project.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

const RUN = 'run-1';
/** At most so many calls are killed at, spread evenly; half of them before, half after. */
const KILLS_MAX = Number(process.env['HEDDLE_KILLS'] ?? 10);

/** Stands in for git: each call has a number, and at one of them the whole group is killed. */
const GIT = `#!/bin/sh
set -C
n=1
until true 2>/dev/null > "$HEDDLE_CALLS/$n"; do n=$((n + 1)); done
[ "$n $HEDDLE_WHEN" != "$HEDDLE_AT before" ] || kill -KILL 0
"$HEDDLE_GIT" "$@"
code=$?
[ "$n $HEDDLE_WHEN" != "$HEDDLE_AT after" ] || kill -KILL 0
exit $code
`;

interface Death {
  readonly call: number;
  readonly when: 'before' | 'after';
}

interface Ridden {
  /** Undefined when it was killed. */
  readonly printed: string | undefined;
  readonly calls: number;
}

interface Riding {
  readonly project: Project;
  readonly home: string;
  readonly requests: readonly MergeRequest[];
  readonly death: Death | undefined;
}

async function ride({ project, home, requests, death }: Riding): Promise<Ridden> {
  const root = dirname(project.folder);
  const calls = mkdtempSync(join(root, 'calls-'));
  const tools = mkdtempSync(join(root, 'tools-'));
  writeFileSync(join(tools, 'git'), GIT);
  chmodSync(join(tools, 'git'), 0o755);
  const program = join(import.meta.dirname, 'merge-queue-program.given.ts');
  const child = spawn(process.execPath, [program, home, project.folder, JSON.stringify(requests)], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${tools}:${process.env['PATH'] ?? ''}`,
      HEDDLE_GIT: realGit(),
      HEDDLE_CALLS: calls,
      HEDDLE_AT: String(death?.call ?? 0),
      HEDDLE_WHEN: death?.when ?? 'never',
    },
  });
  const [printed, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (child.exitCode !== null && child.exitCode !== 0) throw new Error(stderr);
  return { printed: child.exitCode === null ? undefined : printed, calls: readdirSync(calls).length };
}

const realGit = (): string => {
  const folders = (process.env['PATH'] ?? '').split(':');
  const folder = folders.find((each) => readdirOrNone(each).includes('git'));
  return join(folder ?? '', 'git');
};

const readdirOrNone = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** One that lands, one that conflicts, one that fails, and one whose conflict was resolved. */
function requestsIn(project: Project): readonly MergeRequest[] {
  const base = project.git('rev-parse', 'HEAD');
  const tip = (files: Readonly<Record<string, string>>): string => project.branch(base, files);
  const [one, clash, bad, late] = [
    tip({ a: '2\n' }),
    tip({ a: '3\n' }),
    tip({ bad: '1\n' }),
    tip({ a: '4\n', d: '4\n' }),
  ];
  const tree = project.git('rev-parse', `${project.branch(late, { a: '2 and 4\n' })}^{tree}`);
  const message = resolutionMessage('late', 'late: resolved');
  const settled = project.git('commit-tree', tree, '-p', late, '-p', one, '-m', message);
  return Object.entries({ one, clash, bad, late: settled }).map(([task, work], index) => ({
    work: 'merge',
    task,
    step: undefined,
    attempt: 1,
    checksOfDone: {},
    tip: work,
    base,
    at: AT + index * 1_000,
    intent: `Work on ${task}.`,
    answer: '',
    agents: [],
    take: [],
    checks: ['test ! -e bad'],
    limits: { timeoutMs: PATIENCE_MS, idleTimeoutMs: PATIENCE_MS },
    hasConflicted: task === 'late',
    isToStop: false,
  }));
}

/** The branch, what came of each, and by which commit. What has landed when a conflict is told may be more after a kill. */
function landedIn({ printed }: Ridden): unknown {
  // It prints nothing else.
  const { branch, outcomes } = JSON.parse(printed ?? '{}') as Printed;
  return {
    branch,
    outcomes: outcomes.map(({ task, type, result }) => `${task} ${type} ${result?.commit ?? ''}`).sort(),
  };
}

interface Reported {
  readonly task: string;
  readonly type: string;
  readonly result?: { readonly commit?: string };
}

interface Printed {
  readonly branch: string;
  readonly outcomes: readonly Reported[];
}

const resolutionsIn = (home: string): readonly string[] =>
  readdirSync(join(home, 'resolutions')).map(
    (name) => `${name} ${readFileSync(join(home, 'resolutions', name), 'utf8')}`,
  );

test(
  'killed at each call of git and begun again, the merge queue makes the same commits',
  { timeout: 600_000 + 30_000 * KILLS_MAX },
  async () => {
    const project = makeProject({ a: '1\n', d: '1\n' });
    const root = dirname(project.folder);
    onTestFinished(async () => {
      for (const home of readdirSync(root).filter((name) => name.startsWith('home')))
        await endOrphans({ home: join(root, home), run: RUN });
    });
    const requests = requestsIn(project);
    const before = fingerprintOf(project.folder);
    const whole = await ride({ project, home: homeOf(project.folder), requests, death: undefined });
    const remembered = resolutionsIn(homeOf(project.folder));
    expect(remembered).toEqual([expect.stringContaining('2 and 4')]);
    expect(landedIn(whole)).toMatchObject({
      outcomes: ['bad failed ', 'clash conflict ', expect.stringMatching(/^late finished \w/), expect.any(String)],
    });
    const calls = Array.from({ length: whole.calls }, (_, index) => index + 1);
    const every = Math.ceil((calls.length * 2) / KILLS_MAX);
    const deaths = calls
      .flatMap((call): readonly Death[] => [
        { call, when: 'before' },
        { call, when: 'after' },
      ])
      .filter((_, index) => index % every === 0 || index === calls.length * 2 - 1);
    let killed = 0;
    for (const death of deaths) {
      const about = `killed ${death.when} call ${death.call} of ${whole.calls}`;
      const home = join(root, `home-${death.call}-${death.when}`);
      mkdirSync(home);
      if ((await ride({ project, home, requests, death })).printed === undefined) killed += 1;
      const again = await ride({ project, home, requests, death: undefined });
      expect(landedIn(again), about).toEqual(landedIn(whole));
      expect(resolutionsIn(home), about).toEqual(remembered);
      expect(gitIn(join(home, 'repo.git'), 'fsck', '--no-dangling'), about).toBe('');
      const left = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
        /\.lock$|making/.test(name),
      );
      expect(left, about).toEqual([]);
      expect(fingerprintOf(project.folder), about).toBe(before);
    }
    expect(killed, 'rides that were really killed').toBeGreaterThan(deaths.length / 2);
  },
);
