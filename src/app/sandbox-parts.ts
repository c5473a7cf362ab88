// Combines git and sandboxes, for workers and coordinators. Separate from the other wiring, so that a run in place
// does not load it.
import type { SandboxFailure } from '../core/protocol/sandbox-failure.ts';
import type { GitFailure } from '../core/protocol/git-failure.ts';
import type { SandboxRepair } from '../shell/sandbox/sandbox.ts';
import type { Assignment } from '../core/protocol/assignment.ts';
import type { SandboxBackend } from '../core/protocol/sandbox-backend.ts';
import type { Rewound } from '../core/engine/lost-tasks.ts';
import type { Agent, SandboxPlan } from '../core/plan/plan.ts';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { REFS } from '../shell/git/store/ref-names.ts';
import { openRepository, type Repository } from '../shell/git/repository.ts';
import { errorAsValue, type GitFailed } from '../shell/git/run/git-error.ts';
import type { HistoryRequest } from '../shell/git/user/published-history.ts';
import type { Swapped } from '../shell/git/store/refs.ts';
import { repositoryNotes, userChanges, type RepositoryNote } from '../shell/git/user/user-changes.ts';
import type { Clock } from '../shell/ports/clock.ts';
import type { OpenMergeQueue } from '../shell/ports/merge-request.ts';
import type { WorkplaceOpened } from '../shell/ports/workplace.ts';
import { AGENT_NEEDS, kindOfNeeds, type AgentAtWork } from '../shell/sandbox/isolation/agent-needs.ts';
import { gatewaysOf } from '../shell/sandbox/isolation/gateways.ts';
import { chooseIsolation, type IsolationChosen } from '../shell/sandbox/isolation/choose-isolation.ts';
import { openSandboxes, type Sandboxes } from '../shell/sandbox/sandboxes.ts';
import { openWorkplace } from '../shell/sandbox/open-workplace.ts';

export interface IntegrationOptions {
  readonly home: string;
  /** A folder of the user's checkout. */
  readonly project: string;
  readonly settings: SandboxPlan;
  /** The agent that will run there, where it is known. */
  readonly agent?: AgentAtWork | undefined;
  readonly repairs: boolean;
  /** Undefined opens the repository anew. */
  readonly open?: typeof openRepository | undefined;
}

export type IntegrationOpened =
  | {
      readonly type: 'opened';
      readonly repository: Repository;
      readonly sandboxes: Sandboxes;
      readonly backend: SandboxBackend;
    }
  | { readonly type: 'refused'; readonly failure: SandboxFailure };

export async function openIntegration(options: IntegrationOptions): Promise<IntegrationOpened> {
  const { home, project, settings, agent, repairs, open = openRepository } = options;
  const opened = await open({ home, project, repairs });
  if (opened.type === 'refused') return opened;
  const { repository } = opened;
  const chosen = await chooseIsolation({ wanted: settings.isolation, home });
  if (chosen.type === 'refused') return chosen;
  const { isolation, why } = chosen;
  const network = allowedFor(options, repository.user.workTree);
  const made = await openSandboxes({ home, repository, settings, isolation, network, agent, probe: undefined });
  if (made.type === 'refused') return made;
  const { sandboxes } = made;
  const backend: SandboxBackend = { tree: sandboxes.kind, isolation: isolation.name, why };
  return { type: 'opened', repository, sandboxes, backend };
}

/** Tries this isolation in a temporary folder and returns the isolation that a plan would get. */
export async function tryIsolation(wanted: SandboxPlan['isolation']): Promise<IsolationChosen> {
  const home = mkdtempSync(join(tmpdir(), 'heddle-probe-'));
  try {
    return await chooseIsolation({ wanted, home });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The plan's setting, else the need of the running agent; a command without an agent needs nothing. */
export function allowedFor(
  { settings, agent }: Pick<IntegrationOptions, 'settings' | 'agent'>,
  project: string | undefined,
): 'all' | 'none' | readonly string[] {
  const needed =
    agent === undefined ? [] : [...(AGENT_NEEDS.get(agent.kind)?.hosts ?? []), ...gatewaysOf(agent, project)];
  const hosts = settings.network ?? needed;
  return hosts.length === 0 ? 'none' : hosts;
}

/** Warnings about the user's repository before a run. */
export interface UserNotes {
  readonly remarks: readonly RepositoryNote[];
  /** Files that are not committed, which no task sees. */
  readonly changed: number;
  readonly untracked: number;
}

export const notesOnUser = async ({ user }: Repository): Promise<UserNotes> => ({
  remarks: repositoryNotes(user),
  ...(await userChanges(user)),
});

/** The state of a run's branch and sandboxes at its end. */
export type GitNote =
  /** The run branch is in the user's repository. */
  | { readonly code: 'published'; readonly branch: string }
  | { readonly code: 'not-published'; readonly branch: string; readonly failure: SandboxFailure }
  /** Findings of the cleanup. */
  | { readonly code: 'cleaned-up'; readonly repair: SandboxRepair };

/** A run's uses of git while it runs and at its end. */
export interface GitSide {
  /** For the host. */
  readonly openMergeQueue: OpenMergeQueue;
  /** The run branch, where it lacks the latest merge of the log. */
  readonly rewound: (merged: string | undefined) => Promise<Rewound | undefined>;
  /** Publishes the branch of the run that has ended, and removes its sandboxes. */
  readonly finish: () => Promise<readonly GitNote[]>;
}

export interface GitSideOptions {
  readonly run: string;
  readonly home: string;
  /** The commit that the run starts from. */
  readonly base: string;
  readonly integration: Extract<IntegrationOpened, { type: 'opened' }>;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string>>;
  /** How the published history is made of the run branch. */
  readonly history: Pick<HistoryRequest, 'author' | 'commits'>;
  /** Whether the result becomes a branch of the user's repository. */
  readonly publishes: boolean;
}

export type GitSideStarted = { readonly type: 'started'; readonly side: GitSide } | GitFailed;

export async function startGitSide(options: GitSideOptions): Promise<GitSideStarted> {
  const { run, base, integration } = options;
  const { repository, sandboxes } = integration;
  // Workers load this file too, and merge nothing.
  const { startMergeQueue } = await import('../shell/merge/merge-queue.ts');
  const ready = await errorAsValue(async () => makeReady(repository, run, base));
  if (ready.type !== 'ready') return ready;
  const width = Math.max(1, Math.floor(availableParallelism() / 2));
  const side: GitSide = {
    openMergeQueue: (onOutcomes) =>
      startMergeQueue({ ...options, repository, candidates: sandboxes.candidate, report: onOutcomes, width }),
    rewound: async (merged) => rewoundBefore(options, merged),
    finish: async () => {
      const { repairs } = await sandboxes.recover({
        isWanted: (found) => found.run !== run || isManualCheckout(found.task),
      });
      const cleaned = repairs.map((repair): GitNote => ({ code: 'cleaned-up', repair }));
      if (!options.publishes) return cleaned;
      const published = await errorAsValue(async () => publishRun(options));
      const branch = `heddle/${run}`;
      return [
        ...cleaned,
        published.type === 'swapped'
          ? { code: 'published', branch }
          : { code: 'not-published', branch, failure: notSwapped(`refs/heads/${branch}`, published) },
      ];
    },
  };
  return { type: 'started', side };
}

/** A run without changes has its base as its branch. */
async function publishRun({ run, base, history, integration: { repository } }: GitSideOptions): Promise<Swapped> {
  const tip = (await repository.read(REFS.runBranch(run))) ?? base;
  const commits = await repository.history({ ...history, base, tip });
  return repository.publish(run, commits.at(-1)?.commit ?? base);
}

async function rewoundBefore(
  { run, base, integration: { repository } }: GitSideOptions,
  merged: string | undefined,
): Promise<Rewound | undefined> {
  if (merged === undefined) return undefined;
  if (!existsSync(repository.gitDir)) return { lacks: merged, branch: base };
  const { holdsMerge } = await import('../shell/merge/merge-history.ts');
  const found = await errorAsValue(async () => {
    const branch = (await repository.read(REFS.runBranch(run))) ?? base;
    return { type: 'found', branch, isWhole: await holdsMerge(repository, branch, merged) } as const;
  });
  // A repository that cannot be read is reported when the branch is published.
  return found.type === 'failed' || found.isWhole ? undefined : { lacks: merged, branch: found.branch };
}

type Ready = { readonly type: 'ready' } | GitFailed;

/** Keeps the base from being collected, and makes the run branch that tasks are merged to. */
async function makeReady(repository: Repository, run: string, base: string): Promise<Ready> {
  const pinned = await repository.pin(run, base);
  if (pinned.type !== 'swapped') return { type: 'failed', failure: notSwapped(REFS.base(run), pinned) };
  const ref = REFS.runBranch(run);
  if ((await repository.read(ref)) !== undefined) return { type: 'ready' };
  const made = await repository.swap({ ref, from: undefined, to: base });
  if (made.type === 'swapped') return { type: 'ready' };
  return { type: 'failed', failure: notSwapped(ref, made) };
}

const notSwapped = (ref: string, swapped: Exclude<Swapped, { type: 'swapped' }>): GitFailure =>
  swapped.type === 'moved' ? { code: 'ref-elsewhere', ref, at: swapped.at } : swapped.failure;

/** The sandbox of a worker's claim, for code that sees this environment. */
export async function workplaceFor(
  assignment: Assignment,
  {
    home,
    project,
    run,
    environment,
    attempt,
    open,
  }: Pick<IntegrationOptions, 'home' | 'project' | 'open'> & WorkplaceOptions,
): Promise<WorkplaceOpened> {
  const { sandbox: source, work } = assignment;
  if (source === undefined) return { type: 'failed', failure: { code: 'claim-in-place' } };
  const agent = work.type === 'turn' ? { ...agentAtWork(work.agent, environment), attempt } : undefined;
  const { settings } = source;
  const integration = await openIntegration({ home, project, settings, agent, repairs: false, open });
  if (integration.type === 'refused') return { type: 'failed', failure: integration.failure };
  return openWorkplace({ ...integration, run }, assignment, source);
}

interface WorkplaceOptions {
  readonly run: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The folder of the attempt. */
  readonly attempt: string;
}

export const agentAtWork = (agent: Agent, environment: WorkplaceOptions['environment']): AgentAtWork => ({
  kind: kindOfNeeds(agent),
  environment,
  given: agent.env.map(({ name }) => name),
  args: agent.args,
});

/** No task can have this in its name. */
const MANUAL = '@person';

/** The name of a person's checkout of a task, among sandboxes. */
export const manualCheckoutName = (task: string): string => `${task}${MANUAL}`;

const isManualCheckout = (name: string): boolean => name.endsWith(MANUAL);
