import { describe, expect, test } from 'vitest';
import { refusal, seen } from '../imported.given.ts';

const CHECKS = `version: "0.1"
meta: { name: "CI checks", description: "What CI does." }
defaults:
  max_concurrency: 4
  timeout_seconds: 120
  model: claude-opus-4-5
  tools: { allow: [Read] }
pipeline:
  - id: setup
    prompt: "Summarise {{ step.invocation.prompt }} for {{ env.TEAM }} in {{ session.cwd }}."
  - id: lint
    async: true
    prompt: Lint. Respond with JSON only.
    output_schema: { type: object, properties: { clean: { type: boolean } }, required: [clean] }
  - id: test
    async: true
    resume: false
    prompt: Test. Respond with JSON only.
    output_schema: { type: object, properties: { clean: { type: boolean } }, required: [clean] }
  - id: checks_done
    depends_on: [lint, test]
    action: join
    on_error: wait_for_all
    output_schema: { type: object, properties: { lint: { type: object }, test: { type: object } } }
    on_result:
      - { field: lint.clean, equals: false, action: abort_pipeline }
      - { always: , action: continue }
  - id: build
    context: { shell: "make all" }
  - id: ship
    condition: "{{ step.build.exit_code }} == 0"
    prompt: "Ship {{ step.build.result }}, {{ step.checks_done.lint.clean }}, {{ last_response }}"
    on_error: retry
    max_retries: 2
    model: small
    on_result: { contains: FAIL, if_true: { action: pause_for_human }, if_false: { action: continue } }
`;

describe('a pipeline of ail', () => {
  test('is one task, with async steps, joins, conditions and values as a plan has them', () => {
    const { task, text, notes } = seen('ail', CHECKS);
    expect(task('pipeline')).toMatchObject({
      form: 'steps',
      steps: [
        { id: 'setup', prompt: 'Summarise {{ inputs.prompt }} for {{ env.TEAM }} in {{ "{{" }} session.cwd }}.' },
        { id: 'lint', async: true, resume: 'fork' },
        { id: 'test', async: true, resume: 'fresh' },
        {
          id: 'checks_done',
          type: 'join',
          needs: ['lint', 'test'],
          onError: 'wait_for_all',
          onResult: [
            { when: 'result.output.lint.clean == false', rule: 'abort' },
            { when: 'true', rule: 'continue' },
          ],
        },
        { id: 'build', run: 'make all', onError: 'continue' },
        {
          id: 'ship',
          when: 'steps["build"].exit_code == 0',
          prompt:
            'Ship {{ steps.build.response }}, {{ steps.checks_done.output.lint.clean }}, {{ steps.build.response }}',
          agent: 'claude-small',
          onError: 'retry',
          attemptsMax: 3,
          onResult: [{ when: 'result.response.contains("FAIL")', rule: 'gate' }, { rule: 'continue' }],
        },
      ],
    });
    expect(text).toContain('max_parallel: 4\ntimeout: 2m\n');
    expect(text).toContain('claude-opus-4-5: { use: claude, model: claude-opus-4-5 }');
    expect(text).toContain('inputs:\n  prompt: { type: string }\nenv: [TEAM]');
    expect(notes).toEqual([
      'Of its defaults these were not carried over: tools.',
      '9: setup: these values mean nothing in a plan and stand as words: session.cwd.',
    ]);
  });

  test('that is one loop is repeated; a loop among other steps runs once, and says so', () => {
    const loop = `id: fix
    do_while:
      max_iterations: 5
      exit_when: "{{ step.fix::try.exit_code }} == 0"
      steps:
        - { id: mend, prompt: "Mend it.", resume: true }
        - { id: try, context: { shell: make } }
`;
    expect(seen('ail', `pipeline:\n  - ${loop}`).task('pipeline')).toMatchObject({
      repeat: { until: 'steps["try"].exit_code == 0', roundsMax: 5 },
    });
    const { task, notes } = seen('ail', `pipeline:\n  - { id: first, prompt: Go. }\n  - ${loop}`);
    expect(task('pipeline')).toMatchObject({
      repeat: undefined,
      steps: [{ id: 'first' }, { id: 'mend' }, { id: 'try' }],
    });
    expect(notes).toContain('3: fix: the steps of the loop run once; only a whole task can be repeated.');
  });

  test('reports the handling of everything else', () => {
    const { task, notes } = seen(
      'ail',
      `FROM: ./base.yaml
defaults: { max_concurrency: 0, provider: { base_url: http://x } }
pipeline:
  - { run_before: a, id: hook, prompt: x }
  - { id: file, prompt: ./prompts/a.md, tools: { allow: [] }, before: [./b.md, { prompt: Before. }], then: [{ prompt: After. }] }
  - { id: skill, skill: ./skills/commit/ }
  - { id: sub, pipeline: ./sub.ail.yaml, runner: codex }
  - { id: each, for_each: { over: "{{ step.sub.items }}", steps: [{ prompt: One. }] } }
  - { id: ask, action: pause_for_human, message: Sure? }
  - { id: off, prompt: No., disabled: true }
  - { id: never, prompt: No., condition: never }
  - { id: odd, prompt: x, condition: "{{ step.sub.response }} matches /x/i", on_error: explode, depends_on: [gone] }
  - { id: dup, prompt: a, on_result: [{ exit_code: any, action: break }, { matches: /x/, action: continue }] }
  - { id: DUP, prompt: "{{ step.nobody.response }}" }
  - {}
`,
    );
    const pipeline = task('pipeline');
    const steps = pipeline.type === 'work' ? pipeline.steps : [];
    expect(steps.map(({ id }) => id)).toEqual(
      'file_before_1 file_before_2 file file_then_1 skill sub each ask off never odd dup DUP-2 step-12'.split(' '),
    );
    expect(task('pipeline')).toMatchObject({
      steps: expect.arrayContaining([expect.objectContaining({ id: 'sub', agent: 'codex' })]),
    });
    for (const said of [
      /builds on \.\/base\.yaml/,
      /defaults these were not carried over: provider/,
      /run_before: a changes/,
      /Follow the instructions in \.\/prompts\/a\.md/,
    ])
      expect(notes.join('\n')).toMatch(said);
    for (const said of [
      /Use the skill/,
      /Carry out the pipeline/,
      /For each of these items/,
      /a person is asked/,
      /always runs/,
      /on_error: explode/,
      /depends on gone/,
      /\(break\) was not/,
      /step\.nobody\.response/,
    ])
      expect(notes.join('\n')).toMatch(said);
  });

  test('that a plan would refuse loses its faulty parts, with a note', () => {
    const { task, notes } = seen(
      'ail',
      `pipeline:
  - { id: lost, async: true, prompt: Nobody collects this. }
  - { id: early, prompt: "{{ step.late.response }}", resume: true }
  - { id: nothing, action: join }
  - { id: shell, context: { shell: "echo $(cat {{ step.early.response }})" } }
  - { id: late, prompt: x, output_schema: { type: nonsense } }
`,
    );
    expect(task('pipeline')).toMatchObject({
      steps: [{ id: 'lost', async: false }, { id: 'early' }, { id: 'nothing' }, { id: 'shell' }, { id: 'late' }],
    });
    expect(notes.filter((note) => note.includes('left out what cannot be so'))).not.toHaveLength(0);
  });

  test('with a very long prompt is cut, and says so', () => {
    const { notes } = seen('ail', `pipeline: [{ id: a, prompt: "${'word '.repeat(300_000)}" }]`);
    expect(notes).toEqual(['1: a: its words were cut after 100000 characters.']);
  });

  test('with very many beginnings of templates has most of them as mere words, and a command of such is a prompt', () => {
    const signs = '{{'.repeat(40_000);
    const { notes, prompt, task } = seen(
      'ail',
      `pipeline: [{ id: a, prompt: "${signs}" }, { id: b, context: { shell: "echo ${signs}" } }]`,
    );
    const apart = 'after the first 250 of its {{ and {% the rest are written apart, as { {.';
    expect(notes).toContain(`1: a: ${apart}`);
    expect(notes).toContain(`1: b: ${apart}`);
    expect(
      prompt('pipeline')
        .split('\n---\n')[0]
        ?.match(/\{[{%]/g)?.length,
    ).toBeLessThanOrEqual(2 * 250);
    expect(task('pipeline')).toMatchObject({ steps: [{ type: 'prompt' }, { type: 'prompt' }] });
  });

  test('with more steps than a task may have is refused', () => {
    expect(refusal('ail', `pipeline:\n${'  - prompt: x\n'.repeat(1_001)}`)).toBe(
      '1:It has 1001 steps, and a task of a plan at most 1000.',
    );
  });

  test('without steps, or that is no YAML, is refused with its place', () => {
    expect(refusal('ail', 'version: "0.1"\n')).toMatch(/^1:There are no steps in it/);
    expect(refusal('ail', 'a: [\n')).toMatch(/^2:1:/);
    expect(refusal('ail', '')).toBe('1:1:The file is empty.');
  });
});
