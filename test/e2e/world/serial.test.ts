// One step at a time and all at once come to the same ends and leave the same files.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { randomPlanText } from '../../law/engine-plans.given.ts';
import { endProjectsAfterEach, givenProject } from './given-project.given.ts';
import type { Project } from './project.given.ts';

endProjectsAfterEach();

/** Says that it ran, in a file of its own, and fails when its name says so: the same in every run. */
const STEP = `name="$HEDDLE_TASK.\${HEDDLE_STEP:-check}"
echo "$HEDDLE_ATTEMPT" >> "out/$name"
case $(printf %s "$name" | cksum) in *[05]' '*) exit 1 ;; esac
`;

interface Outcome {
  readonly code: number | null;
  readonly ends: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  /** The most steps that ran at once, by the log. */
  readonly peak: number;
}

async function carryOut(plan: string, policy: 'serial' | 'parallel'): Promise<Outcome> {
  const project = givenProject(plan);
  mkdirSync(project.file('out'));
  writeFileSync(project.file('step.sh'), STEP);
  const { code } = await project.heddle('run', 'plan.yaml', '--no-git', '--policy', policy, '--seed', '1', '--json');
  const events = await project.events();
  const ends = events.flatMap(({ type, task = '', ending, reason }): [string, string][] =>
    type === 'task.ended' || type === 'task.skipped' ? [[task, `${ending} ${reason ?? ''}`]] : [],
  );
  let atWork = 0;
  let peak = 0;
  for (const { type } of events) {
    if (type === 'claim.made') atWork += 1;
    if (type === 'claim.ended' || type === 'claim.returned') atWork -= 1;
    peak = Math.max(peak, atWork);
  }
  return { code, ends: Object.fromEntries(ends.sort(byName)), files: filesOf(project), peak };
}

const byName = ([one]: [string, string], [other]: [string, string]): number => (one < other ? -1 : 1);

const filesOf = (project: Project): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(project.file('out'))
      .sort()
      .map((name) => [name, readFileSync(project.file(join('out', name)), 'utf8')]),
  );

async function expectParity(plan: string): Promise<Outcome> {
  const serial = await carryOut(plan, 'serial');
  const parallel = await carryOut(plan, 'parallel');
  expect(serial.peak).toBe(1);
  expect({ ...parallel, peak: 0 }).toEqual({ ...serial, peak: 0 });
  return parallel;
}

const PLANS = {
  'a plan with needs, pools and a failure': `attempts: 1
pools: { ci: 1 }
tasks:
  a: { run: sh step.sh; sleep 0.3 }
  b: { pool: ci, run: sh step.sh; sleep 0.3 }
  c: { pool: ci, run: sh step.sh }
  bad: { run: exit 1 }
  d: { needs: [a, b], run: sh step.sh }
  e: { needs: [bad], run: sh step.sh }
  f: { needs: [a, c], join: true }
`,
  'a plan with async steps, copies and a loop': `attempts: 1
tasks:
  fan:
    steps:
      - { id: x, async: true, run: sh step.sh; sleep 0.3 }
      - { id: y, async: true, run: sh step.sh; sleep 0.2 }
      - { id: all, action: join, needs: [x, y], on_error: wait_for_all }
  each: { for_each: { in: [p, q, r], task: { run: "echo {{ item }} > out/$HEDDLE_TASK" } } }
  loop:
    steps: [{ id: go, run: "echo x >> out/loop; test $(wc -l < out/loop) -ge 3" }]
    repeat: { until: steps.go.ok, max: 4 }
`,
} as const;

describe.each(Object.entries(PLANS))('%s', (_, plan) => {
  test('ends the same way in series and in parallel', async () => {
    const { peak } = await expectParity(plan);
    expect(peak).toBeGreaterThan(1);
  });
});

/** What only a person could answer is left out, and so is what would only take time. */
const harmless = (plan: string): string =>
  plan
    .replaceAll('run: x', 'run: sh step.sh')
    .replaceAll('check: y', 'check: "true"')
    .replaceAll('gate: Go on?', 'run: sh step.sh')
    .replaceAll('on_error: gate', 'on_error: abort')
    .replace(/attempts: \d/, 'attempts: 1')
    .replace('items: { type: list }', 'items: { type: list, default: [a, b] }');

test.each([3, 8, 21])('the random plan of the seed %i ends the same way in series and in parallel', async (seed) => {
  await expectParity(harmless(randomPlanText(seed, { isTimeless: true, tasksMax: 8 })));
});
