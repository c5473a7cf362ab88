// A merge queue as the port asks it to be: it merges the longest part of its requests that goes well, in order, and dies
// with its host, at times between moving the run branch and reporting that.
//
// simulated-merge-queue/N1. Work on the run branch is finished, whichever queue put it there and whatever was said of it since.
// simulated-merge-queue/N2. It puts nothing there that it is not asked to merge at that moment, nor anything once another queue has the fence.
import { claimKey } from '../../src/core/protocol/assignment.ts';
import type { WorkOutcome } from '../../src/core/protocol/work-outcome.ts';
import type { MergeRequest, OpenMergeQueue } from '../../src/shell/ports/merge-request.ts';
import type { HostWorld } from './world.ts';
import type { Landed, Repository } from './simulated-repository.ts';

const CHECK_MAX_MS = 20_000;
/** How long it may take to report what it has done. */
const REPORT_MAX_MS = 500;
const FREE = { usd: 0, tokens: 0 };
const OK = { ok: true, response: undefined, output: undefined, exitCode: undefined, commit: undefined };

/** The world as a merge queue sees it. */
export interface MergeWorld extends HostWorld {
  /** Ends the trial: what is on the run branch is not what is to be merged. */
  readonly violate: (message: string) => never;
}

interface Merging {
  readonly world: MergeWorld;
  readonly repository: Repository;
  /** Of the host. */
  readonly name: string;
}

export const simulatedMergeQueue =
  ({ world, repository, name }: Merging): OpenMergeQueue =>
  (report) => {
    let requests: readonly MergeRequest[] = [];
    const reported = new Set<string>();
    let isGone = false;
    let isUnderWay = false;
    let fence: number | undefined;
    const random = world.dice.named(`merge queue of ${name}`);
    const open = (): readonly MergeRequest[] => requests.filter((request) => !reported.has(claimKey(request)));
    const reportSoon = (outcome: WorkOutcome): void => {
      reported.add(claimKey(outcome));
      repository.reported.add(`${outcome.type} ${claimKey(outcome)}`);
      world.timeline.schedule(random.below(REPORT_MAX_MS), () => {
        if (!isGone) report([outcome]);
      });
    };
    const giveUp = (): void => {
      fence = undefined;
      world.counts.add('merge queue fenced');
      for (const request of open()) reportSoon({ type: 'lost', ...claimOf(request), spend: FREE });
    };
    const drive = (): void => {
      if (isGone || isUnderWay || open().length === 0) return;
      isUnderWay = true;
      fence ??= repository.takeFence();
      world.timeline.schedule(random.below(CHECK_MAX_MS), () => {
        isUnderWay = false;
        if (isGone) return;
        if (fence !== repository.fence()) giveUp();
        const batch = open();
        const merged = merge({ world, repository }, batch.slice(0, 1 + random.below(Math.max(1, batch.length))));
        for (const outcome of merged) reportSoon(outcome);
        drive();
      });
    };
    return {
      want: (wanted) => {
        requests = wanted;
        const keys = new Set(wanted.map(claimKey));
        for (const key of reported) if (!keys.has(key)) reported.delete(key);
        drive();
      },
      close: async () => {
        isGone = true;
      },
    };
  };

const claimOf = ({ work, task, step, attempt }: MergeRequest) => ({ work, task, step, attempt });

/** Merges in order until a check fails: what is behind is checked again without it. */
function merge(merging: Omit<Merging, 'name'>, batch: readonly MergeRequest[]): readonly WorkOutcome[] {
  const outcomes: WorkOutcome[] = [];
  for (const request of batch) {
    const outcome = mergeOne(merging, request);
    outcomes.push(outcome);
    if (outcome.type === 'failed') break;
  }
  return outcomes;
}

function mergeOne({ world, repository }: Omit<Merging, 'name'>, request: MergeRequest): WorkOutcome {
  const about = { ...claimOf(request), spend: FREE };
  const found = repository.find(request.task);
  if (found !== undefined) return finished(world, request, found);
  if (request.isToStop) return { type: 'stopped', ...about };
  const strikes = (fault: Parameters<typeof world.dice.strikesNamed>[0]): boolean =>
    world.dice.strikesNamed(fault, claimKey(request));
  const failed = { type: 'failed', ...about, isFinal: false } as const;
  if (strikes('merge conflicts')) {
    const others = repository.landed.slice(-2).map((each) => each.task);
    return { type: 'conflict', ...about, paths: ['file'], with: others, onto: repository.head() };
  }
  if (strikes('merge check fails')) {
    const isBaseline = world.dice.of('merge check fails').happens(0.1);
    const result = { ...OK, ok: false, response: 'It does not hold together.' };
    return { ...failed, reason: 'check', result, isBaseline };
  }
  if (strikes('merge is refused'))
    return { ...failed, reason: 'refused', result: { ...OK, ok: false, response: 'There is no space left.' } };
  if (strikes('merge is outrun')) return { type: 'outrun', ...about };
  world.say(`${request.task} is on the run branch`);
  return finished(world, request, repository.land(request.task, request.tip));
}

function finished({ violate }: MergeWorld, request: MergeRequest, { tip, commit }: Landed): WorkOutcome {
  if (tip !== request.tip)
    violate(`${request.task} is on the run branch as ${tip}, and ${request.tip} is to be merged.`);
  return { type: 'finished', ...claimOf(request), spend: FREE, result: { ...OK, commit } };
}
