// Where claims go, over random hosts and random claims.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerHosts, type Dispatched } from '../../src/core/protocol/answer-hosts.ts';
import { claimKey, WORKER_TYPES, type Assignment, type ClaimRef } from '../../src/core/protocol/assignment.ts';
import { receive, startDispatcher, type OwedClaim } from '../../src/core/protocol/dispatcher.ts';
import type { Placeable, Rooms } from '../../src/core/protocol/placement.ts';
import type { Sync } from '../../src/core/protocol/sync.ts';

const LABELS = ['linux', 'gpu', 'big'];
const AGENTS = ['claude', 'codex'];

interface GivenHost {
  readonly want: number;
  readonly labels: readonly string[];
  readonly agents: readonly string[] | undefined;
  readonly isDraining: boolean;
  readonly room: number;
}

interface GivenClaim {
  readonly task: number;
  readonly on: readonly string[];
  readonly agent: string | undefined;
  readonly isHere: boolean;
}

const hosts = fc.array(
  fc.record<GivenHost>({
    want: fc.nat(3),
    labels: fc.subarray(LABELS),
    agents: fc.option(fc.subarray(AGENTS), { nil: undefined }),
    isDraining: fc.boolean(),
    room: fc.nat(3),
  }),
  { maxLength: 6 },
);
const claims = fc.array(
  fc.record<GivenClaim>({
    task: fc.nat(5),
    on: fc.subarray(LABELS),
    agent: fc.option(fc.constantFrom(...AGENTS), { nil: undefined }),
    isHere: fc.boolean(),
  }),
  { maxLength: 12 },
);

const syncOf = ({ want, labels, agents, isDraining }: GivenHost, at: number): Sync => ({
  host: `h${at}`,
  number: 1,
  instance: 'one',
  done: [],
  held: [],
  want,
  does: WORKER_TYPES,
  isRemote: true,
  labels,
  agents,
  isDraining,
});

const refOf = ({ task }: GivenClaim, at: number): ClaimRef => ({
  work: 'step',
  task: `t${task}`,
  step: `s${at}`,
  attempt: 1,
});

const needsIn = (given: readonly GivenClaim[]): ReadonlyMap<string, Placeable> =>
  new Map(
    given.map((claim, at) => {
      const { on, agent, isHere } = claim;
      return [
        claimKey(refOf(claim, at)),
        {
          on,
          agent,
          isHere,
          conversation: undefined,
          last: undefined,
          base: undefined,
          refusedOn: [],
          endsCutOff: false,
        },
      ];
    }),
  );

const assignmentOf = (claim: ClaimRef): Assignment => ({
  claim,
  work: { type: 'command', command: 'x', environment: {} },
  limits: { timeoutMs: 1, idleTimeoutMs: 1 },
  output: undefined,
  sandbox: undefined,
});

type Answered = Extract<Dispatched, { type: 'dispatched' }>;

/** Every host waits for an answer, and no claim has a host. */
function answered(givenHosts: readonly GivenHost[], givenClaims: readonly GivenClaim[], rooms?: Rooms): Answered {
  const dispatcher = startDispatcher();
  receive(dispatcher, givenHosts.map(syncOf), { at: 0, placedOn: () => ({ host: undefined }) });
  const needs = needsIn(givenClaims);
  const owed = givenClaims.map((claim, at): OwedClaim => ({ claim: refOf(claim, at), isToStop: false }));
  const dispatched = answerHosts(dispatcher, owed, {
    assign: (claim) => ({ type: 'assigned', assignment: assignmentOf(claim) }),
    needsOf: (claim) => {
      const found = needs.get(claimKey(claim));
      if (found === undefined) throw new Error(`Nobody owes ${claimKey(claim)}.`);
      return found;
    },
    rooms,
  });
  if (dispatched.type === 'refused') throw new Error('A claim was refused.');
  return dispatched;
}

/** By host, the numbers of the claims that it is to start. */
const startsIn = ({ replies }: Answered): ReadonlyMap<string, readonly number[]> =>
  new Map(
    replies.map(({ host, reply }) => [host, reply.start.map(({ claim }) => Number(claim.step?.slice(1)))] as const),
  );

const suits = ({ labels, agents, isDraining }: GivenHost, { on, agent, isHere }: GivenClaim): boolean =>
  !isDraining &&
  !isHere &&
  on.every((label) => labels.includes(label)) &&
  (agent === undefined || agents === undefined || agents.includes(agent));

describe('placement', () => {
  test('is a function of what is owed and what hosts have said', () => {
    fc.assert(
      fc.property(hosts, claims, (some, owed) => {
        expect(answered(some, owed)).toEqual(answered(some, owed));
      }),
    );
  });

  test('gives a claim to one host, which has its labels, its agent and room, and says so in the log', () => {
    fc.assert(
      fc.property(hosts, claims, (some, owed) => {
        const all = answered(some, owed);
        const starts = startsIn(all);
        const begun = [...starts.values()].flat();
        expect(new Set(begun).size).toBe(begun.length);
        for (const [at, host] of some.entries()) {
          const own = starts.get(`h${at}`) ?? [];
          expect(own.length).toBeLessThanOrEqual(host.want);
          for (const number of own) expect(owed[number] === undefined || suits(host, owed[number])).toBe(true);
        }
        const placed = all.placements.filter(({ type }) => type === 'placed');
        expect(placed.map(({ claim }) => claimKey(claim)).toSorted()).toEqual(
          begun.map((number) => claimKey(refOf(owed[number] ?? NONE, number))).toSorted(),
        );
      }),
    );
  });

  test('lets no host wait while there is work for it, but for work whose task is elsewhere', () => {
    fc.assert(
      fc.property(hosts, claims, (some, owed) => {
        const starts = startsIn(answered(some, owed));
        const begun = new Map([...starts].flatMap(([host, own]) => own.map((number) => [number, host] as const)));
        const hostOf = new Map([...begun].map(([number, host]) => [owed[number]?.task, host]));
        for (const [at, host] of some.entries()) {
          const name = `h${at}`;
          if ((starts.get(name) ?? []).length >= host.want) continue;
          const idle = owed.findIndex(
            (claim, number) => !begun.has(number) && suits(host, claim) && (hostOf.get(claim.task) ?? name) === name,
          );
          expect(idle).toBe(-1);
        }
      }),
    );
  });

  test('says of each claim that waits why, once for each reason', () => {
    fc.assert(
      fc.property(hosts, claims, (some, owed) => {
        const all = answered(some, owed);
        const begun = new Set([...startsIn(all).values()].flat());
        const waiting = all.placements.filter(({ type }) => type === 'waiting');
        expect(waiting.length + begun.size).toBe(some.length === 0 ? 0 : owed.length);
      }),
    );
  });

  test('never takes more of a host than the rooms that other runs have left', () => {
    fc.assert(
      fc.property(hosts, claims, claims, (some, one, other) => {
        const rooms = new Map(some.map(({ room }, at) => [`h${at}`, room]));
        const first = startsIn(answered(some, one, rooms));
        const left = new Map([...rooms].map(([host, room]) => [host, room - (first.get(host) ?? []).length]));
        const second = startsIn(answered(some, other, left));
        for (const [host, room] of rooms)
          expect((first.get(host) ?? []).length + (second.get(host) ?? []).length).toBeLessThanOrEqual(room);
      }),
    );
  });
});

const NONE: GivenClaim = { task: 0, on: [], agent: undefined, isHere: false };
