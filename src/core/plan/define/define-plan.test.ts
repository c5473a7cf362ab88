import fc from 'fast-check';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../build/parse.ts';
import { arbitraryPlanText } from '../plan.given.ts';
import { printPlan } from '../print/print.ts';
import { plan } from './define-plan.ts';

// A plan that was read is no literal whose names the compiler could check.
const asSpec = (text: string) => load(text, { schema: SCHEMA }) as never;
const SCHEMA = CORE_SCHEMA.withTags(mergeTag);

const ROOT = new URL('../../../../', import.meta.url);
const PLAN_OF_PAGE = /^```yaml\n(heddle: [^]*?)^```$/m;

/** The plans of the examples and of the cookbook. */
const PUBLISHED = ['examples', 'examples/demo', 'docs/cookbook'].flatMap((folder) =>
  readdirSync(new URL(folder, ROOT)).flatMap((file): (readonly [name: string, text: string])[] => {
    const name = `${folder}/${file}`;
    if (!/\.(?:yaml|md)$/.test(file)) return [];
    const text = readFileSync(new URL(name, ROOT), 'utf8');
    const found = file.endsWith('.md') ? PLAN_OF_PAGE.exec(text)?.[1] : text;
    return found === undefined ? [] : [[name, found]];
  }),
);

test('there are plans to compare', () => {
  expect(PUBLISHED.length).toBeGreaterThan(25);
});

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

  test.each(PUBLISHED)('is the same for %s', (name, text) => {
    const { plan: written, diagnostics } = parsePlan(text, { file: name });
    const defined = plan(asSpec(text), { file: name });
    expect(written).toBeDefined();
    expect(defined.plan).toEqual(written);
    expect(defined.diagnostics.map(({ code }) => code)).toEqual(diagnostics.map(({ code }) => code));
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
