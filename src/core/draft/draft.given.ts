// A small repository and judging of drafts for it, for the tests of drafting.
import { compile } from '../compile/compile.ts';
import { parsePlan } from '../plan/build/parse.ts';
import { NO_HISTORY } from '../simulate/estimate.ts';
import { forecast } from '../simulate/forecast.ts';
import { prepare } from '../simulate/prepare-run.ts';
import { verify } from '../verify/verify.ts';
import type { DraftFinding } from './draft-finding.ts';
import { extractPlan } from './extract-plan.ts';
import { judgeDraft, type DraftLimits } from './judge-draft.ts';
import type { ProjectFacts } from './project-facts.ts';
import { completedText } from './written-plan.ts';

export const FACTS: ProjectFacts = {
  name: 'shop',
  isEmpty: false,
  tools: [{ tool: 'npm', folder: '' }],
  check: { run: 'npm test', because: 'the script test of package.json' },
  setup: { run: 'npm ci', because: 'package-lock.json' },
  packages: [],
  packageCheck: undefined,
  scripts: [
    { folder: '', name: 'test', run: 'vitest run' },
    { folder: '', name: 'lint', run: 'eslint .' },
  ],
  files: [
    { path: 'README.md', tokens: 400, imports: [] },
    { path: 'src/api/orders.ts', tokens: 2_000, imports: ['src/core/order.ts'] },
    { path: 'src/api/users.ts', tokens: 3_000, imports: ['src/core/order.ts'] },
    { path: 'src/core/order.ts', tokens: 200_000, imports: [] },
    { path: 'test/orders.test.ts', tokens: 900, imports: ['src/api/orders.ts'] },
  ],
  leftOut: 1,
  commits: ['api: list orders'],
  changedOften: ['src/api/orders.ts'],
  agents: ['claude', 'codex'],
};

export const NO_LIMITS: DraftLimits = { withinMs: undefined, budgetUsd: undefined };

export interface JudgeGiven {
  readonly facts?: Partial<ProjectFacts>;
  readonly limits?: Partial<DraftLimits>;
  readonly revised?: string;
}

/** An answer that holds the plan of these lines, after `heddle: 1`. */
export const answerWith = (...lines: readonly string[]): string =>
  `\`\`\`yaml\nheddle: 1\n${lines.join('\n')}\n\`\`\`\n`;

export function judged(answer: string, { facts, limits, revised }: JudgeGiven = {}): readonly DraftFinding[] {
  const extracted = extractPlan(answer);
  const text =
    extracted.type === 'plan' ? completedText(extracted.text, { agent: ['agent: claude'], sandbox: [] }) : '';
  const { plan, diagnostics } = parsePlan(text, { file: 'plan.yaml' });
  const compiled = plan === undefined ? undefined : compile(plan);
  return judgeDraft({
    extracted,
    diagnostics: extracted.type === 'plan' ? diagnostics : [],
    checked:
      plan === undefined || compiled === undefined
        ? undefined
        : {
            plan,
            verification: verify(compiled.net),
            forecast: forecast(compiled, prepare(compiled, { history: NO_HISTORY, seed: 1 })),
          },
    facts: { ...FACTS, ...facts },
    limits: { ...NO_LIMITS, ...limits },
    revised,
  });
}

/** The codes of findings, each with its line. */
export const codesOfDraft = (findings: readonly DraftFinding[]): readonly string[] =>
  findings.map(({ code, position }) => (position === undefined ? code : `${code} ${position.line}`));
