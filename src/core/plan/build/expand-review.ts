// `review` of a task, as the steps and the loop that it stands for: a read-only turn of another agent at the end, and
// rounds until no finding blocks. The findings go back like the output of a failed check.

import { FINDINGS, type Severity } from '../language/review-shape.ts';
import type { SourcePath } from '../diagnostic.ts';
import type { DeclaredStep } from '../language/step-shape.ts';
import type { DeclaredTask } from '../language/task-shape.ts';

export interface ExpandedReview {
  readonly task: DeclaredTask;
  /** Where the steps are written, in the task. */
  readonly sources: readonly SourcePath[];
}

const DEFAULT_ROUNDS = 2;
const DEFAULT_BLOCKS: readonly Severity[] = ['high'];

/** The task as the author would write it without `review`; undefined when it has none. */
export function expandReview(task: DeclaredTask): ExpandedReview | undefined {
  const { review, repeat, ...rest } = task;
  if (review === undefined || (task.kind !== 'prompt' && task.kind !== 'steps')) return undefined;
  const steps = task.kind === 'steps' ? (task.steps ?? []) : [mainStep(task)];
  const id = freeId(steps);
  const reviewing: DeclaredStep = {
    ...NOTHING,
    kind: 'prompt',
    id,
    agent: review.agent,
    prompt: promptFor(steps, review.prompt),
    resume: false,
    read_only: true,
    output: FINDINGS,
  };
  const { until, feedback } = loopOver(id, review.blocks ?? DEFAULT_BLOCKS);
  const sources: SourcePath[] = task.kind === 'steps' ? steps.map((_, index) => ['steps', index]) : [[]];
  return {
    task: {
      ...rest,
      ...(task.kind === 'steps' ? {} : WITHOUT_WORK),
      review: undefined,
      kind: 'steps',
      steps: [...steps, reviewing],
      repeat: repeat ?? { until, max: review.rounds ?? DEFAULT_ROUNDS, feedback },
    },
    sources: [...sources, ['review']],
  };
}

const NOTHING = {
  id: undefined,
  prompt: undefined,
  run: undefined,
  pool: undefined,
  pools: undefined,
  reserve: undefined,
  output: undefined,
  resume: undefined,
  on_error: undefined,
  on_result: undefined,
  action: undefined,
  agent: undefined,
  escalate: undefined,
  on: undefined,
  read_only: undefined,
  async: undefined,
  needs: undefined,
  when: undefined,
  attempts: undefined,
  timeout: undefined,
  idle_timeout: undefined,
  estimate: undefined,
} satisfies Omit<DeclaredStep, 'kind'>;

/** The keys that the only step of a task takes from it. */
const WITHOUT_WORK = {
  prompt: undefined,
  resume: undefined,
  on_error: undefined,
  on_result: undefined,
  estimate: undefined,
};

function mainStep({ prompt, resume, on_error, on_result, output, estimate }: DeclaredTask): DeclaredStep {
  return { ...NOTHING, kind: 'prompt', id: 'main', prompt, resume, on_error, on_result, output, estimate };
}

function freeId(steps: readonly DeclaredStep[]): string {
  const taken = new Set(steps.map(({ id }, index) => (id ?? `step-${index + 1}`).toLowerCase()));
  const numbers = Array.from({ length: steps.length + 1 }, (_, index) => index + 1);
  const ids = numbers.map((number) => (number === 1 ? 'review' : `review_${number}`));
  return ids.find((id) => !taken.has(id)) ?? 'review';
}

/** A tag of a template, which may go on over several lines, or the end of a line. */
const TAG_OR_LINE_END = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}|\n/g;

/** Quoted, so that the reviewer takes it for a text to read and not for a task. */
const quoted = (text: string): string =>
  `> ${text.trim().replaceAll(TAG_OR_LINE_END, (found) => (found === '\n' ? '\n> ' : found))}`;

function promptFor(steps: readonly DeclaredStep[], focus: string | undefined): string {
  const asked = steps.flatMap(({ prompt }) => (prompt === undefined ? [] : [quoted(prompt)])).join('\n\n');
  return [
    'Review the work of another agent in this folder. Change no file: nothing that you write here is kept.',
    `It was asked to do this:\n\n${asked}`,
    'The command git diff "$HEDDLE_BASE" shows what it changed. Read the code around the changes, and run what helps ' +
      'you to judge them; what writes files, run in a copy of the folder below "$TMPDIR".',
    ...(focus === undefined ? [] : [focus.trim()]),
    'Report each problem once, with its file and line, why it is wrong, and what to do instead. high: it must not be ' +
      'merged like this. medium: it should be mended soon. low: a matter of taste. Report nothing that you have not ' +
      'verified. No findings is a good answer.',
  ].join('\n\n');
}

function loopOver(id: string, blocks: readonly Severity[]): { readonly until: string; readonly feedback: string } {
  const severities = [...new Set(blocks)].map((severity) => JSON.stringify(severity)).join(', ');
  return {
    until: `!steps.${id}.output.findings.exists(finding, finding.severity in [${severities}])`,
    feedback: [
      'A reviewer read the work and did not accept it. Mend what is wrong, and leave the rest as it is.',
      `{{ steps.${id}.output.summary }}`,
      `{% for finding in steps.${id}.output.findings %}`,
      '- {{ finding.severity }}{% if finding.file %}, {{ finding.file }}{% if finding.line %}:{{ finding.line }}{% endif %}{% endif %}: {{ finding.problem }} {{ finding.suggestion }}',
      '{% endfor %}',
    ].join('\n'),
  };
}
