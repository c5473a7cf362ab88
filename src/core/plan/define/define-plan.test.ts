import fc from 'fast-check';
import { load } from 'js-yaml';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../build/parse.ts';
import { arbitraryPlanText } from '../plan.given.ts';
import { printPlan } from '../print/print.ts';
import { plan } from './define-plan.ts';

// A plan that was read is no literal whose names the compiler could check.
const asSpec = (text: string) => load(text) as never;

const MERGE = { check: 'make test' };

describe('a plan in TypeScript', () => {
  test('is the same plan as its YAML', () => {
    const defined = plan({
      name: 'shop',
      pools: { coder: 2, db: 1 },
      agents: { claude: { model: 'opus', pool: 'coder' }, cheap: 'codex' },
      merge: MERGE,
      tasks: {
        types: { prompt: 'Define the types.', files: ['src/types/**'] },
        api: {
          needs: ['types'],
          escalate: ['cheap', 'claude'],
          steps: [
            { id: 'tests', prompt: 'Write tests.' },
            { id: 'seed', run: 'make seed', pools: ['db'], async: true },
            { id: 'verify', run: 'npm test', needs: 'seed' },
          ],
          repeat: { until: 'steps.verify.ok', max: 3, feedback: '{{ steps.verify.response }}' },
        },
        reviews: {
          needs: { any: ['types', 'api'] },
          tasks: {
            security: { prompt: 'Review it.', review: { agent: 'cheap' } },
            speed: { needs: ['security'], run: 'make' },
          },
        },
        ship: { needs: ['reviews.security', 'reviews.speed'], gate: 'Ship it?' },
      },
    });
    const written = `heddle: 1
name: shop
pools: { coder: 2, db: 1 }
agents: { claude: { model: opus, pool: coder }, cheap: codex }
merge: { check: make test }
tasks:
  types: { prompt: Define the types., files: [src/types/**] }
  api:
    needs: types
    escalate: [cheap, claude]
    steps:
      - { id: tests, prompt: Write tests. }
      - { id: seed, run: make seed, pools: [db], async: true }
      - { id: verify, run: npm test, needs: [seed] }
    repeat: { until: steps.verify.ok, max: 3, feedback: "{{ steps.verify.response }}" }
  reviews:
    needs: { any: [types, api] }
    tasks:
      security: { prompt: Review it., review: { agent: cheap } }
      speed: { needs: security, run: make }
  ship: { needs: [reviews.security, reviews.speed], gate: "Ship it?" }
`;
    expect(defined.diagnostics).toEqual([]);
    expect(defined.plan).toEqual(parsePlan(written, { file: 'plan.yaml' }).plan);
    expect(defined.plan === undefined ? '' : parsePlan(printPlan(defined.plan), { file: 'other' }).plan).toEqual(
      defined.plan,
    );
  });

  test('is the same for every plan that can be written', () => {
    fc.assert(
      fc.property(arbitraryPlanText(), (text) => {
        const spec = asSpec(text);
        expect(plan(spec, { file: 'a.yaml' }).plan).toEqual(parsePlan(text, { file: 'a.yaml' }).plan);
      }),
      { numRuns: 100, seed: 5 },
    );
  });

  test('is the same for the example of the guide', () => {
    const text = readFileSync(new URL('../../../../examples/upgrade.yaml', import.meta.url), 'utf8');
    expect(plan(asSpec(text), { file: 'upgrade.yaml' }).plan).toEqual(parsePlan(text, { file: 'upgrade.yaml' }).plan);
  });

  test('has the diagnostics of a file for what the compiler cannot know', () => {
    const { diagnostics, plan: made } = plan({
      agent: 'claude',
      merge: MERGE,
      tasks: { a: { prompt: '{{ inputs.b }}' } },
    });
    expect(made).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(['unknown-name']);
  });
});
