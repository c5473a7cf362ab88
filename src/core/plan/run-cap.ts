// How much may run at once in a run.
import type { Plan } from './plan.ts';

/** Steps running at once in the whole run. */
export const runCapOf = ({ cap, hostsCap }: Pick<Plan, 'cap' | 'hostsCap'>): number => hostsCap ?? cap;
