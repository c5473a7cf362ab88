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
  /** From the gamma distribution of this shape, above 0, and scale 1. */
  gamma(shape: number): number;
  /** From the beta distribution: a share of which `yes` and `no`, both above 0, were seen. */
  beta(yes: number, no: number): number;
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
  // Box and Muller's transform; 1 - next() is never 0, so the logarithm is finite.
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const gamma = (shape: number): number => drawGamma(shape, { next, normal });
  return {
    next,
    below: (bound) => Math.floor(next() * Math.max(bound, 1)),
    happens: (share) => next() < share,
    normal,
    gamma,
    beta: (yes, no) => {
      const share = gamma(yes);
      return share / (share + gamma(no));
    },
    fork: () => chance(word()),
  };
}

/** Marsaglia and Tsang's method: a transformed normal draw, rejected now and then. Small shapes are drawn one greater. */
function drawGamma(shape: number, random: Pick<Chance, 'next' | 'normal'>): number {
  if (shape < 1) return drawGamma(shape + 1, random) * (1 - random.next()) ** (1 / shape);
  const most = shape - 1 / 3;
  const width = 1 / Math.sqrt(9 * most);
  for (;;) {
    const drawn = random.normal();
    const cube = (1 + width * drawn) ** 3;
    if (cube > 0 && Math.log(1 - random.next()) < drawn ** 2 / 2 + most * (1 - cube + Math.log(cube)))
      return most * cube;
  }
}
