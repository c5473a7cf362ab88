// Puts git and sandboxes together, for workers and for coordinators. Apart from the rest of the wiring, so that a run that
// works in place loads none of it.
import type { Assignment } from '../core/protocol/assignment.ts';
import type { Agent, Sandbox } from '../core/plan/plan.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MergeOutcome } from '../core/protocol/work-outcome.ts';
import type { Outcome } from '../core/engine/outcome.ts';
import { REFS } from '../shell/git/ref-names.ts';
import { openRepository, type Repository } from '../shell/git/repository.ts';
import { troubleAsValue } from '../shell/git/run/git-trouble.ts';
import type { Swapped } from '../shell/git/store/refs.ts';
import { userChanges } from '../shell/git/user/user-changes.ts';
import { startTrain } from '../shell/merge/train.ts';
import type { Clock, Train, WorkplaceOpened } from '../shell/ports.ts';
import { AGENT_NEEDS, kindOfNeeds, type AgentAtWork } from '../shell/sandbox/isolation/agent-needs.ts';
import { gatewaysOf } from '../shell/sandbox/isolation/gateways.ts';
import { chooseIsolation } from '../shell/sandbox/isolation/choose.ts';
import { openSandboxes, type Sandboxes } from '../shell/sandbox/sandboxes.ts';
import { isOfPerson } from './git/name-of-place.ts';
import { openWorkplace } from '../shell/workplace/open-workplace.ts';

export interface GroundOrder {
  readonly home: string;
  /** A folder of the user's checkout. */
  readonly project: string;
  readonly settings: Sandbox;
  /** Who is to work there, where it is known. */
  readonly agent?: AgentAtWork | undefined;
  readonly mends: boolean;
}

export type GroundOpened =
  | {
      readonly type: 'opened';
      readonly repository: Repository;
      readonly sandboxes: Sandboxes;
      /** Whether the system keeps sandboxes apart, and why not: a sentence. */
      readonly says: string;
    }
  | { readonly type: 'refused'; readonly message: string };

export async function openGround(order: GroundOrder): Promise<GroundOpened> {
  const { home, project, settings, agent, mends } = order;
  const opened = await openRepository({ home, project, mends });
  if (opened.type === 'refused') return opened;
  const { repository } = opened;
  const chosen = await chooseIsolation({ wanted: settings.isolation, home });
  if (chosen.type === 'refused') return chosen;
  const { isolation, says } = chosen;
  const network = allowedFor(order, repository.user.workTree);
  const made = await openSandboxes({ home, repository, settings, isolation, network, agent, probe: undefined });
  return made.type === 'refused' ? made : { type: 'opened', repository, sandboxes: made.sandboxes, says };
}

/** Why the system cannot isolate anything here, in a sentence; undefined when it can. */
export async function refusalOfOs(): Promise<string | undefined> {
  const home = mkdtempSync(join(tmpdir(), 'heddle-probe-'));
  try {
    const chosen = await chooseIsolation({ wanted: 'os', home });
    return chosen.type === 'refused' ? chosen.message : undefined;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** What the plan says, else what the agent at work needs; a command that is no agent's needs nothing. */
function allowedFor({ settings, agent }: GroundOrder, project: string | undefined): 'all' | 'none' | readonly string[] {
  const needed =
    agent === undefined ? [] : [...(AGENT_NEEDS.get(agent.kind)?.hosts ?? []), ...gatewaysOf(agent, project)];
  const hosts = settings.network ?? needed;
  return hosts.length === 0 ? 'none' : hosts;
}

/** What a person should know of their repository before a run, a sentence each. */
export async function wordsOnUser({ user }: Repository): Promise<readonly string[]> {
  const { changed, untracked } = await userChanges(user);
  const parts = [changed > 0 ? `${changed} changed` : '', untracked > 0 ? `${untracked} untracked` : ''];
  const uncommitted = parts.filter((part) => part !== '').join(' and ');
  return uncommitted === ''
    ? user.says
    : [...user.says, `What is not committed in your checkout (${uncommitted}) is left alone, and no task sees it.`];
}

/** What a coordinator needs of git while a run goes on, and when it has ended. */
export interface GitSide {
  readonly train: Train;
  /** Ends what is at work; of a run that has ended, shows its branch and removes its sandboxes. Says what came of it. */
  readonly close: (hasEnded: boolean) => Promise<readonly string[]>;
}

export interface GitSideOrder {
  readonly run: string;
  readonly home: string;
  /** The commit that the run starts from. */
  readonly base: string;
  readonly ground: Extract<GroundOpened, { type: 'opened' }>;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string>>;
  /** What the work of a task must pass. */
  readonly checksOf: (task: string) => readonly string[] | undefined;
  readonly report: (merges: readonly MergeOutcome[]) => void;
}

export type GitSideStarted =
  | { readonly type: 'started'; readonly side: GitSide }
  | { readonly type: 'refused'; readonly message: string };

export async function startGitSide(order: GitSideOrder): Promise<GitSideStarted> {
  const { run, base, ground, report } = order;
  const { repository, sandboxes } = ground;
  const ready = await troubleAsValue(async () => makeReady(repository, run, base));
  if (ready.type !== 'ready') return { type: 'refused', message: ready.message };
  const train = startTrain({
    ...order,
    repository,
    candidates: sandboxes.candidate,
    tell: (outcomes) => report(outcomes.filter((outcome) => isOfMerge(outcome))),
    width: Math.max(1, Math.floor(availableParallelism() / 2)),
  });
  const side: GitSide = {
    train: { give: train.want },
    close: async (hasEnded) => {
      await train.close();
      if (!hasEnded) return [];
      const { says } = await sandboxes.recover({ isWanted: (found) => found.run !== run || isOfPerson(found.task) });
      const published = await repository.publish(run);
      return published.type === 'swapped'
        ? [...says, `Its result is the branch heddle/${run}.`]
        : [...says, `The branch heddle/${run} is not shown in your repository: ${trouble(published)}`];
    },
  };
  return { type: 'started', side };
}

type Ready = { readonly type: 'ready' } | { readonly type: 'refused'; readonly message: string };

/** Keeps the base from being collected, and makes the run branch that tasks are merged to. */
async function makeReady(repository: Repository, run: string, base: string): Promise<Ready> {
  const pinned = await repository.pin(run, base);
  if (pinned.type !== 'swapped')
    return { type: 'refused', message: `The commit that ${run} starts from could not be pinned: ${trouble(pinned)}` };
  const ref = REFS.runBranch(run);
  if ((await repository.read(ref)) !== undefined) return { type: 'ready' };
  const made = await repository.swap({ ref, from: undefined, to: base });
  if (made.type === 'swapped') return { type: 'ready' };
  return { type: 'refused', message: `The run branch of ${run} could not be made: ${trouble(made)}` };
}

function trouble(swapped: Exclude<Swapped, { type: 'swapped' }>): string {
  if (swapped.type !== 'moved') return swapped.message;
  return `its ref is at ${swapped.at ?? 'nothing'}, where Heddle did not put it; remove that ref, or start another run.`;
}

const isOfMerge = (outcome: Outcome): outcome is MergeOutcome => outcome.type.startsWith('merge.');

/** The workplace of a claim that a worker was given, for what sees this environment. */
export async function workplaceFor(
  assignment: Assignment,
  { home, project, run, environment }: Pick<GroundOrder, 'home' | 'project'> & WorkplaceOrder,
): Promise<WorkplaceOpened> {
  const { sandbox: source, work } = assignment;
  if (source === undefined) return { type: 'failed', message: 'This claim is carried out in place.' };
  const agent = work.type === 'turn' ? atWork(work.agent, environment) : undefined;
  const ground = await openGround({ home, project, settings: source.settings, agent, mends: false });
  if (ground.type === 'refused') return { type: 'failed', message: ground.message };
  return openWorkplace({ ...ground, run }, assignment, source);
}

interface WorkplaceOrder {
  readonly run: string;
  readonly environment: Readonly<Record<string, string>>;
}

const atWork = (agent: Agent, environment: WorkplaceOrder['environment']): AgentAtWork => ({
  kind: kindOfNeeds(agent),
  environment,
  given: agent.env.map(({ name }) => name),
  args: agent.args,
});
