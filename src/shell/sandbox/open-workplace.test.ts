import { expect, test } from 'vitest';
import type { Assignment, SandboxSource } from '../../core/protocol/assignment.ts';
import type { Repository } from '../git/repository.ts';
import type { Sandboxes } from './sandboxes.ts';
import { openWorkplace } from './open-workplace.ts';

const source: SandboxSource = {
  base: 'base',
  needs: ['one', 'other'],
  from: undefined,
  onto: undefined,
  at: 1,
  settings: {
    include: [],
    setup: undefined,
    link: [],
    ports: 0,
    tree: 'auto',
    isolation: 'none',
    network: undefined,
    limits: { disk: 20_000_000_000, memory: undefined, processes: 4_000 },
  },
};
const assignment: Assignment = {
  claim: { work: 'step', task: 'late', step: 'main', attempt: 1 },
  work: { type: 'command', command: 'true', environment: {} },
  limits: { timeoutMs: 1, idleTimeoutMs: 1 },
  output: undefined,
  sandbox: source,
};

const NO_GIT = { type: 'failed', failure: { code: 'git-unstarted', cwd: '/', cause: 'ENOENT' } } as const;

type Chained = Awaited<ReturnType<Repository['mergeAll']>>;
const opened = (chained: Chained, given: Partial<SandboxSource> = {}) => {
  // Only what is asked of them is there.
  const repository = { mergeAll: () => Promise.resolve(chained) } as unknown as Repository;
  const open = () => Promise.resolve({ type: 'failed', failure: { code: 'no-ports' } });
  // It fails before anything else of it is asked for.
  const sandboxes = { open } as unknown as Sandboxes;
  return openWorkplace({ run: 'r', repository, sandboxes }, assignment, { ...source, ...given });
};

test('needs that do not fit together are a failure with their files', async () => {
  // The paths are all that is read of it.
  const conflict = { type: 'conflict', paths: [{ path: 'a.txt' }], tree: 't', says: [] } as unknown;
  // So is the conflict of this.
  const chained = { type: 'conflict', at: 0, commit: 'c', commits: [], conflict } as Chained;
  expect(await opened(chained)).toEqual({
    type: 'failed',
    failure: { code: 'needs-conflict', task: 'late', paths: ['a.txt'] },
  });
});

test('failures of git and of the sandbox are passed on', async () => {
  expect(await opened(NO_GIT)).toEqual(NO_GIT);
  const merged: Chained = { type: 'merged', commit: 'c', commits: ['c'] };
  expect(await opened(merged)).toEqual({ type: 'failed', failure: { code: 'no-ports' } });
});

test('a turn on a conflict passes on what keeps it from being written', async () => {
  // Only what is asked of it is there.
  const writeConflict = () => Promise.resolve(NO_GIT);
  // Nothing else of it is asked for.
  const repository = { writeConflict } as unknown as Repository;
  // Nothing is asked of them.
  const context = { run: 'r', repository, sandboxes: {} as unknown as Sandboxes };
  const conflicted = { ...source, from: 'tip', onto: 'other' };
  expect(await openWorkplace(context, assignment, conflicted)).toEqual(NO_GIT);
});
