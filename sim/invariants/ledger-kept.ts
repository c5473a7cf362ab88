// P8: what is spent is reserved, then settled. The books here are kept from the log alone, by hand.
import type { CompiledStep } from '../../src/core/compile/compiled.ts';
import { claimKey } from '../../src/core/protocol/assignment.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import type { Spend } from '../../src/core/protocol/result.ts';
import type { Budget } from '../../src/core/plan/plan.ts';
import { claimAbout, claimsOf, isOfStep, refOf, type Invariant, type OfStep, type Sight } from './invariant.ts';

type Part = 'usd' | 'tokens';
const PARTS: readonly Part[] = ['usd', 'tokens'];

interface Book {
  readonly name: string;
  readonly ceiling: Budget | undefined;
  readonly spent: Record<Part, number>;
  readonly reserved: Record<Part, number>;
}

/** By step: what its claim has set aside. */
type Reserved = Map<string, Spend>;

export const ledgerKept: Invariant = {
  name: 'P8 spend is reserved, then settled',
  watch: (sight, broken) => {
    let books = openBooks(sight);
    const reserved: Reserved = new Map();
    const around = (task: string): readonly Book[] => books.around(sight.compiled.indexOf.get(task) ?? -1);
    return {
      before: (happened) => {
        if (!isOfStep(happened)) return;
        const event = happened;
        if (event.type === 'claim.made') checkFits(sight, event, { around: around(event.task), broken });
        if ('spend' in event) checkReported(sight, event, broken);
        enter(event, around(event.task), reserved);
      },
      after: (happened) => {
        if (happened.type === 'plan.amended') books = openBooks(sight, books);
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
        for (const event of events) {
          if (isOfStep(event) && event.type === 'claim.raised')
            checkRaised(sight, event, { around: around(event.task), broken });
        }
      },
      waits: () => checkLive(sight, broken),
    };
  },
};

interface Books {
  readonly all: readonly Book[];
  /** By task: the books of itself and of the subplans around it that have a budget, the run's last. */
  readonly around: (task: number) => readonly Book[];
}

/** Under another plan the books go on from where they were. */
function openBooks({ compiled }: Sight, before?: Books): Books {
  const open = (name: string, ceiling: Budget | undefined): Book => ({
    name,
    ceiling,
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

/** What the log says was spent is what the worker said in the end; before that nobody knows, and what was reserved counts. */
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

/** A step that takes an account over its ceiling while it works is ended. */
function checkRaised(
  sight: Sight,
  { task, step, attempt }: Extract<OfStep, { type: 'claim.raised' }>,
  { around, broken }: Checking,
): void {
  const claim = claimsOf(sight).get(claimKey({ task, step, attempt }));
  if (claim === undefined || claim.cancelling !== undefined) return;
  for (const { name, ceiling, spent, reserved } of around) {
    for (const part of PARTS) {
      const sum = spent[part] + reserved[part];
      if (sum > (ceiling?.[part] ?? Infinity) + 1e-6)
        broken(`${task}/${step} goes on, though ${name} is at ${sum} ${part} of ${ceiling?.[part]}.`);
    }
  }
}

/** What is known to be spent is set aside before anybody else is let at the rest. */
function checkLive(sight: Sight, broken: Checking['broken']): void {
  const claims = claimsOf(sight);
  for (const { claim, spend } of sight.talk.latest?.held ?? []) {
    const known = claims.get(claimKey(claim));
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
