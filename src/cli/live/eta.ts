// When a run is expected to end, and its critical chain of tasks: a simulation from the present state, with estimates from
// this run and earlier ones.
import type { Compiled } from '../../core/compile/compiled.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import { fold } from '../../core/engine/apply/fold.ts';
import { learn } from '../../core/simulate/learn.ts';
import { simulateOn, type Expected } from '../../core/simulate/simulate-on.ts';
import { criticalChain } from './critical-chain.ts';

export interface Eta extends Expected {
  /** Paths of tasks, the next to end first: the longest way to the end. */
  readonly chain: readonly string[];
}

export interface EtaOrder {
  readonly compiled: Compiled;
  /** Of this run, from its first. */
  readonly events: readonly RunEvent[];
  readonly earlier: readonly (readonly RunEvent[])[];
  readonly now: number;
}

export function etaOf({ compiled, events, earlier, now }: EtaOrder): Eta {
  // A simulation uses its state up, so it gets one of its own.
  const state = fold(events, compiled);
  // As it is by then: a plan may have been amended.
  const { compiled: current } = state;
  const expected = simulateOn(state, { now, learnt: learn(current, [...earlier, events]) });
  return { ...expected, chain: criticalChain(current, expected) };
}
