// Findings about this machine: git, sandboxes, isolation, agents, free disk space.
import { repositoryNotes } from '../../shell/git/user/user-changes.ts';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxPlan } from '../../core/plan/plan.ts';
import { AGENT_KINDS, ADAPTERS_WITH_COMMAND } from '../../core/plan/language/agent-kinds.ts';
import { GIT_LEAST, gitHere } from '../git/git-here.ts';
import type { Project } from '../project.ts';
import { agentsHere } from '../agent-parts.ts';
import { missingServers } from '../plan/missing-servers.ts';
import { openIntegration, tryIsolation } from '../sandbox-parts.ts';
import { usual } from '../git/produced.ts';
import type { Finding } from './finding.ts';

export async function systemFindings(project: Project, path = process.env['PATH'] ?? ''): Promise<readonly Finding[]> {
  const git = gitFinding(path);
  const trees = git.level === 'bad' ? [] : await treeFindings(project);
  return [git, ...trees, ...(await agentFindings(project)), diskFinding(project)];
}

function gitFinding(path: string): Finding {
  const found = gitHere(path);
  if (found.type === 'missing') return { level: 'bad', code: 'git-missing', least: GIT_LEAST };
  const { type, says: version, program } = found;
  return type === 'old'
    ? { level: 'bad', code: 'git-old', version, least: GIT_LEAST }
    : { level: 'good', code: 'git', version, program };
}

const KINDS = ['overlay', 'snapshot', 'checkout'] as const;

/** Where nothing has run yet nothing is written: it is tried in a folder that goes away. */
async function treeFindings({ home, root }: Project): Promise<readonly Finding[]> {
  const isThere = existsSync(home);
  const place = isThere ? home : mkdtempSync(join(tmpdir(), 'heddle-doctor-'));
  try {
    const settings: SandboxPlan = { ...usual(), isolation: 'none' };
    const options = { home: place, project: root, repairs: false };
    const integration = await openIntegration({ ...options, settings });
    if (integration.type === 'refused')
      return [{ level: 'bad', code: 'sandboxes-refused', failure: integration.failure }];
    const trees: Finding[] = [];
    for (const tree of KINDS) {
      const tried = await openIntegration({ ...options, settings: { ...settings, tree } });
      trees.push(
        tried.type === 'opened'
          ? { level: 'good', code: 'tree', tree, isChosen: tree === integration.sandboxes.kind }
          : { level: 'absent', code: 'tree-absent', tree, failure: tried.failure },
      );
    }
    const notes = repositoryNotes(integration.repository.user).map(
      (remark) => ({ level: 'good', code: 'git-note', remark }) as const,
    );
    return [...notes, ...trees, await isolationFinding()];
  } finally {
    if (!isThere) rmSync(place, { recursive: true, force: true });
  }
}

async function isolationFinding(): Promise<Finding> {
  const tried = await tryIsolation('auto');
  if (tried.type === 'refused') return { level: 'bad', code: 'isolation-failed', failure: tried.failure };
  const { isolation, why } = tried;
  if (isolation.name === 'none') return { level: 'odd', code: 'not-isolated', why };
  return { level: why === 'works' ? 'good' : 'odd', code: 'isolated', why };
}

async function agentFindings(project: Project): Promise<readonly Finding[]> {
  const found = (await agentsHere()).filter(({ use }) => NAMES.has(use));
  const missing = found.filter(({ path }) => path === undefined).map(({ use }) => use);
  const there = found.flatMap(({ use: agent, path, login, hint }): readonly Finding[] => {
    if (path === undefined) return [];
    if (login.type !== 'none') return [{ level: 'good', code: 'agent', agent, path }];
    return [{ level: 'odd', code: 'agent-without-login', agent, path, hint }];
  });
  const names = found.filter(({ path }) => path !== undefined).map(({ use }) => use);
  const servers = await serverFindings(names, project);
  if (missing.length === 0) return [...there, ...servers];
  const isAll = there.length === 0;
  return [...there, ...servers, { level: isAll ? 'odd' : 'absent', code: 'agents-missing', agents: missing, isAll }];
}

/** Under the usual settings of sandboxes. */
async function serverFindings(names: readonly string[], project: Project): Promise<readonly Finding[]> {
  const agents = names.map((name) => ({ ...UNSET, name, use: name }));
  const found = await missingServers({ agents, sandbox: usual() }, project);
  return found.map(({ agent, missing }) => ({ level: 'odd', code: 'servers-missing', agent, missing }));
}

const UNSET = {
  model: undefined,
  pool: undefined,
  args: [],
  command: undefined,
  env: [],
  reserve: { usd: undefined, tokens: undefined },
} as const;

/** Agents that are separate programs. */
const NAMES: ReadonlySet<string> = new Set(
  AGENT_KINDS.filter((name) => name !== 'scripted' && !ADAPTERS_WITH_COMMAND.includes(name)),
);

const GIB = 1024 ** 3;
const LITTLE_BYTES = 2 * GIB;
const TOO_LITTLE_BYTES = GIB / 4;

function diskFinding({ home, root }: Project): Finding {
  const { bavail, bsize } = statfsSync(existsSync(home) ? home : root);
  const freeBytes = bavail * bsize;
  const level = freeBytes >= LITTLE_BYTES ? 'good' : freeBytes < TOO_LITTLE_BYTES ? 'bad' : 'odd';
  return { level, code: 'disk', freeBytes };
}
