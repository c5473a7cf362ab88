import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../plan/build/parse.ts';
import type { Task, WorkTask } from '../plan/plan.ts';
import { renderTemplate } from '../plan/expressions/template.ts';
import { PROMPT_TEMPLATE } from './part-prompt.ts';
import { BOUNDS_DEFAULT } from './source-file.ts';
import type { SourceFile } from './source-file.ts';
import { splitPlan } from './split-plan.ts';
import type { SplitPlanOptions } from './split-plan.ts';
import { splitFiles } from './split-files.ts';
import { arbitraryBounds, arbitraryTree } from './tree.given.ts';

const ORDER: SplitPlanOptions = {
  goal: 'Port it to {{ strict }} mode {% now %}.',
  template: PROMPT_TEMPLATE,
  agent: 'scripted',
  check: 'make test',
  descriptions: new Map(),
};

const workIn = (tasks: readonly Task[]): readonly WorkTask[] =>
  tasks.flatMap((task) => (task.type === 'subplan' ? workIn(task.tasks) : task.type === 'work' ? [task] : []));

function written(files: readonly SourceFile[], order: SplitPlanOptions = ORDER): string {
  const made = splitPlan(splitFiles(files, BOUNDS_DEFAULT), order);
  return made.type === 'written' ? made.text : made.message;
}

const file = (path: string, ...imports: readonly string[]): SourceFile => ({ path, tokens: 100, imports });

describe('the plan of a split', () => {
  test('whatever the files are called, it is right, and no two tasks write the same', () => {
    fc.assert(
      fc.property(arbitraryTree, arbitraryBounds, (files, bounds) => {
        const made = splitFiles(files, bounds);
        const plan = splitPlan(made, ORDER);
        const parsed = parsePlan(plan.type === 'written' ? plan.text : '', { file: 'plan.yaml' });
        expect(parsed.diagnostics).toEqual([]);
        const tasks = workIn(parsed.plan?.tasks ?? []);
        expect(tasks.map(({ path, needs }) => [path, needs.of.toSorted()])).toEqual(
          made.leaves.map(({ path, needs }) => [path, needs]),
        );
        const unescaped = (glob: string) => glob.replace(/\\(.)/g, '$1');
        const meant = made.leaves.map(({ ownsFolder, folder, files: own }) => (ownsFolder ? [`${folder}/**`] : own));
        expect(tasks.map((task) => task.files.map(unescaped))).toEqual(meant);
        for (const { ownsFolder, folder, files: own } of made.leaves) {
          const below = files.filter(({ path }) => path.startsWith(`${folder}/`)).map(({ path }) => path);
          expect(ownsFolder).toBe(folder !== '' && below.length === own.length);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('reads as a person would write it', () => {
    const text = written([file('src/a.ts', 'src/b.ts'), file('src/b.ts')], { ...ORDER, goal: 'Tidy up.' });
    expect(text).toMatchInlineSnapshot(`
      "heddle: 1
      name: tidy-up
      agent: scripted
      merge: { check: make test }
      tasks:
        src:
          description: "src: 2 files, about 1k tokens"
          files: [src/**]
          prompt: |
            Tidy up.

            This is one part of that job: src. Change these 2 files,
            and add new files below src where the job needs them. Leave all other files as they are,
            because other agents work on them at the same time:

            - src/a.ts
            - src/b.ts
      "
    `);
  });

  test('a path that looks like a glob means that file and no other', () => {
    const files = ['src/[ab].ts', 'src/a.ts', 'src/*.ts', 'src/{a,b}.ts'].map((path) => file(path));
    const plan = splitPlan(splitFiles(files, { filesMin: 1, filesMax: 1, tokensMax: 1_000 }), ORDER);
    const parsed = parsePlan(plan.type === 'written' ? plan.text : '', { file: 'plan.yaml' });
    expect(parsed.diagnostics).toEqual([]);
    expect(workIn(parsed.plan?.tasks ?? []).flatMap((task) => task.files)).toEqual([
      'src/\\*.ts',
      'src/\\[ab\\].ts',
      'src/a.ts',
      'src/\\{a,b\\}.ts',
    ]);
  });

  test('a goal and a file name come out as they are, whatever braces they have', () => {
    const { plan } = parsePlan(written([file('src/{{ x }}.ts')]), { file: 'plan.yaml' });
    const [step] = workIn(plan?.tasks ?? [])[0]?.steps ?? [];
    const rendered = renderTemplate(step?.type === 'prompt' ? step.prompt : '', {});
    expect(rendered).toMatchObject({ type: 'rendered' });
    const said = rendered.type === 'rendered' ? rendered.text : '';
    expect(said).toContain('Port it to {{ strict }} mode {% now %}.');
    expect(said).toContain('- src/{{ x }}.ts');
  });

  test('a template of the user reads the values of a part, and can leave a template for the run', () => {
    const template =
      '{{ id }} {{ path }} {{ folder }} {{ file_count }} {{ tokens }} {{ needs | join: "," }} {{ description }}|{% raw %}{{ inputs.x }}{% endraw %}';
    const text = written([file('src/a.ts')], { ...ORDER, template, descriptions: new Map([['src', 'The heart.']]) });
    expect(text).toContain('src src src 1 100  The heart.|{{ inputs.x }}');
    expect(text).toContain('description: The heart.');
  });

  test('a template with a wrong name or a wrong tag is reported with a sentence', () => {
    expect(written([file('a.ts')], { ...ORDER, template: '{{ gaol }}' })).toContain('gaol');
    expect(written([file('a.ts')], { ...ORDER, template: '{% nonsense %}' })).toContain('nonsense');
  });

  test('is named after the first words of its goal', () => {
    const nameOf = (goal: string): string | undefined =>
      /^name: (.*)$/m.exec(written([file('a.ts')], { ...ORDER, goal }))?.[1];
    expect(nameOf('Port it, all of it!\nAnd quickly.')).toBe('port-it-all-of-it');
    expect(nameOf('word '.repeat(40))).toBe(Array.from({ length: 9 }, () => 'word').join('-'));
    expect(nameOf('x'.repeat(80))).toBe('split');
  });

  test('without an agent and a check it leaves both to the settings, and an empty goal still has a name', () => {
    const text = written([file('a.ts')], { ...ORDER, goal: '!', agent: undefined, check: undefined });
    expect(text).toMatch(/^heddle: 1\nname: split\ntasks:\n/);
  });
});
