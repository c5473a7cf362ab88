// Faults to plant in the code, one at a time, each as the replacement of one piece of text. They are the mistakes that
// somebody could make there; a world that does not notice them would not notice the real ones.
import { AGENTS } from './agent-mutations.ts';
import { AMENDING } from './amend-mutations.ts';
import { MONEY, STEPS, TASKS } from './engine-mutations.ts';
import { GROWTH } from './grow-mutations.ts';
import { LEASES } from './lease-mutations.ts';
import { HOSTS, LOOP } from './loop-mutations.ts';
import { MACHINES } from './machine-mutations.ts';
import { MERGES } from './merge-mutations.ts';
import { PERMISSIONS } from './permission-mutations.ts';
import type { Mutation } from './mutation.ts';

export const MUTATIONS_BY_PART: Readonly<Record<string, readonly Mutation[]>> = {
  'the loop': LOOP,
  hosts: HOSTS,
  'several machines': MACHINES,
  leases: LEASES,
  steps: STEPS,
  agents: AGENTS,
  tasks: TASKS,
  money: MONEY,
  merges: MERGES,
  amending: AMENDING,
  growth: GROWTH,
  permissions: PERMISSIONS,
};

export const MUTATIONS: readonly Mutation[] = Object.values(MUTATIONS_BY_PART).flat();
