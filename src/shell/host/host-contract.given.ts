// The contract of every host in `sync`, the real one and the simulated one. It makes the results of simulating a
// coordinator over thousands of seeds, without processes, valid for the real host.
import { describe, expect, test } from 'vitest';
import { claimKey, type Assignment, type ClaimRef, type MergeWork } from '../../core/protocol/assignment.ts';
import type { Reply, Sync } from '../../core/protocol/sync.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';

export interface GivenHost {
  /** Its latest message; number 0 before the first. */
  readonly latest: () => Sync;
  /** Answers the latest message, unless another number is given. */
  readonly reply: (reply: Partial<Reply>) => void;
  readonly recover: (claims: readonly ClaimRef[]) => void;
  /** Closes the host and leaves its workers running. */
  readonly leave: () => Promise<void>;
}

export interface GivenMachine {
  readonly start: (how: { readonly claimsMax: number }) => GivenHost;
  /** Work that continues until the test releases it, or ends by itself much later. */
  readonly work: (claim: ClaimRef) => Assignment;
  /** A merge whose check continues likewise. */
  readonly merge: (claim: ClaimRef) => Assignment;
  readonly letGo: () => void;
  /** How often work on the claim was begun. */
  readonly timesBegun: (claim: ClaimRef) => number;
  /** How often the work of the claim's task is on the run branch. */
  readonly timesMerged: (claim: ClaimRef) => number;
  /** Lets time pass. */
  readonly until: (what: string, isSo: () => boolean) => Promise<unknown>;
}

const A: ClaimRef = { work: 'step', task: 'a', step: 'main', attempt: 1 };
const B: ClaimRef = { work: 'step', task: 'b', step: 'main', attempt: 1 };
const C: ClaimRef = { work: 'step', task: 'c', step: 'main', attempt: 1 };

const M: ClaimRef = { work: 'merge', task: 'm', step: undefined, attempt: 1 };
const N: ClaimRef = { work: 'merge', task: 'n', step: undefined, attempt: 1 };

export const MERGE: MergeWork = {
  type: 'merge',
  tip: undefined,
  base: 'base',
  at: 0,
  intent: '',
  answer: '',
  agents: [],
  take: [],
  checks: ['true'],
  checksOfDone: {},
  hasConflicted: false,
};

const heldBy = (host: GivenHost): readonly string[] => host.latest().held.map(({ claim }) => claimKey(claim));
const doneBy = (host: GivenHost): readonly string[] => host.latest().done.map(shown);
const shown = (outcome: WorkOutcome): string => `${outcome.task} ${outcome.type}`;

/** A host that has sent its first message, and its machine. */
type Given = (claimsMax?: number) => Promise<{ readonly machine: GivenMachine; readonly host: GivenHost }>;

export function hostContract(name: string, open: () => GivenMachine): void {
  const given: Given = async (claimsMax = 8) => {
    const machine = open();
    const host = machine.start({ claimsMax });
    await machine.until('it has spoken', () => host.latest().number > 0);
    return { machine, host };
  };
  describe(`${name}, as a host`, () => {
    holdsWhatItSays(given);
    beginsOnce(given);
    endsWhatIsCancelled(given);
    merges(given);
  });
}

function holdsWhatItSays(given: Given): void {
  test('counts its messages, lists what it holds, and asks for what it has room for', async () => {
    const { machine, host } = await given(3);
    expect(host.latest()).toMatchObject({ done: [], held: [], want: 3 });
    const { number } = host.latest();
    host.reply({ start: [machine.work(A)] });
    await machine.until('it has spoken again', () => host.latest().number > number);
    expect(host.latest()).toMatchObject({ done: [], want: 2 });
    expect(heldBy(host)).toEqual([claimKey(A)]);
  });

  test('holds no more than it asked for, though more is given', async () => {
    const { machine, host } = await given(2);
    host.reply({ start: [A, B, C].map((claim) => machine.work(claim)) });
    await machine.until('it holds what it may', () => heldBy(host).length > 0);
    expect(heldBy(host)).toEqual([claimKey(A), claimKey(B)]);
    expect(machine.timesBegun(C)).toBe(0);
  });

  test('repeats what is done until a reply shows that it was heard', async () => {
    const { machine, host } = await given();
    host.reply({ start: [machine.work(A)] });
    await machine.until('it is begun', () => machine.timesBegun(A) === 1);
    machine.letGo();
    await machine.until('it is done', () => doneBy(host).length === 1);
    const { number } = host.latest();
    await machine.until('it is repeated', () => host.latest().number > number);
    expect(doneBy(host)).toEqual(['a finished']);
    host.reply({});
    await machine.until('it is repeated no more', () => doneBy(host).length === 0);
  });
}

function beginsOnce(given: Given): void {
  test('begins nothing that comes with a reply to an earlier message, and nothing twice', async () => {
    const { machine, host } = await given();
    const { number } = host.latest();
    host.reply({ start: [machine.work(A)] });
    await machine.until('it has spoken again', () => host.latest().number > number);
    host.reply({ number, start: [machine.work(B)] });
    host.reply({ start: [machine.work(A)] });
    await machine.until('it is begun', () => machine.timesBegun(A) === 1);
    machine.letGo();
    await machine.until('it is done', () => doneBy(host).length === 1);
    expect([A, B].map(machine.timesBegun)).toEqual([1, 0]);
  });

  test('takes over what an earlier host began, whether it is told of it or offered it again', async () => {
    const { machine, host: earlier } = await given();
    earlier.reply({ start: [A, B].map((claim) => machine.work(claim)) });
    await machine.until('both are begun', () => [A, B].every((claim) => machine.timesBegun(claim) === 1));
    await earlier.leave();
    const host = machine.start({ claimsMax: 8 });
    host.recover([A, B, C]);
    await machine.until('both are held', () => heldBy(host).length === 2);
    host.reply({ start: [A, C].map((claim) => machine.work(claim)) });
    await machine.until('the third is begun', () => machine.timesBegun(C) === 1);
    machine.letGo();
    await machine.until('all are done', () => doneBy(host).length === 3);
    expect([...doneBy(host)].toSorted()).toEqual(['a finished', 'b finished', 'c finished']);
    expect([A, B, C].map(machine.timesBegun)).toEqual([1, 1, 1]);
  });
}

function endsWhatIsCancelled(given: Given): void {
  test('ends what is cancelled, and says how', async () => {
    const { machine, host } = await given();
    host.reply({ start: [machine.work(A)] });
    await machine.until('it is held', () => heldBy(host).length === 1 && machine.timesBegun(A) === 1);
    host.reply({ cancel: [A] });
    await machine.until('it is done', () => doneBy(host).length === 1);
    expect(doneBy(host)).toEqual(['a stopped']);
    expect(heldBy(host)).toEqual([]);
  });

  test('says that what it never held was stopped, and does not begin it afterwards', async () => {
    const { machine, host } = await given();
    host.reply({ cancel: [A] });
    await machine.until('it is stopped', () => doneBy(host).length === 1);
    expect(host.latest().done).toMatchObject([{ type: 'stopped', work: 'step', spend: { usd: undefined } }]);
    host.reply({});
    await machine.until('it was heard', () => doneBy(host).length === 0);
    host.reply({ start: [machine.work(A)] });
    await machine.until('it is lost', () => doneBy(host).length === 1);
    expect(doneBy(host)).toEqual(['a lost']);
    expect(machine.timesBegun(A)).toBe(0);
  });
}

function merges(given: Given): void {
  test('holds merges beside the claims that it has room for, begins each once, and reports them', async () => {
    const { machine, host } = await given(1);
    expect(host.latest()).toMatchObject({ want: 1, does: expect.arrayContaining(['merge']) });
    host.reply({ start: [machine.work(A), machine.merge(M), machine.merge(N)] });
    await machine.until('all are held', () => heldBy(host).length === 3);
    expect(host.latest()).toMatchObject({ want: 0 });
    host.reply({ start: [machine.merge(M)] });
    machine.letGo();
    await machine.until('both are merged', () => doneBy(host).filter((done) => !done.startsWith('a')).length === 2);
    expect(
      doneBy(host)
        .filter((done) => !done.startsWith('a'))
        .toSorted(),
    ).toEqual(['m finished', 'n finished']);
    expect([M, N].map(machine.timesMerged)).toEqual([1, 1]);
  });

  test('stops a merge that is cancelled, also one that comes together with its cancellation', async () => {
    const { machine, host } = await given();
    host.reply({ start: [machine.merge(M)] });
    await machine.until('it is held', () => heldBy(host).length === 1);
    host.reply({ start: [machine.merge(N)], cancel: [M, N] });
    await machine.until('both are over', () => doneBy(host).length === 2);
    expect([...doneBy(host)].toSorted()).toEqual(['m stopped', 'n stopped']);
    expect([M, N].map(machine.timesMerged)).toEqual([0, 0]);
  });

  test('says nothing of a cancelled merge that it does not hold: another host may', async () => {
    const { machine, host } = await given();
    host.reply({ cancel: [M, A] });
    await machine.until('the other is stopped', () => doneBy(host).length > 0);
    expect(doneBy(host)).toEqual(['a stopped']);
  });

  test('forgets its merges with its end, and the next host finds what is merged already', async () => {
    const { machine, host: earlier } = await given();
    earlier.reply({ start: [M, N].map(machine.merge) });
    machine.letGo();
    await machine.until('one is merged', () => machine.timesMerged(M) + machine.timesMerged(N) > 0);
    await earlier.leave();
    const host = machine.start({ claimsMax: 8 });
    host.recover([M, N]);
    await machine.until('it has spoken', () => host.latest().number > 0);
    expect(heldBy(host)).toEqual([]);
    host.reply({ start: [M, N].map(machine.merge), cancel: [M] });
    await machine.until('both are over', () => doneBy(host).length === 2);
    const isMerged = machine.timesMerged(M) === 1;
    expect([...doneBy(host)].toSorted()).toEqual([isMerged ? 'm finished' : 'm stopped', 'n finished']);
    expect(machine.timesMerged(N)).toBe(1);
  });
}
