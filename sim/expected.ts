// What must have happened somewhere in a large set of seeds: a world in which nothing happens proves nothing.
import { PLAN_FEATURES } from './plan-features.ts';
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
  'task.reset',
  'task.rolledBack',
  'step.skipped',
  'step.joined',
  ...['made', 'raised', 'preempting', 'cancelling', 'returned', 'asked', 'answered', 'ended'].map(
    (life) => `claim.${life} step`,
  ),
  ...['made', 'preempting', 'cancelling', 'returned', 'ended'].map((life) => `claim.${life} check`),
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
  'another agent took over',
  'the first agent was asked again',
  'permission granted',
  'permission refused',
  'permission granted for the task',
  'cap used to the full',
  'pool used to the full',
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

export const missingFrom = (counts: Readonly<Record<string, number>>): readonly string[] =>
  EXPECTED.filter((name) => (counts[name] ?? 0) === 0);
