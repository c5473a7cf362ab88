// Randomness as a value: every draw follows from the seed, so a schedule or a simulated run can be repeated exactly.
//
// chance/C1. Two generators with the same seed give the same draws, on any machine.

export interface Chance {
  /** A number from 0 up to, never reaching, 1. */
  next(): number;
  /** A whole number from 0 up to, never reaching, `bound`; 0 when the bound is 1 or less. */
  below(bound: number): number;
  /** True this often, where `share` lies from 0 to 1. */
  happens(share: number): boolean;
  /** From the normal distribution of mean 0 and deviation 1. */
  normal(): number;
  /** An independent generator, whose draws do not affect this one. */
  fork(): Chance;
}

const GOLDEN = 0x6d2b79f5;
const WORD = 2 ** 32;

/** The 32-bit generator known as mulberry32: one word of state, good enough for sampling, and never for secrets. */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  const word = (): number => {
    state = (state + GOLDEN) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    const stirred = mixed ^ (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61));
    return (stirred ^ (stirred >>> 14)) >>> 0;
  };
  const next = (): number => word() / WORD;
  return {
    next,
    below: (bound) => Math.floor(next() * Math.max(bound, 1)),
    happens: (share) => next() < share,
    // Box and Muller's transform; 1 - next() is never 0, so the logarithm is finite.
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    fork: () => chance(word()),
  };
}
