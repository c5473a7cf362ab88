import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../src/core/plan/build/parse.ts';
import { arbitraryPlanText } from '../../src/core/plan/plan.given.ts';
import { planField, writePlan } from '../../src/core/plan/plan-json.ts';
import { printPlan } from '../../src/core/plan/print/print.ts';

const RUNS = 3000;

describe('printing and parsing', () => {
  test('every generated text is a valid plan, and its printed form parses to an equal plan', () => {
    fc.assert(
      fc.property(arbitraryPlanText(), (text) => {
        const { plan, diagnostics } = parsePlan(text, { file: 'generated.yaml' });
        expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        if (plan === undefined) throw new Error('a plan without errors must be returned');
        const printed = printPlan(plan);
        const again = parsePlan(printed, { file: 'other-name.yaml' });
        expect(again.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
        // A generated value may have a key `constructor`, which other comparisons take for the type of the object.
        deepStrictEqual(again.plan, plan);
        // Printing is a fixed point, too: nothing drifts however often it is done.
        expect(again.plan === undefined ? '' : printPlan(again.plan)).toBe(printed);
      }),
      { numRuns: RUNS, seed: 20_240_501 },
    );
  });
});

describe('writing a plan as JSON and reading it', () => {
  test('gives an equal plan, for every generated text', () => {
    fc.assert(
      fc.property(arbitraryPlanText(), (text) => {
        const { plan } = parsePlan(text, { file: 'generated.yaml' });
        if (plan === undefined) throw new Error('a plan without errors must be returned');
        deepStrictEqual(planField(JSON.parse(JSON.stringify(writePlan(plan)))), plan);
      }),
      { numRuns: RUNS, seed: 20_240_502 },
    );
  });
});
