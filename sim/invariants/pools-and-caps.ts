// P7: the steps that really run never exceed pools and caps, and no token leaks.
import { runCapOf } from '../../src/core/plan/run-cap.ts';
import { isCheckedMerged } from '../../src/core/compile/task-life.ts';
import { countAt } from '../../src/core/net/play.ts';
import type { RunEvent } from '../../src/core/engine/event.ts';
import { claimKey, type ClaimRef } from '../../src/core/protocol/assignment.ts';
import {
  changesPlan,
  claimAbout,
  claimsOf,
  isForsaken,
  isInside,
  isSettling,
  mergesOf,
  refOf,
  type Invariant,
  type Sight,
} from './invariant.ts';

/** A counted resource: how much there is, what is free in the state, and how much one claim holds of it. */
interface Resource {
  readonly name: string;
  readonly size: number;
  readonly place: number | undefined;
  readonly isPool: boolean;
  readonly heldBy: (claim: ClaimRef) => number;
  /** How much the task of a claim keeps for its steps while it is open. */
  readonly keptFor: (claim: ClaimRef) => number;
}

export const poolsAndCaps: Invariant = {
  name: 'P7 pools and caps are kept',
  watch: (sight, broken) => {
    const resolves = new Set<string>();
    const agents = new Map<string, string | undefined>();
    let resources = resourcesOf(sight, { resolves, agents });
    /** By name, what may be held of something that was made smaller, until it has drained. */
    const draining = new Map<string, number>();
    const heldNow = ({ heldBy }: Resource): number => sumOver(holdersIn(sight), heldBy);
    const reached = new Set<string>();
    const checkUse = (name: string, size: number, used: number): void => {
      if (used > Math.max(size, draining.get(name) ?? 0))
        broken(`${name} has ${size}, and workers hold ${used} of it.`);
      if (used === size && size > 1) reached.add(`${name.split(' ')[0]} used to the full`);
    };
    /** By what is really at work, also on a machine that was given up: that is nowhere counted but in pools. */
    const checkPools = (): void => {
      const claims = [...sight.workers.values()]
        .filter((worker) => worker.isAlive && !worker.isStill)
        .map(({ claim }) => claim);
      for (const resource of resources)
        if (resource.isPool) checkUse(resource.name, resource.size, usedBy(resource, claims));
    };
    return {
      before: (event) => {
        if (isLostInPool(sight, event)) sight.counts.add('work in a pool declared lost');
        if (event.type !== 'claim.made') return;
        if (event.work === 'step') agents.set(claimKey(event), event.agent);
        if (event.work === 'resolve') resolves.add(claimKey(event));
      },
      started: () => {
        const alive = [...sight.workers.values()].filter((worker) => worker.isAlive);
        checkPools();
        const atWork = alive.filter((worker) => !isForsaken(sight, worker)).map(({ claim }) => claim);
        if (atWork.length > 1) reached.add('work overlapped');
        if (atWork.length > 1 && sight.order.policy === 'serial') broken('Under the serial policy two are at work.');
        for (const { name, size, heldBy, isPool } of resources)
          if (!isPool) checkUse(name, size, sumOver(atWork, heldBy));
      },
      goesOn: checkPools,
      after: (event) => {
        if (!changesPlan(event)) return;
        resources = resourcesOf(sight, { resolves, agents });
        for (const each of resources) draining.set(each.name, usedBy(each, holdersIn(sight)));
      },
      appended: () => {
        for (const resource of resources) {
          const { name, size, place } = resource;
          const held = heldNow(resource);
          if (held <= size) draining.delete(name);
          else if (held > (draining.get(name) ?? size)) broken(`${name} has ${size}, and claims hold ${held} of it.`);
          else draining.set(name, held);
          if (place === undefined) continue;
          const free = countAt(sight.state().play, place);
          if (free + held !== size) broken(`${name} has ${size}, of which ${free} are free and ${held} are held.`);
        }
      },
      over: () => reached.forEach((name) => sight.counts.add(name)),
    };
  },
};

const sumOver = (claims: readonly ClaimRef[], heldBy: Resource['heldBy']): number =>
  claims.reduce((sum, claim) => sum + heldBy(claim), 0);

/** A task has what it holds for its own steps, of which none takes more. */
function usedBy({ heldBy, keptFor }: Resource, claims: readonly ClaimRef[]): number {
  const tasks = Map.groupBy(claims, ({ task }) => task);
  return tasks
    .values()
    .reduce((sum, ofTask) => sum + Math.max(sumOver(ofTask, heldBy), ...ofTask.slice(0, 1).map(keptFor)), 0);
}

function isLostInPool(sight: Sight, event: RunEvent): boolean {
  const claim = isSettling(event) ? claimAbout(sight, event) : undefined;
  if (claim === undefined || !('reason' in event) || event.reason !== 'crashed') return false;
  return sight.workers.get(claimKey(refOf(sight, claim)))?.leaseMs !== undefined;
}

/** Claims of workers, and merges whose result is checked: these hold slots of caps too. */
function holdersIn(sight: Sight): readonly ClaimRef[] {
  const merges = [...mergesOf(sight).values()].filter(({ task: index }) => {
    const task = sight.compiled.tasks[index]?.task;
    return task !== undefined && isCheckedMerged(task);
  });
  return [...claimsOf(sight).values(), ...merges].map((claim) => refOf(sight, claim));
}

interface Claimed {
  /** Turns on a conflict, which hold the pool of their agent and no other. */
  readonly resolves: ReadonlySet<string>;
  /** Who has a turn, where the plan names several: each holds a pool of its own. */
  readonly agents: ReadonlyMap<string, string | undefined>;
}

function resourcesOf({ compiled }: Sight, { resolves, agents }: Claimed): readonly Resource[] {
  const { plan, tasks, pools, run } = compiled;
  const demandOf = (pool: string) => (claim: ClaimRef) => {
    const task = tasks[compiled.indexOf.get(claim.task) ?? -1];
    const step = task?.steps.find((each) => each.step.id === claim.step)?.step;
    const agent = plan.agents.find(({ name }) => step?.type === 'prompt' && name === step.agent);
    if (resolves.has(claimKey(claim))) return agent?.pool === pool ? 1 : 0;
    const others = step?.type === 'prompt' ? step.fallbacks : [];
    const { pools: held } = others.find((each) => each.agent === agents.get(claimKey(claim))) ?? step ?? { pools: [] };
    return held.find((demand) => demand.pool === pool)?.tokens ?? 0;
  };
  const keptOf = (pool: string) => (claim: ClaimRef) => {
    const task = tasks[compiled.indexOf.get(claim.task) ?? -1]?.task;
    return (task?.type === 'work' ? task.hold : []).find((demand) => demand.pool === pool)?.tokens ?? 0;
  };
  return [
    { name: 'cap of the run', size: runCapOf(plan), place: run.cap, isPool: false, heldBy: () => 1, keptFor: () => 0 },
    ...tasks.flatMap(({ task }): Resource[] => {
      if (task.cap === undefined) return [];
      const heldBy = (claim: ClaimRef): number => (isInside(claim.task, task.path) ? 1 : 0);
      return [
        { name: `cap of ${task.path}`, size: task.cap, place: undefined, isPool: false, heldBy, keptFor: () => 0 },
      ];
    }),
    ...plan.pools.map(({ name, size }) => ({
      name: `pool ${name}`,
      size,
      place: pools.get(name)?.place,
      isPool: true,
      heldBy: demandOf(name),
      keptFor: keptOf(name),
    })),
  ];
}
