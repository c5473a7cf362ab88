// One kill, or several, of one run, and the way to the end of it.
import { setTimeout } from 'node:timers/promises';
import { chance, type Chance } from '../../../src/core/schedule/chance.ts';
import { endProcesses, processesOf, signal, type Found } from '../world/processes.given.ts';
import type { Going, Project } from '../world/project.given.ts';
import { killProject } from './kill-plan.ts';

export const VICTIMS = ['coordinator', 'worker', 'step', 'all'] as const;
export type Victim = (typeof VICTIMS)[number];

export type When =
  /** As soon as so many events were told. */
  | { readonly type: 'event'; readonly number: number }
  /** So long after the program was started. */
  | { readonly type: 'moment'; readonly ms: number };

export interface Scenario {
  readonly seed: number;
  readonly victim: Victim;
  readonly when: When;
  /** How many of the coordinators that carry on are killed too, at moments that the seed draws. */
  readonly more: number;
}

export interface Played {
  readonly scenario: Scenario;
  readonly project: Project;
  /** The event at which it was killed, `a moment`, or undefined when the run was over before. */
  readonly where: string | undefined;
  readonly kills: number;
  readonly code: number | null;
  /** What the coordinators said to people. */
  readonly said: string;
}

/** A run that does not end after so many coordinators never will. */
const COORDINATORS_MAX = 8;
const RESUME_MOMENTS_MS = 2_500;
/** The longest that we look for a worker or a step to kill. */
const VICTIM_WAIT_MS = 3_000;

export async function play(scenario: Scenario): Promise<Played> {
  const random = chance(scenario.seed);
  const project = killProject();
  let going = project.start('run', 'plan.yaml', '--json');
  const where = await strike({ project, going, random, victim: scenario.victim }, scenario.when);
  let gone = await going.ended;
  let said = going.errors();
  let kills = where === undefined ? 0 : 1;
  for (let count = 1; gone.signal === 'SIGKILL' && count < COORDINATORS_MAX; count += 1) {
    // A run that was never created is started again, as a person would do.
    const isThere = (await project.heddle('runs')).out.includes('kill-1');
    going = isThere ? project.start('resume', '--json') : project.start('run', 'plan.yaml', '--json');
    if (count <= scenario.more) {
      const when: When = { type: 'moment', ms: random.below(RESUME_MOMENTS_MS) };
      const again = await strike({ project, going, random, victim: scenario.victim }, when);
      if (again !== undefined) kills += 1;
    }
    gone = await going.ended;
    said += going.errors();
  }
  return { scenario, project, where, kills, code: gone.code, said };
}

interface Striking {
  readonly project: Project;
  readonly going: Going;
  readonly random: Chance;
  readonly victim: Victim;
}

/** Waits for the time and kills; says where that was, or nothing when the program ended before. */
async function strike(striking: Striking, when: When): Promise<string | undefined> {
  const { going } = striking;
  const where = await come(going, when);
  if (where === undefined || going.isOver()) return undefined;
  return (await kill(striking)) ? where : undefined;
}

function come(going: Going, when: When): Promise<string | undefined> {
  const over = going.ended.then(() => undefined);
  if (when.type === 'moment') return Promise.race([over, setTimeout(when.ms, 'a moment')]);
  const event = new Promise<string>((resolve) => {
    going.onLine(({ type }, number) => {
      if (number === when.number) resolve(type);
    });
  });
  return Promise.race([over, event]);
}

/** Whether somebody was killed. */
async function kill(striking: Striking): Promise<boolean> {
  const { project, going, random, victim } = striking;
  switch (victim) {
    case 'coordinator':
      return signal(going.pid, 'SIGKILL');
    case 'all':
      if (!signal(going.pid, 'SIGKILL')) return false;
      await endProcesses(project.folder);
      return true;
    case 'worker':
      return await killOne(striking, random.happens(BLINDLY) ? anyWorker : workerAtWork);
    case 'step':
      return await killOne(striking, ({ type, isLeader }) => type === 'step' && isLeader);
  }
}

/** How often a worker is killed whatever it does: it may be starting, or idle. */
const BLINDLY = 0.25;

type Wanted = (found: Found, all: readonly Found[]) => boolean;

const anyWorker: Wanted = ({ type }) => type === 'worker';
const workerAtWork: Wanted = (found, all) => anyWorker(found, all) && all.some(({ parent }) => parent === found.pid);

/** One of those that are there, as soon as there is one. */
async function killOne({ project, going, random }: Striking, wanted: Wanted): Promise<boolean> {
  const end = performance.now() + VICTIM_WAIT_MS;
  while (!going.isOver() && performance.now() < end) {
    const all = processesOf(project.folder);
    const found = all.filter((one) => wanted(one, all));
    const chosen = found[random.below(Math.max(1, found.length))];
    if (chosen !== undefined && signal(chosen.pid, 'SIGKILL')) return true;
    await setTimeout(1);
  }
  return false;
}
