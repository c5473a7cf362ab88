// Plans for tests, from text. A text with parse errors fails the test that wrote it.

import { buildPlan } from '../build/build-plan.ts';
import { planFile } from '../language/plan-shape.ts';
import { readCommandLine, readSettingsText } from '../settings/setting-layers.ts';
import { readYaml } from '../source/read-yaml.ts';
import { checkPlan } from './check-plan.ts';
import type { Plan } from '../plan.ts';
import type { PlanFinding } from './plan-finding.ts';

/** Defaults unless the text sets them; a check, so that not every test gets the warning about a missing one. */
const DEFAULTS: readonly (readonly [string, string])[] = [
  ['heddle', 'heddle: 1'],
  ['agents', 'agents: { claude: claude, codex: codex }'],
  ['merge', 'merge: { check: npm test }'],
];

export function planOfText(text: string): Plan {
  const added = DEFAULTS.filter(([key]) => !new RegExp(`^${key}:`, 'm').test(text)).map(([, line]) => line);
  const { reading, root } = readYaml('plan.yaml', [...added, text].join('\n'));
  const declared = root === undefined ? undefined : planFile.read(root, reading);
  const built =
    root === undefined || declared === undefined
      ? undefined
      : buildPlan({
          reading,
          root,
          declared,
          schemas: new Map(),
          fallbackName: 'plan',
          keepsScopes: false,
          commandLine: readCommandLine(undefined),
          project: readSettingsText('project file', undefined),
          user: readSettingsText('user file', undefined),
        });
  const [trouble] = reading.diagnostics;
  if (built === undefined || trouble !== undefined) throw new Error(trouble?.message ?? 'no plan');
  return built.plan;
}

export function findingsIn(plan: Plan): readonly PlanFinding[] {
  const findings: PlanFinding[] = [];
  checkPlan(plan, (finding) => findings.push(finding));
  return findings;
}

export const findingsOf = (text: string): readonly PlanFinding[] => findingsIn(planOfText(text));

/** `code at.the.path`, one for each finding. */
export const codesOf = (text: string): readonly string[] =>
  findingsOf(text).map(({ code, path }) => `${code} ${path.join('.')}`);
