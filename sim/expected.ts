// What must have happened somewhere in a large set of seeds: a world in which nothing happens proves nothing.
import { PLAN_FEATURES } from './plan-features.ts';
import { FAULTS } from './world/faults.ts';

const COMMANDS = ['pause', 'resume', 'stop', 'cancel', 'retry', 'skip', 'approve', 'reject'];
const EVENTS = [
  'run.paused',
  'run.resumed',
  'run.ended',
  'tasks.revived',
  'pool.closed',
  'pool.opened',
  'task.opened',
  'task.held',
  'task.released',
  'task.dropped',
  'task.condemned',
  'task.repeated',
  'task.ended',
  'check.claimed',
  'check.failed',
  'check.returned',
  'check.recalled',
  'check.condemned',
  'step.claimed',
  'step.ended',
  'step.returned',
  'step.recalled',
  'step.raised',
  'step.condemned',
  'step.dropped',
  'step.joined',
  'step.asked',
  'step.answered',
  'step.retried',
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
  'cap used to the full',
  'pool used to the full',
  'coordinator crashed',
  'coordinator ended',
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
