// The merge queue: merges finished tasks onto the run branch in order, and lands only prefixes whose checks passed as a whole.
//
// merge-queue/T1. The run branch moves only forwards, by one compare-and-swap, and only to a commit whose tree passed
//     every check of all that lands with it (P6).
// merge-queue/T2. Nothing here is needed after a kill: given the same requests again, the queue makes the same commits, finds
//     what it has landed on the branch, and answers the rest.
// merge-queue/T3. A task is blamed only when what it was merged onto is known not to hold others' faults: it stands
//     first in the chain. Its check has then failed twice.
// merge-queue/T4. What is to be stopped is answered when nothing works on it any more, and no other queue can merge it
//     (branch-fence/B1).
// merge-queue/T5. How a conflict was resolved is remembered before the merge is reported, so that a kill forgets none.
import type { SandboxFailure } from '../../core/protocol/sandbox-failure.ts';
import { join } from 'node:path';
import { assert } from '../../core/assert.ts';
import { claimKey } from '../../core/protocol/assignment.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import { REFS } from '../git/store/ref-names.ts';
import { errorAsValue } from '../git/run/git-error.ts';
import type { Ref } from '../git/store/refs.ts';
import type { Clock } from '../ports/clock.ts';
import type { MergeQueue, MergeRequest } from '../ports/merge-request.ts';
import { takeFence } from './branch-fence.ts';
import { failedMerge, merged, openAnswers, type Answers } from './merge-answers.ts';
import { linkTo, mergeOf, type Chain, type ChainWorld, type Entry, type Linked, type Tipped } from './entry-chain.ts';
import { endOrphans, checksIn, type Candidates, type StartCheck } from './run-check.ts';
import { rememberChecks } from './remembered-checks.ts';
import { nextMove, openRecent } from './prefixes.ts';
import { openCheckRuns, type CheckRuns } from './check-runs.ts';
import { historyIn, holdsMerge, type MergeQueueRepository } from './merge-history.ts';
import { checkRunTo, findCulprit, isAbout, standingsOf, type CheckResults } from './culprit.ts';
import { openPump, type Pump } from './pump.ts';

export interface MergeQueueSettings {
  readonly run: string;
  /** Heddle's folder, `.heddle`. */
  readonly home: string;
  readonly repository: MergeQueueRepository;
  readonly candidates: Candidates;
  /** The environment of every check. */
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly report: (outcomes: readonly WorkOutcome[]) => void;
  /** The most checks at once. */
  readonly width: number;
}

/** Tests replace the way in which checks are run. */
export function startMergeQueue(settings: MergeQueueSettings, startCheck: StartCheck = checksIn(settings)): MergeQueue {
  assert(settings.width >= 1, 'A merge queue makes at least one check at once.');
  const engine = new Engine(settings, startCheck);
  return { want: (requests) => engine.want(requests), close: () => engine.close() };
}

class Engine {
  readonly #settings: MergeQueueSettings;
  readonly #answers: Answers;
  readonly #checkRuns: CheckRuns;
  readonly #results: CheckResults;
  readonly #world: ChainWorld;
  readonly #recent = openRecent();
  /** Requests for which a remembered resolution did not pass. */
  readonly #distrusted = new Set<string>();
  /** Requests that wait for pending entries to land before it is known whether they conflict. */
  readonly #early = new Set<string>();
  /** By task, the checks of every request so far. */
  readonly #checks = new Map<string, readonly string[]>();
  readonly #pump: Pump;
  #chain: Chain | undefined;
  /** Set while this queue may move the run branch. */
  #fence: Ref | undefined;

  constructor(settings: MergeQueueSettings, startCheck: StartCheck) {
    const { run, home, repository, clock } = settings;
    const remembered = rememberChecks(join(home, 'checks', run));
    this.#settings = settings;
    this.#answers = openAnswers(settings.report);
    this.#checkRuns = openCheckRuns({
      startCheck,
      remembered,
      clock,
      onEnd: (error) => {
        if (error !== undefined) this.#retryAfterError(this.#chain?.links[0]?.request, error);
        this.#pump.wake();
      },
    });
    const trusts = (each: MergeRequest): boolean => !this.#distrusted.has(claimKey(each));
    const checksOf: ChainWorld['checksOf'] = ({ checksOfDone }, other) =>
      checksOfDone[other] ?? this.#checks.get(other);
    this.#world = { repository, history: historyIn(repository), checksOf, trusts };
    this.#results = { remembered, treeOf: repository.treeOf };
    this.#pump = openPump(endOrphans({ home, run }), async () => {
      const error = await errorAsValue(() => this.#advance());
      if (error !== undefined) this.#retryAfterError(this.#answers.open()[0], error.failure);
    });
  }

  want(requests: readonly MergeRequest[]): void {
    for (const { task, checks } of requests) this.#checks.set(task, checks);
    if (this.#answers.want(requests)) this.#pump.wake();
  }

  async close(): Promise<void> {
    const closing = this.#pump.close();
    for (const checkRun of this.#checkRuns.all()) this.#checkRuns.stop(checkRun);
    await closing;
    // The last step may have started some.
    for (const checkRun of this.#checkRuns.all()) this.#checkRuns.stop(checkRun);
    await this.#checkRuns.settled();
  }

  async #advance(): Promise<undefined> {
    const open = this.#answers.open();
    this.#dropUnwanted(open);
    await this.#holdFence(open);
    await this.#handleStops(open.filter(({ isToStop }) => isToStop));
    if (!this.#pump.isBackingOff()) {
      for (const request of open) if (!request.isToStop && !this.#pump.isClosed()) await this.#extend(request);
      this.#dropUnwanted(this.#answers.open());
      await this.#move();
    }
    return undefined;
  }

  async #holdFence(open: readonly MergeRequest[]): Promise<void> {
    const base = open.find((request) => request.base !== undefined)?.base;
    if (this.#fence !== undefined || base === undefined) return;
    const { repository, run, clock } = this.#settings;
    this.#fence = await takeFence(repository, { run, base, now: clock.now() });
  }

  /** Entries behind a withdrawn one contain its work, so they leave the chain with it and are merged again. */
  #dropUnwanted(open: readonly MergeRequest[]): void {
    const wanted = new Set(open.filter(({ isToStop }) => !isToStop).map((request) => claimKey(request)));
    const at = this.#chain?.links.findIndex(({ request }) => !wanted.has(claimKey(request))) ?? -1;
    if (at !== -1) this.#truncate(at);
  }

  #truncate(at: number): void {
    const chain = this.#chain;
    if (chain === undefined) return;
    this.#stand(at === 0 ? undefined : { ...chain, links: chain.links.slice(0, at) });
  }

  /** Clears the early requests, and ends checks of entries that have left the chain. */
  #stand(chain: Chain | undefined): void {
    this.#chain = chain;
    this.#early.clear();
    for (const checkRun of this.#checkRuns.all())
      if (!isAbout(checkRun, chain?.links ?? [])) this.#checkRuns.stop(checkRun);
  }

  async #handleStops(requests: readonly MergeRequest[]): Promise<void> {
    const busy = new Set(this.#checkRuns.all().flatMap(({ about }) => about));
    for (const request of requests.filter((each) => !busy.has(claimKey(each)))) {
      const { tip, base } = request;
      const branch = await this.#readBranch();
      const isOnIt = branch !== undefined && tip !== undefined && base !== undefined;
      const commit = isOnIt ? await mergeOf(this.#world, { onto: branch }, { ...request, tip, base }) : undefined;
      const answer = commit === undefined ? ({ type: 'stopped' } as const) : merged(commit);
      this.#answers.give([{ request, answer }]);
    }
  }

  #readBranch(): Promise<string | undefined> {
    return this.#settings.repository.read(REFS.runBranch(this.#settings.run));
  }

  async #extend(request: MergeRequest): Promise<void> {
    const { tip, base } = request;
    const key = claimKey(request);
    const isIn = this.#chain?.links.some((link) => claimKey(link.request) === key) ?? false;
    if (isIn || this.#early.has(key)) return;
    if (tip === undefined) {
      this.#answers.give([{ request, answer: merged(undefined) }]);
      return;
    }
    assert(base !== undefined, 'A run whose tasks make commits has a base commit.');
    const chain = await this.#standing(base);
    const { after: lacks } = request;
    const isWhole = lacks === undefined || lacks === chain.onto;
    if (!isWhole && !(await holdsMerge(this.#settings.repository, chain.onto, lacks)))
      return this.#answers.give([{ request, answer: { type: 'rewound', lacks, branch: chain.onto } }]);
    await this.#take(chain, { ...request, tip, base }, await linkTo(this.#world, chain, { ...request, tip, base }));
  }

  async #standing(base: string): Promise<Chain> {
    if (this.#chain !== undefined && this.#chain.links.length > 0) return this.#chain;
    const branch = await this.#readBranch();
    return { branch, onto: branch ?? base, links: [] };
  }

  async #take(chain: Chain, request: Tipped, linked: Linked): Promise<void> {
    switch (linked.type) {
      case 'linked':
        this.#chain = { ...chain, links: [...chain.links, linked.link] };
        return;
      case 'contained':
        await this.#learn([request]);
        this.#answers.give([{ request, answer: merged(linked.commit) }]);
        return;
      case 'conflict': {
        const { paths, with: others, onto } = linked;
        const names = paths.map(({ path }) => path);
        this.#answers.give([{ request, answer: { type: 'conflict', paths: names, with: others, onto } }]);
        return;
      }
      case 'early':
        this.#early.add(claimKey(request));
        return;
      case 'failed':
        this.#retryAfterError(request, linked.failure);
    }
  }

  async #move(): Promise<void> {
    const chain = this.#chain;
    if (chain === undefined || chain.links.length === 0 || this.#pump.isClosed()) return;
    const checkRuns = this.#checkRuns.all();
    // Each merge that is checked holds one slot of the run's cap, so no more checks run than there are such merges.
    const slots = chain.links.filter(({ request }) => request.checks.length > 0).length;
    const free = Math.min(this.#settings.width, Math.max(1, slots)) - checkRuns.length;
    const standings = standingsOf(this.#results, chain.links, checkRuns);
    const move = nextMove({ standings, free, isOneByOne: this.#recent.isOneByOne() });
    switch (move.type) {
      case 'land':
        return this.#land(chain, move.count);
      case 'culprit':
        return this.#findCulprit(chain, free);
      case 'check':
        for (const at of move.stop) this.#stopCut(chain.links[at]);
        for (const at of move.start) this.#checkRuns.start(checkRunTo(chain.links.slice(0, at + 1)));
    }
  }

  #stopCut(link: Entry | undefined): void {
    for (const checkRun of this.#checkRuns.all())
      if (link !== undefined && checkRun.about.at(-1) === claimKey(link.request)) this.#checkRuns.stop(checkRun);
  }

  async #land(chain: Chain, count: number): Promise<void> {
    const { repository, run } = this.#settings;
    const landing = chain.links.slice(0, count);
    const to = landing.at(-1)?.commit ?? chain.onto;
    const fence = this.#fence;
    assert(fence !== undefined, 'A queue that has built a chain holds the fence.');
    const swapped = await repository.swap({ ref: REFS.runBranch(run), from: chain.branch, to, fence });
    this.#pump.wake();
    if (swapped.type !== 'swapped' && (await repository.read(fence.ref)) !== fence.commit) return this.#giveUp();
    if (swapped.type === 'moved') return this.#truncate(0);
    if (swapped.type !== 'swapped') return this.#retryAfterError(landing[0]?.request, swapped.failure);
    this.#world.history.grow(landing.flatMap(({ merge }) => merge ?? []));
    this.#stand({ branch: to, onto: to, links: chain.links.slice(count) });
    for (const { checks } of landing) if (checks.length > 0) this.#recent.note(true);
    await this.#learn(landing.map(({ request }) => request));
    this.#answers.give(landing.map(({ request, merge }) => ({ request, answer: merged(merge?.commit) })));
  }

  /** Another queue has taken the fence: the merges are its business, until this queue is given some again. */
  #giveUp(): void {
    this.#truncate(0);
    this.#fence = undefined;
    this.#answers.give(this.#answers.open().map((request) => ({ request, answer: { type: 'lost' } })));
  }

  /** A resolution is remembered only after it has passed and landed. */
  async #learn(requests: readonly MergeRequest[]): Promise<void> {
    for (const { task, tip, base, hasConflicted } of requests) {
      if (!hasConflicted || tip === undefined || base === undefined) continue;
      // A resolution that cannot be stored is asked for once more, which is no reason to stop.
      await this.#settings.repository.learn({ task, tip, base }).catch(() => []);
    }
  }

  async #findCulprit(chain: Chain, free: number): Promise<void> {
    const [first] = chain.links;
    assert(first !== undefined, 'There is no culprit in an empty chain.');
    for (const link of chain.links.slice(1)) this.#stopCut(link);
    const found = await findCulprit(this.#results, chain.onto, first);
    if (found.type === 'check') {
      const isGoing = this.#checkRuns.all().some(({ isAgain }) => isAgain);
      if (!isGoing && free > 0) this.#checkRuns.start(found.checkRun);
      return;
    }
    const { tail, isBaseline } = found;
    this.#recent.note(false);
    this.#truncate(0);
    this.#pump.wake();
    if (first.isRecalled) this.#distrusted.add(claimKey(first.request));
    else this.#answers.give([{ request: first.request, answer: failedMerge('check', tail, isBaseline) }]);
  }

  /** Backs off and retries; after too many errors the request is answered. */
  #retryAfterError(request: MergeRequest | undefined, failure: SandboxFailure): void {
    if (request === undefined || this.#pump.isClosed() || this.#pump.isBackingOff()) return;
    const backoffMs = this.#answers.retryAfterError(request, failure);
    if (backoffMs === undefined) this.#pump.wake();
    else this.#pump.backOff(backoffMs);
  }
}
