// What must have happened somewhere in a large set of seeds: a world in which nothing happens proves nothing.
import { PLAN_FEATURES } from './plan-features.ts';
import type { Sweep } from './sweep.ts';
import { FAULTS } from './world/faults.ts';

const COMMANDS = [
  'pause',
  'resume',
  'stop',
  'cancel',
  'retry',
  'skip',
  'approve',
  'reject',
  'merge',
  'rollback',
  'answer',
  'amend',
];
const EVENTS = [
  'run.paused',
  'run.resumed',
  'run.ended',
  'plan.amending',
  'plan.amended',
  'plan.grown',
  'pool.closed',
  'pool.opened',
  'pool.throttled',
  'pool.restored',
  'task.opened',
  'task.paused',
  'task.released',
  'task.skipped',
  'task.cancelling',
  'task.repeated',
  'task.queued',
  'task.resolved',
  'task.ended',
  'task.gated',
  'task.reset',
  'task.rolledBack',
  'step.skipped',
  'step.joined',
  'step.gated',
  'step.rejoined',
  ...['made', 'waiting', 'placed', 'raised', 'preempting', 'cancelling', 'returned', 'asked', 'answered', 'ended'].map(
    (life) => `claim.${life} step`,
  ),
  ...['made', 'waiting', 'placed', 'preempting', 'cancelling', 'returned', 'ended'].map(
    (life) => `claim.${life} check`,
  ),
  ...['made', 'cancelling', 'returned', 'asked', 'ended'].map((life) => `claim.${life} merge`),
  ...['made', 'raised', 'preempting', 'cancelling', 'returned', 'asked', 'ended'].map(
    (life) => `claim.${life} resolve`,
  ),
  'a check sent its task back',
  'a merge sent its task back',
  'a conflict went to its agent',
];
const WORLD = [
  'crash',
  'worker adopted',
  'ended by its lease',
  'lease renewed',
  'lease ran out unseen',
  'work in a pool declared lost',
  'finished worker found',
  'worker lost with the coordinator',
  'worker declared lost',
  'report after being declared lost',
  'retry after a failure',
  'late reply ignored',
  'message to nobody',
  'message lost while cut off',
  'work overlapped',
  'merged',
  'merged together',
  'late append written',
  'late append fenced',
  'far host came back',
  'far work overlapped',
  'placed on a far host',
  'waits for label',
  'waits for agent',
  'waits for host',
  'waits for room',
  'lie recorded',
  'another agent took over',
  'a stronger agent had the next attempt',
  'the first agent was asked again',
  'permission granted',
  'permission refused',
  'permission granted for the task',
  'cap used to the full',
  'pool used to the full',
  'a draft was done',
  'coordinator crashed',
  'coordinator ended',
  'coordinator amended',
  'coordinator failed',
  'coordinator fenced',
  'coordinator stopped',
  'coordinator waiting',
];

export const EXPECTED: readonly string[] = [
  ...WORLD,
  ...FAULTS,
  ...COMMANDS.map((type) => `command ${type}`),
  ...EVENTS.map((type) => `event ${type}`),
  ...PLAN_FEATURES.map((name) => `plan with ${name}`),
];

/** In so many of 1,000 worlds at least: what is rare proves little. */
const WORLDS_OF_1000: Readonly<Record<string, number>> = {
  'ended by its lease': 20,
  'work in a pool declared lost': 25,
  'lease ran out unseen': 2,
};

/** What is counted once for each world in which it happened. */
export const inWorlds = (counts: Readonly<Record<string, number>>): readonly string[] =>
  Object.keys(WORLDS_OF_1000).flatMap((name) => ((counts[name] ?? 0) === 0 ? [] : [worldsWith(name)]));

const worldsWith = (name: string): string => `world with: ${name}`;

export function missingFrom({ counts, played }: Pick<Sweep, 'counts' | 'played'>): readonly string[] {
  const tooFew = Object.entries(WORLDS_OF_1000).filter(
    ([name, least]) => (counts[worldsWith(name)] ?? 0) < (least * played) / 1_000,
  );
  return [
    ...EXPECTED.filter((name) => (counts[name] ?? 0) === 0),
    ...tooFew.map(([name, least]) => `${worldsWith(name)}, ${least} times in 1,000`),
  ];
}
