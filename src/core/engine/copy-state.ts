// A copy of a state, for readers that go back and forth in a log: the copy and the original go on apart.
//
// copy-state/C1. `apply` on the copy changes nothing that the original shows, and the other way round.
// copy-state/C2. Plans, nets, events and tokens never change, so both share them.
import { isInside } from '../compile/compiled.ts';
import { copyHeaps, copyPlay } from '../net/copy-play.ts';
import type { Deferred } from './deferred.ts';
import type { Account, Ledger } from './ledger.ts';
import type { StarvationGuard } from './starvation-guard.ts';
import type { Claim, State } from './state.ts';
import type { TaskFacts } from './task-facts.ts';

export function copyState(state: State): State {
  const deferred = copyDeferred(state.deferred);
  return {
    ...state,
    play: copyPlay(state.play),
    tasks: state.tasks.map(copyFacts),
    ledger: copyLedger(state.ledger),
    claims: new Map([...state.claims].map(([place, claim]): [number, Claim] => [place, { ...claim }])),
    questions: new Map(state.questions),
    queue: new Set(state.queue),
    toEnd: [...state.toEnd],
    deferred,
    guard: state.guard === undefined ? undefined : copyGuard(state, state.guard, deferred),
    exhausted: new Map(state.exhausted),
    exhaustedAgents: new Map(state.exhaustedAgents),
    throttled: new Map([...state.throttled].map(([pool, throttle]) => [pool, { ...throttle }])),
    repeatedFailures: new Map(state.repeatedFailures),
    retired: new Map(state.retired),
    run: { ...state.run },
  };
}

const copyFacts = (facts: TaskFacts): TaskFacts => ({ ...facts, steps: facts.steps.map((step) => ({ ...step })) });

/** An account is in the ledger once for each task under it. */
function copyLedger({ run, around }: Ledger): Ledger {
  const copies = new Map<Account, Account>();
  const copyOf = (account: Account): Account => {
    const known = copies.get(account) ?? copyAccount(account);
    copies.set(account, known);
    return known;
  };
  // Tasks without a budget of their own share the list of the subplan around them.
  const lists = new Map<readonly Account[], readonly Account[]>();
  const listOf = (accounts: readonly Account[]): readonly Account[] => {
    const known = lists.get(accounts) ?? accounts.map(copyOf);
    lists.set(accounts, known);
    return known;
  };
  return { run: copyOf(run), around: around.map(listOf) };
}

const copyAccount = (account: Account): Account => ({
  ...account,
  spent: { ...account.spent },
  reserved: { ...account.reserved },
  seen: new Map([...account.seen].map(([agent, { usd, tokens }]) => [agent, { usd: [...usd], tokens: [...tokens] }])),
});

function copyDeferred({ deferrals, transitions, starved, paused }: Deferred): Deferred {
  return {
    deferrals: new Map(deferrals),
    transitions: {
      pause: new Set(transitions.pause),
      backoff: new Set(transitions.backoff),
      budget: new Set(transitions.budget),
      starvation: new Set(transitions.starvation),
      throttle: new Set(transitions.throttle),
      hold: new Set(transitions.hold),
      order: new Set(transitions.order),
      'merge order': new Set(transitions['merge order']),
      agent: new Set(transitions.agent),
      choice: new Set(transitions.choice),
    },
    starved: new Map([...starved].map(([place, claims]) => [place, new Set(claims)])),
    paused: new Set(paused),
  };
}

type Wanting = StarvationGuard['wanting'] extends ReadonlyMap<number, infer Each> ? Each : never;
type Kind = StarvationGuard['kindOf'] extends ReadonlyMap<number, infer Each> ? Each : never;

function copyGuard({ compiled }: State, guard: StarvationGuard, { paused }: Deferred): StarvationGuard {
  const copies = new Map<Kind, Kind>();
  const copyOf = (kind: Kind): Kind => {
    const known = copies.get(kind) ?? {
      ...kind,
      line: copyHeaps(kind.line),
      isInLine: new Set(kind.isInLine),
      seats: [],
    };
    copies.set(kind, known);
    return known;
  };
  return {
    ...guard,
    kindOf: new Map([...guard.kindOf].map(([claim, kind]) => [claim, copyOf(kind)])),
    wanting: new Map([...guard.wanting].map(([place, wanting]) => [place, copyWanting(wanting, copyOf)])),
    passes: new Map(guard.passes),
    starving: [...guard.starving],
    isPaused: (task) => isInside(compiled, paused, task),
  };
}

/** The copies of the kinds know their indexes in the copied row. */
function copyWanting({ kinds, firsts }: Wanting, copyOf: (kind: Kind) => Kind): Wanting {
  const copy = { kinds: kinds.map(copyOf), firsts: { leaves: firsts.leaves, keys: firsts.keys.slice() } };
  copy.kinds.forEach(({ seats }, index) => seats.push({ among: copy, index }));
  return copy;
}
