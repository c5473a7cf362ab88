// One run on machines of their own while their network fails: a host is cut off, a link loses what is sent, and the server that
// owns the run is parted from the engine and from every host. What ran is judged by what the steps noted, not by the log alone.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { postgresNeed } from '../../../src/shell/engines/postgres-server.given.ts';
import { skipUnless } from '../../needs.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';
import { until, type Line } from '../world/project.given.ts';
import { headsOf } from './heads-of.ts';
import { openMachines, type Machines, type Part } from './machines.given.ts';
import { networkNeed, type Machine } from './network.given.ts';
import { isOver, judgeStruck, makeStruckPlan, notedStarts } from './struck-run.ts';

const NEEDS = [networkNeed(), postgresNeed()];
const HOSTS = { count: 2, leaseMs: 10_000 };
/** The first outlives the lease of its host; the second is in the pool when that one is given away; the last while servers change. */
const SECONDS = { c: 20, d: 15, e: 2, f: 8 };
const NOTHING = { lost: [], doubled: [], overspent: [], overrun: [], wrong: [] };
const FLAP_MS = 200;
const RESENT = 5;

/** Half of the time nothing gets through, until TCP had to send again. */
async function loseUntilResent(machine: Machine): Promise<void> {
  const enough = machine.resent() + RESENT;
  const flap = async (): Promise<void> => {
    machine.cut();
    await setTimeout(FLAP_MS);
    machine.heal();
    expect(machine.resent()).toBeGreaterThanOrEqual(enough);
  };
  await vi.waitFor(flap, { timeout: PATIENCE_MS, interval: FLAP_MS });
}

describe('a cluster whose network fails', () => {
  skipUnless(...NEEDS);
  let opened: Machines | undefined;
  beforeAll(async () => {
    if (NEEDS.every(({ missing }) => missing === undefined)) opened = await openMachines('postgres', HOSTS);
  }, PATIENCE_MS);
  afterAll(() => opened?.remove(), PATIENCE_MS);

  test('loses nothing, does nothing twice, and spends and runs no more than it may', async () => {
    if (opened === undefined) throw new Error('The machines were not made.');
    const cluster = opened;
    const plan = makeStruckPlan(join(cluster.folder, 'plan'), SECONDS);
    const heads = await headsOf('postgres', cluster.engineUrl);
    const run = cluster.begin(1, plan.file);
    const log = (): readonly Line[] => {
      const [one, other] = [cluster.log(1, run), cluster.log(2, run)];
      return one.length > other.length ? one : other;
    };
    const placedOn = async (claim: string): Promise<Part> => {
      await until(() => notedStarts(plan.folder).includes(claim));
      const placed = log().findLast(
        ({ type, task, attempt }) => type === 'claim.placed' && `${task}#${attempt}` === claim,
      );
      return cluster.part(placed?.host ?? '');
    };
    const ownerNow = async () => {
      const holder = (await heads()).find((head) => head.run === run)?.holder;
      const part = cluster.parts.find(
        ({ name, pid }) => name.startsWith('serve') && holder?.who.includes(`"pid":${pid()},`),
      );
      return { epoch: holder?.epoch ?? 0, part };
    };

    const cutOff = await placedOn('c#1');
    cutOff.machine.cut();
    const other = await placedOn('c#2');
    expect(other.name).not.toBe(cutOff.name);
    await loseUntilResent(other.machine);
    cutOff.machine.heal();

    await placedOn('f#1');
    const parted = await ownerNow();
    parted.part?.machine.cut();
    const isReplaced = async (): Promise<void> => expect((await ownerNow()).epoch).toBeGreaterThan(parted.epoch);
    await vi.waitFor(isReplaced, { timeout: PATIENCE_MS, interval: FLAP_MS });
    parted.part?.machine.heal();
    await until(() => cluster.said(parted.part?.name ?? '').includes(`${run}: another process has taken it over`));

    await vi.waitFor(() => expect(isOver(log())).toBe(true), { timeout: PATIENCE_MS, interval: FLAP_MS });
    const found = judgeStruck({ folder: plan.folder, log: log(), git: cluster.git, run, mayLose: true });
    expect(found).toMatchObject(NOTHING);
    expect(found.full).toBeGreaterThan(0);
    expect(log()).toContainEqual(
      expect.objectContaining({ type: 'claim.returned', task: 'c', attempt: 1, counted: false }),
    );
  });
});
