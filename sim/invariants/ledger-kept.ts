// P8: what is spent is reserved, then settled. The books here are kept from the log alone, by hand.
import type { CompiledStep } from '../../src/core/compile/compiled.ts';
import { HERE } from '../world/simulated-host.ts';
import { claimKey } from '../../src/core/protocol/assignment.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import type { Spend } from '../../src/core/protocol/result.ts';
import type { Ceilings } from '../../src/core/plan/budget.ts';
import {
  changesPlan,
  claimAbout,
  claimsOf,
  isFar,
  isOfStep,
  refOf,
  type Invariant,
  type OfStep,
  type Sight,
} from './invariant.ts';

type Part = 'usd' | 'tokens';
const PARTS: readonly Part[] = ['usd', 'tokens'];

interface Book {
  readonly name: string;
  readonly ceiling: Ceilings | undefined;
  /** Something under it was refused or ended for its cost. */
  isReached: boolean;
  readonly spent: Record<Part, number>;
  readonly reserved: Record<Part, number>;
}

/** By step: the reservation of its claim. */
type Reserved = Map<string, Spend>;

export const ledgerKept: Invariant = {
  name: 'P8 spend is reserved, then settled',
  watch: (sight, broken) => {
    let books = openBooks(sight);
    const reserved: Reserved = new Map();
    const around = (task: string): readonly Book[] => books.around(sight.compiled.indexOf.get(task) ?? -1);
    return {
      before: (happened) => {
        if (happened.type === 'task.reset' || happened.type === 'task.rolledBack')
          for (const book of books.all) book.isReached = false;
        if ('task' in happened) noteReached(happened, around(happened.task));
        if (!isOfStep(happened)) return;
        const event = happened;
        if (event.type === 'claim.made') checkFits(sight, event, { around: around(event.task), broken });
        if ('spend' in event) checkReported(sight, event, broken);
        enter(event, around(event.task), reserved);
      },
      after: (happened) => {
        if (changesPlan(happened)) books = openBooks(sight, books);
        if (!isOfStep(happened)) return;
        const event = happened;
        const index = sight.compiled.indexOf.get(event.task) ?? -1;
        const kept = sight.state().ledger.around[index] ?? [];
        around(event.task).forEach(({ name, spent, reserved: aside }, at) => {
          for (const part of PARTS) {
            if (!isSame(kept[at]?.spent[part], spent[part]) || !isSame(kept[at]?.reserved[part], aside[part]))
              broken(
                `The ledger of ${name} says ${JSON.stringify(kept[at])}; ${spent[part]} ${part} are spent and ${aside[part]} reserved.`,
              );
          }
        });
      },
      appended: (events) => {
        checkStopped(sight, around, broken);
        for (const event of events) {
          if (isOfStep(event) && event.type === 'claim.raised') checkRaised(sight, event, { around, broken });
        }
      },
      waits: () => checkLive(sight, broken),
    };
  },
};

/** Which ceiling was reached, the event says; those of subplans by their path. */
function noteReached(event: RunEvent, around: readonly Book[]): void {
  if (!('reason' in event) || event.reason !== 'cost') return;
  const isWhole = event.type === 'task.ended' || event.type === 'task.skipped' || event.type === 'task.cancelling';
  if (isWhole || !('budget' in event)) return;
  const book = around.find(({ name }) => name === (event.budget ?? 'the run'));
  if (book?.ceiling !== undefined) book.isReached = true;
}

/** Under a ceiling that was reached, and that says so, no step goes on. */
function checkStopped(sight: Sight, around: (task: string) => readonly Book[], broken: Checking['broken']): void {
  for (const claim of sight.state().claims.values()) {
    if (claim.work === 'check' || claim.work === 'merge' || claim.cancelling !== undefined) continue;
    const { task } = refOf(sight, claim);
    const reached = around(task).find(({ isReached, ceiling }) => isReached && ceiling?.atCeiling === 'stop');
    if (reached !== undefined) broken(`${task} goes on, though the ceiling of ${reached.name} was reached.`);
  }
}

interface Books {
  readonly all: readonly Book[];
  /** By task: the books of itself and of the subplans around it that have a budget, the run's last. */
  readonly around: (task: number) => readonly Book[];
}

/** Under another plan the books go on from where they were. */
function openBooks({ compiled }: Sight, before?: Books): Books {
  const open = (name: string, ceiling: Ceilings | undefined): Book => ({
    name,
    ceiling,
    isReached: false,
    spent: { ...(before?.all.find((book) => book.name === name)?.spent ?? { usd: 0, tokens: 0 }) },
    reserved: { ...(before?.all.find((book) => book.name === name)?.reserved ?? { usd: 0, tokens: 0 }) },
  });
  const run = open('the run', compiled.plan.budget);
  const own = new Map(
    compiled.tasks.flatMap(({ task, index }) =>
      task.budget === undefined ? [] : [[index, open(task.path, task.budget)] as const],
    ),
  );
  const around = (task: number): readonly Book[] => {
    const found: Book[] = [];
    for (let at: number | undefined = task; at !== undefined; at = compiled.tasks[at]?.parent) {
      const book = own.get(at);
      if (book !== undefined) found.push(book);
    }
    return [...found, run];
  };
  return { all: [run, ...own.values()], around };
}

function enter(event: OfStep, around: readonly Book[], reserved: Reserved): void {
  const key = `${event.task}/${event.step}`;
  const aside = reserved.get(key);
  const change = (of: 'spent' | 'reserved', { amount, sign }: { amount: Spend; sign: 1 | -1 }): void => {
    for (const book of around) for (const part of PARTS) book[of][part] += sign * (amount[part] ?? 0);
  };
  if (event.type === 'claim.made' || event.type === 'claim.raised') {
    if (aside !== undefined) change('reserved', { amount: aside, sign: -1 });
    change('reserved', { amount: event.reserve, sign: 1 });
    reserved.set(key, event.reserve);
  } else if ('spend' in event && aside !== undefined) {
    const { usd = aside.usd, tokens = aside.tokens } = event.spend;
    change('reserved', { amount: aside, sign: -1 });
    change('spent', { amount: { usd, tokens }, sign: 1 });
    reserved.delete(key);
  }
}

const isSame = (one: number | undefined, other: number): boolean => Math.abs((one ?? 0) - other) < 1e-6;

interface Checking {
  readonly around: readonly Book[];
  readonly broken: (message: string) => never;
}

function checkFits(sight: Sight, event: Extract<OfStep, { type: 'claim.made' }>, { around, broken }: Checking): void {
  const isPaid = stepOf(sight, event)?.step.type === 'prompt';
  for (const { name, ceiling, spent, reserved } of around) {
    for (const part of PARTS) {
      const limit = ceiling?.[part];
      const wanted = event.reserve[part] ?? 0;
      if (limit === undefined || (wanted === 0 && !(isPaid && spent[part] >= limit))) continue;
      const sum = spent[part] + reserved[part] + wanted;
      if (sum > limit + 1e-6)
        broken(`${event.task}/${event.step} is claimed, which takes ${name} to ${sum} ${part} of ${limit}.`);
    }
  }
}

/** The logged spend is the worker's final report; before that report the reservation counts. */
function checkReported(sight: Sight, event: Extract<RunEvent, { spend: Spend }>, broken: Checking['broken']): void {
  const claim = claimAbout(sight, event);
  const worker = claim === undefined ? undefined : sight.workers.get(claimKey(refOf(sight, claim)));
  const { usd, tokens } = event.spend;
  if (worker === undefined || !worker.isPaid || (usd === undefined && tokens === undefined)) return;
  const isLost = event.type === 'claim.returned' && event.reason === 'crashed' && !event.counted;
  if (worker.isAlive || isLost)
    broken(`${worker.key} may be spending still, and the log says ${JSON.stringify(event.spend)}.`);
  const said = worker.outcome !== undefined && 'spend' in worker.outcome ? worker.outcome.spend : worker.live;
  if (said.usd !== usd || said.tokens !== tokens)
    broken(`${worker.key} spent ${JSON.stringify(said)}, and the log says ${JSON.stringify(event.spend)}.`);
}

/** A step that takes an account over its ceiling while it works is ended; those that are being ended count no more. */
function checkRaised(
  sight: Sight,
  { work, task, step, attempt }: Extract<OfStep, { type: 'claim.raised' }>,
  { around, broken }: { readonly around: (task: string) => readonly Book[]; readonly broken: Checking['broken'] },
): void {
  const claim = claimsOf(sight).get(claimKey({ work, task, step, attempt }));
  if (claim === undefined || claim.cancelling !== undefined) return;
  const ending = [...sight.state().claims.values()].filter(({ cancelling }) => cancelling !== undefined);
  for (const book of around(task)) {
    const { name, ceiling, spent, reserved } = book;
    const under = ending.filter((each) => around(refOf(sight, each).task).includes(book));
    for (const part of PARTS) {
      const ended = under.reduce((total, { reserve }) => total + (reserve[part] ?? 0), 0);
      const sum = spent[part] + reserved[part] - ended;
      if (sum > (ceiling?.[part] ?? Infinity) + 1e-6)
        broken(`${task}/${step} goes on, though ${name} is at ${sum} ${part} of ${ceiling?.[part]}.`);
    }
  }
}

/** Known spend is reserved before another step may reserve the rest. */
function checkLive(sight: Sight, broken: Checking['broken']): void {
  const claims = claimsOf(sight);
  const hosts = [...sight.talk.hosts].filter(([host]) => host === HERE || isFar(sight, host));
  for (const { host, claim, spend } of hosts.flatMap(([host, { latest }]) =>
    latest.held.map((held) => ({ host, ...held })),
  )) {
    const found = claims.get(claimKey(claim));
    // What a liar says has no effect.
    const known = host === (found?.host ?? HERE) ? found : undefined;
    for (const part of PARTS) {
      if (
        known !== undefined &&
        known.cancelling === undefined &&
        (spend[part] ?? 0) > (known.reserve[part] ?? 0) + 1e-6
      )
        broken(`${claimKey(claim)} has spent ${spend[part]} ${part}, and ${known.reserve[part]} are reserved.`);
    }
  }
}

const stepOf = ({ compiled }: Sight, { task, step }: OfStep): CompiledStep | undefined =>
  compiled.tasks[compiled.indexOf.get(task) ?? -1]?.steps.find((each) => each.step.id === step);
