// A worker: what it does, for how long, what it spends and what it leaves in its folder. Its fate follows from its claim.
import { claimKey, type Assignment, type ClaimRef, type TurnPermissions } from '../../src/core/protocol/assignment.ts';
import type { Permission, Reason, Result, Spend } from '../../src/core/protocol/result.ts';
import type { OutcomeOf, WorkOutcome } from '../../src/core/protocol/work-outcome.ts';
import { DRAFT_ID } from '../../src/core/plan/grown-plan.ts';
import { randomFragmentText } from '../../test/law/engine-plans.given.ts';
import type { Chance } from '../../src/core/schedule/chance.ts';
import type { Fault } from './faults.ts';
import type { Worker } from './worker.ts';
import type { HostWorld } from './world.ts';

export const UNKNOWN: Spend = { usd: undefined, tokens: undefined };
export const NOTHING_SPENT: Spend = { usd: 0, tokens: 0 };
const OK: Result = { ok: true, response: 'said', output: undefined, exitCode: 0, commit: undefined };

/** How long a worker that was told to stop may take. */
const GRACE_MS = 8_000;
const RESERVED = { usd: 0.3, tokens: 10 };

export interface Listener {
  /** Its host. */
  readonly host: string;
  /** It has spent more. */
  readonly onSpending: (worker: Worker) => void;
  readonly onEnd: (worker: Worker) => void;
}

interface Fate {
  readonly afterMs: number;
  readonly spend: Spend;
  /** What it reports; undefined when it dies without a word. */
  readonly outcome: WorkOutcome | undefined;
}

export function startWorker(world: HostWorld, assignment: Assignment, { host, onSpending, onEnd }: Listener): Worker {
  const { claim, work } = assignment;
  const isPaid = work.type === 'turn';
  const key = claimKey(claim);
  const worker: Worker = {
    claim,
    key,
    isPaid,
    host,
    leaseMs: assignment.leaseMs,
    isAlive: true,
    isCutOff: false,
    isStill: false,
    isAsked: false,
    live: NOTHING_SPENT,
    outcome: undefined,
  };
  if (isPaid) worker.live = UNKNOWN;
  const fate = drawFate(world, assignment, world.dice.named(`fate of ${key}`));
  for (const share of isPaid ? [0.3, 0.8] : []) {
    world.timeline.schedule(fate.afterMs * share, () => {
      if (!worker.isAlive) return;
      worker.live = shareOf(fate.spend, share);
      onSpending(worker);
    });
  }
  world.timeline.schedule(fate.afterMs, () => endWorker(worker, fate.outcome, onEnd));
  return worker;
}

function shareOf({ usd, tokens }: Spend, share: number): Spend {
  return { usd: cents((usd ?? RESERVED.usd) * share), tokens: Math.floor((tokens ?? RESERVED.tokens) * share) };
}

const cents = (usd: number): number => Math.round(usd * 100) / 100;

export function endWorker(worker: Worker, outcome: WorkOutcome | undefined, onEnd: Listener['onEnd']): void {
  if (!worker.isAlive) return;
  worker.isAlive = false;
  worker.outcome = outcome;
  onEnd(worker);
}

/** The machine kills the worker without a report. */
export function killWorker(worker: Worker): void {
  worker.isAlive = false;
}

/** Asks it to stop. What comes first decides: its own end or this one. */
export function stopWorker(world: HostWorld, worker: Worker, onEnd: Listener['onEnd']): void {
  if (worker.isAsked) return;
  worker.isAsked = true;
  const random = world.dice.named(`stop of ${worker.key}`);
  world.timeline.schedule(random.below(GRACE_MS), () => {
    const spend = worker.isPaid && random.happens(0.3) ? UNKNOWN : worker.live;
    const finishes = world.dice.strikesNamed('finishes while cancelled', worker.key);
    endWorker(worker, finishes ? finished(worker.claim, spend, true) : stopped(worker.claim, spend), onEnd);
  });
}

export const stopped = (claim: ClaimRef, spend: Spend): OutcomeOf<'stopped'> => ({ type: 'stopped', ...claim, spend });

export const lost = (claim: ClaimRef, spend: Spend): WorkOutcome => ({ type: 'lost', ...claim, spend });

/** What a host reports of a worker that died under its eyes without a word. */
export function crashed({ claim, live, isPaid }: Worker): WorkOutcome {
  const spend = isPaid ? live : NOTHING_SPENT;
  return { type: 'failed', ...claim, spend, reason: 'crashed', isFinal: false, result: undefined };
}

function finished(claim: ClaimRef, spend: Spend, ok: boolean): WorkOutcome {
  const commit = claim.work === 'check' ? undefined : `work of ${claimKey(claim)}`;
  const said = { ...OK, response: claim.task.endsWith(`.${DRAFT_ID}`) ? fragmentOf(claim) : OK.response };
  const result = ok ? { ...said, commit } : { ...said, ok, exitCode: 1, commit };
  return { type: 'finished', ...claim, spend, result };
}

/** What a draft answers follows from its claim, like all that a worker does. */
function fragmentOf(claim: ClaimRef): string {
  let hash = 7;
  for (const letter of claimKey(claim)) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return randomFragmentText(hash >>> 0, { isTimeless: false, tasksMax: 8 });
}

function drawFate(world: HostWorld, assignment: Assignment, random: Chance): Fate {
  const { claim, limits, work } = assignment;
  const key = claimKey(claim);
  const strikes = (fault: Parameters<typeof world.dice.strikesNamed>[0]): boolean =>
    world.dice.strikesNamed(fault, key);
  const drawnMs = world.trial.isLong
    ? Math.round(20_000 * 2 ** (random.next() * 4))
    : Math.round(200 * 2 ** (random.next() * 8.5) * (random.happens(0.12) ? 6 : 1));
  const tookMs = Math.min(drawnMs, limits.timeoutMs - 1);
  const spend = work.type === 'turn' ? drawSpend(world, key, random) : NOTHING_SPENT;
  const told = work.type === 'turn' && strikes('spend unreported') ? UNKNOWN : spend;
  const ending = (afterMs: number, outcome: WorkOutcome | undefined): Fate => ({ afterMs, spend, outcome });
  if (strikes('worker dies')) return ending(tookMs, undefined);
  if (claim.work === 'check') return ending(tookMs, finished(claim, told, !strikes('check fails')));
  const about = { ...claim, spend: told };
  const failed = (reason: Reason, isFinal: boolean): WorkOutcome => ({
    type: 'failed',
    ...about,
    reason,
    isFinal,
    result: undefined,
  });
  if (strikes('worker hangs')) return ending(limits.timeoutMs, failed('timeout', false));
  if (strikes('quota runs out')) {
    const until = world.wall() + random.below(120_000);
    const hasWorked = claim.attempt % 2 === 1;
    const pool = random.happens(0.5) ? 'gpu' : undefined;
    const by = claim.attempt % 3 === 0 ? 'rate_limit' : 'quota';
    return ending(tookMs, { type: 'limited', ...about, hasWorked, pool, until, by });
  }
  if (work.type === 'turn') {
    const turned = drawVerdict(about, strikes, work.permissions);
    if (turned !== undefined) return ending(tookMs, turned);
  }
  if (strikes('work fails')) {
    const reason = (['idle', 'refused', 'failed'] as const)[random.below(3)] ?? 'failed';
    return ending(tookMs, failed(reason, random.happens(0.3)));
  }
  return ending(tookMs, finished(claim, told, !strikes('work ends badly')));
}

/** Verdicts on an agent and not on the work. */
const OF_AGENT = ['bad_request', 'refused', 'context', 'permission'] as const;

type About = ClaimRef & { readonly spend: Spend };

/** It asks leave for the same thing again and again, until somebody has decided about it; else it asks a question. */
function wantedBy({ task, attempt }: About, permissions: TurnPermissions | undefined): Permission | undefined {
  const key = `leave of ${task}`;
  const isDecided = [...(permissions?.granted ?? []), ...(permissions?.refused ?? [])].includes(key);
  const mayAsk = permissions?.policy === 'gate' && !isDecided && attempt % 3 !== 0;
  return mayAsk ? { tool: 'Bash', about: 'make', key } : undefined;
}

/** What an agent's turn may come to that no command does. */
function drawVerdict(
  about: About,
  strikes: (fault: Fault) => boolean,
  permissions: TurnPermissions | undefined,
): WorkOutcome | undefined {
  const result = { ...OK, ok: false, response: 'It said why.', commit: `half of ${claimKey(about)}` };
  const conversation = { id: `talk of ${about.task}`, reading: undefined };
  const failed = { type: 'failed', ...about, conversation, result } as const;
  if (strikes('provider overloaded')) return { ...failed, reason: 'overloaded', isFinal: false };
  if (strikes('agent asks')) {
    const permission = wantedBy(about, permissions);
    return { type: 'asked', ...about, conversation, question: 'Which one?', permission, result };
  }
  if (strikes('answer misfits')) return { ...failed, reason: 'output', isFinal: true };
  // Every other time the turn had begun, so that its conversation can be continued.
  if (strikes('turn cut off'))
    return { ...failed, reason: 'cut_off', isFinal: false, hasWorked: about.attempt % 2 === 1 };
  if (strikes('agent is no use')) {
    const reason = OF_AGENT[about.attempt % OF_AGENT.length] ?? 'refused';
    // One that merely said nothing may say something another time.
    return { ...failed, reason, isFinal: reason !== 'refused' };
  }
  return strikes('sign-in refused') ? { ...failed, reason: 'authentication', isFinal: true } : undefined;
}

function drawSpend(world: HostWorld, key: string, random: Chance): Spend {
  const most = world.dice.strikesNamed('overspends', key) ? 5 : 1;
  return {
    usd: cents(random.next() * most * RESERVED.usd),
    tokens: Math.floor(random.next() * most * RESERVED.tokens),
  };
}
