// What this machine offers runs: git, trees, isolation, agents, room on the disk.
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADAPTERS, ADAPTERS_WITH_COMMAND } from '../../core/plan/language/agent-kinds.ts';
import { GIT_LEAST, gitHere } from './git-here.ts';
import type { Project } from '../project.ts';
import { agentsHere } from '../agent-parts.ts';
import { openGround } from '../sandbox-parts.ts';
import { usual } from './everything.ts';
import { absent, good, type Remark } from './remark.ts';

export async function lookAtSystem(project: Project, path = process.env['PATH'] ?? ''): Promise<readonly Remark[]> {
  const git = lookAtGit(path);
  const trees = git.is === 'bad' ? [] : await lookAtTrees(project);
  return [git, ...trees, ...(await lookAtAgents()), lookAtDisk(project)];
}

function lookAtGit(path: string): Remark {
  const install = `Install git ${GIT_LEAST} or later; heddle run --no-git works without.`;
  const found = gitHere(path);
  if (found.type === 'missing')
    return { about: 'git', is: 'bad', says: 'There is no git on the PATH.', remedy: install };
  const { type, says, program } = found;
  return type === 'old'
    ? { about: 'git', is: 'bad', says: `${says} cannot merge in memory.`, remedy: install }
    : good('git', `${says} (${program})`);
}

const KINDS = ['overlay', 'snapshot', 'checkout'] as const;

/** Where nothing has run yet nothing is written: it is tried in a folder that goes away. */
async function lookAtTrees({ home, root }: Project): Promise<readonly Remark[]> {
  const isThere = existsSync(home);
  const place = isThere ? home : mkdtempSync(join(tmpdir(), 'heddle-doctor-'));
  try {
    const settings = usual();
    const order = { home: place, project: root, mends: false };
    const ground = await openGround({ ...order, settings });
    if (ground.type === 'refused')
      return [{ about: 'git', is: 'bad', says: ground.message, remedy: wayOut(ground.message) }];
    const kinds: Remark[] = [];
    for (const tree of KINDS) {
      const tried = await openGround({ ...order, settings: { ...settings, tree, isolation: 'none' } });
      const chosen = tree === ground.sandboxes.kind ? ', and is what runs get' : '';
      kinds.push(
        tried.type === 'opened' ? good('trees', `${tree} works${chosen}`) : absent('trees', withoutHint(tried.message)),
      );
    }
    const isIsolated = ground.says === ISOLATED;
    const isolation: Remark = {
      about: 'isolation',
      is: isIsolated ? 'good' : 'odd',
      says: ground.says,
      remedy: isIsolated ? undefined : 'Agents can read and change all that you can, until that is mended.',
    };
    return [...ground.repository.user.says.map((says) => good('git', says)), ...kinds, isolation];
  } finally {
    if (!isThere) rmSync(place, { recursive: true, force: true });
  }
}

const ISOLATED = 'The system isolates them.';

const wayOut = (message: string): string | undefined =>
  message.includes('--no-git') ? undefined : 'Mend that, or run in place with heddle run --no-git.';

/** What to write into a plan is no news to somebody who asks what works. */
const withoutHint = (message: string): string =>
  message
    .replace(/^sandbox\.tree is (\w+), which does not work here:/, '$1 does not work here:')
    .replace(/ Use auto or checkout\.$/, '');

async function lookAtAgents(): Promise<readonly Remark[]> {
  const found = (await agentsHere()).filter(({ use }) => NAMES.has(use));
  const missing = found.filter(({ path }) => path === undefined).map(({ use }) => use);
  const there = found.flatMap(({ use, path, login, hint }): readonly Remark[] => {
    if (path === undefined) return [];
    if (login.type !== 'none') return [good('agents', `${use} (${path})`)];
    return [{ about: 'agents', is: 'odd', says: `${use} (${path}), without a sign of a log-in`, remedy: hint }];
  });
  if (missing.length === 0) return there;
  const says = `not on the PATH: ${missing.join(', ')}`;
  if (there.length > 0) return [...there, absent('agents', says)];
  return [
    {
      about: 'agents',
      is: 'odd',
      says,
      remedy: 'Install the agent that your plans name; plans of commands need none.',
    },
  ];
}

/** Those that are programs of their own. */
const NAMES: ReadonlySet<string> = new Set(
  ADAPTERS.filter((name) => name !== 'scripted' && !ADAPTERS_WITH_COMMAND.includes(name)),
);

const GIB = 1024 ** 3;
const LITTLE_BYTES = 2 * GIB;
const TOO_LITTLE_BYTES = GIB / 4;

function lookAtDisk({ home, root }: Project): Remark {
  const { bavail, bsize } = statfsSync(existsSync(home) ? home : root);
  const free = bavail * bsize;
  const says = `${(free / GIB).toFixed(1)} GiB free where sandboxes are made`;
  if (free >= LITTLE_BYTES) return good('disk', says);
  const remedy = 'Make room; heddle doctor --fix removes sandboxes of runs that have ended.';
  return { about: 'disk', is: free < TOO_LITTLE_BYTES ? 'bad' : 'odd', says, remedy };
}
