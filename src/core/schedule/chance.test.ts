import { describe, expect, test } from 'vitest';
import { chance } from './chance.ts';

const draws = (seed: number, count: number): readonly number[] => {
  const random = chance(seed);
  return Array.from({ length: count }, () => random.next());
};

describe('chance', () => {
  test('the same seed gives the same draws', () => {
    expect(draws(7, 50)).toEqual(draws(7, 50));
    expect(draws(7, 50)).not.toEqual(draws(8, 50));
  });

  test('the draws of a seed never change, so that old seeds keep their meaning', () => {
    expect(draws(1, 3).map((draw) => draw.toFixed(6))).toMatchInlineSnapshot(`
      [
        "0.627074",
        "0.002736",
        "0.527447",
      ]
    `);
  });

  test('draws are spread evenly from 0 up to 1', () => {
    const many = draws(3, 20_000);
    expect(many.every((draw) => draw >= 0 && draw < 1)).toBe(true);
    const mean = many.reduce((sum, draw) => sum + draw, 0) / many.length;
    expect(mean).toBeCloseTo(0.5, 1);
  });

  test('a whole number stays below its bound', () => {
    const random = chance(5);
    const seen = new Set(Array.from({ length: 200 }, () => random.below(4)));
    expect(seen).toEqual(new Set([0, 1, 2, 3]));
    expect(random.below(0)).toBe(0);
  });

  test('something that is certain happens and something impossible does not', () => {
    const random = chance(5);
    expect(random.happens(1)).toBe(true);
    expect(random.happens(0)).toBe(false);
  });

  test('normal draws have mean 0 and deviation 1', () => {
    const random = chance(9);
    const many = Array.from({ length: 20_000 }, () => random.normal());
    const mean = many.reduce((sum, draw) => sum + draw, 0) / many.length;
    const variance = many.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / many.length;
    expect(Math.abs(mean)).toBeLessThan(0.05);
    expect(Math.abs(variance - 1)).toBeLessThan(0.05);
  });

  test.each([0.4, 1, 7])('gamma draws of shape %f have that mean and variance', (shape) => {
    const random = chance(4);
    const many = Array.from({ length: 40_000 }, () => random.gamma(shape));
    const mean = many.reduce((sum, draw) => sum + draw, 0) / many.length;
    const variance = many.reduce((sum, draw) => sum + (draw - mean) ** 2, 0) / many.length;
    expect(Math.abs(mean / shape - 1)).toBeLessThan(0.05);
    expect(Math.abs(variance / shape - 1)).toBeLessThan(0.1);
    expect(Math.min(...many.slice(0, 10_000))).toBeGreaterThan(0);
  });

  test('beta draws are shares around the observed share', () => {
    const random = chance(4);
    const many = Array.from({ length: 20_000 }, () => random.beta(2, 6));
    expect(many.every((share) => share > 0 && share < 1)).toBe(true);
    expect(many.reduce((sum, share) => sum + share, 0) / many.length).toBeCloseTo(0.25, 1);
  });

  test('a fork is not affected by later draws of its origin', () => {
    const one = chance(2);
    const other = chance(2);
    const forkOfOne = one.fork();
    const forkOfOther = other.fork();
    other.next();
    expect(forkOfOne.next()).toBe(forkOfOther.next());
  });
});
