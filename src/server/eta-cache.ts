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
  readonly simulate: () => Promise<Eta | undefined>;
}

/** Undefined of a run that has ended, or is too large to simulate. */
export type EtaCache = (question: EtaQuestion) => Promise<Eta | undefined>;

interface KeptEta {
  readonly end: number;
  readonly eta: Promise<Eta | undefined>;
  /** Infinity until the simulation is over. */
  readonly madeAt: number;
  readonly costMs: number;
  /** From the simulation to the end, as it is likely; undefined where there is no end to expect, whatever the clock says. */
  readonly leftMs: number | undefined;
}

/**
 * While nothing is appended the end moves with the clock alone. It is looked at again when it should have come, and after one
 * minute at the latest.
 */
const IDLE_MS = 60_000;
/** For an end that is near. */
const IDLE_MIN_MS = 2_000;
/** The share of a processor for simulations of an idle run, and of one whose log grows. */
const IDLE_SHARE = 1 / 200;
const GROWING_SHARE = 1 / 20;
const RUNS_MAX = 50;

export function keepEtas(now: () => number = () => performance.now()): EtaCache {
  const kept = new Map<string, KeptEta>();
  return ({ project, run, end, simulate }) => {
    const key = JSON.stringify([project, run]);
    const known = kept.get(key);
    if (known !== undefined && now() < freshUntil(known, end)) return known.eta;
    const from = now();
    const made: KeptEta = { end, eta: simulate(), madeAt: Infinity, costMs: 0, leftMs: undefined };
    const settled = (found: Eta | undefined): void => {
      const leftMs = found && found.endAt.likely - found.at;
      Object.assign(made, { madeAt: now(), costMs: now() - from, leftMs });
    };
    // Whoever asked is told of a failure; the next question is answered anew.
    void made.eta.then(settled, () => kept.delete(key));
    // Again at the end of the map, whose beginning is dropped.
    kept.delete(key);
    kept.set(key, made);
    for (const oldest of [...kept.keys()].slice(0, -RUNS_MAX)) kept.delete(oldest);
    return made.eta;
  };
}

function freshUntil({ end: before, costMs, madeAt, leftMs }: KeptEta, end: number): number {
  if (before !== end) return madeAt + costMs / GROWING_SHARE;
  if (leftMs === undefined) return Infinity;
  return madeAt + Math.max(IDLE_MIN_MS, costMs / IDLE_SHARE, Math.min(IDLE_MS, leftMs));
}
