// When runs are expected to end, simulated once for all tabs.
//
// eta-cache/E1. Tabs that ask at the same position of a log share one simulation, until it is old.
// eta-cache/E2. Simulations take a small share of a processor, however large the run and however many tabs ask.
import type { Eta } from '../core/simulate/eta.ts';

export interface EtaQuestion {
  readonly project: string;
  readonly run: string;
  /** The position after the last event of the log. */
  readonly end: number;
  readonly simulate: () => Eta | undefined;
}

/** Undefined of a run that has ended, or is too large to simulate. */
export type EtaCache = (question: EtaQuestion) => Eta | undefined;

interface KeptEta {
  readonly end: number;
  readonly eta: Eta | undefined;
  readonly madeAt: number;
  readonly costMs: number;
}

/** While nothing is appended the end moves with the clock alone. */
const IDLE_MS = 60_000;
/** The share of a processor for simulations of an idle run, and of one whose log grows. */
const IDLE_SHARE = 1 / 200;
const GROWING_SHARE = 1 / 20;
const RUNS_MAX = 50;

export function keepEtas(now: () => number = () => performance.now()): EtaCache {
  const kept = new Map<string, KeptEta>();
  return ({ project, run, end, simulate }) => {
    const key = JSON.stringify([project, run]);
    const known = kept.get(key);
    if (known !== undefined && now() < known.madeAt + freshMs(known, end)) return known.eta;
    const from = now();
    const eta = simulate();
    // Again at the end of the map, whose beginning is dropped.
    kept.delete(key);
    kept.set(key, { end, eta, madeAt: now(), costMs: now() - from });
    for (const oldest of [...kept.keys()].slice(0, -RUNS_MAX)) kept.delete(oldest);
    return eta;
  };
}

const freshMs = ({ end: before, costMs }: KeptEta, end: number): number =>
  before === end ? Math.max(IDLE_MS, costMs / IDLE_SHARE) : costMs / GROWING_SHARE;
