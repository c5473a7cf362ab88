import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { heddle, ROOT } from '../heddle.given.ts';

const made: string[] = [];

function givenFolder(texts: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-split-')));
  made.push(root);
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

afterEach(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** Three services over one core, seven files each. */
function givenServices(): string {
  const texts: Record<string, string> = { '.gitignore': 'dist/\n', 'dist/out.js': 'x' };
  for (const name of ['core', 'orders', 'users', 'web']) {
    for (let file = 0; file < 7; file += 1)
      texts[`src/${name}/part-${file}.ts`] =
        name === 'core' ? 'export const a = 1;\n' : "import { a } from '../core/part-0.ts';\n";
  }
  const root = givenFolder(texts);
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  return root;
}

const GOAL = 'Port the services to strict mode';

describe('heddle split', () => {
  test('writes a plan that passes heddle check, each service after its imports', () => {
    const cwd = givenServices();
    const { code, out, errors } = heddle(['split', '--goal', GOAL, '--check', 'npm test', '--max-files', '7', 'src/'], {
      cwd,
    });
    expect(errors).toMatch(/^28 files, about \dk tokens: 4 tasks in 2 levels, 1 can start at once\.\n$/);
    expect(code).toBe(0);
    expect(out).toContain('name: port-the-services-to-strict-mode');
    expect(out).not.toContain('dist');
    const checked = heddle(['check', '-', '--json'], { cwd, input: out });
    const read = JSON.parse(checked.out);
    expect(read).toMatchObject({ ok: true, diagnostics: [] });
    expect(read.tasks.map(({ task, needs }: { task: string; needs: string[] }) => [task, needs])).toEqual([
      ['core', []],
      ['orders', ['core']],
      ['users', ['core']],
      ['web', ['core']],
    ]);
  });

  test('splits the sources of Heddle itself into a plan that is proved to finish', () => {
    const out = join(givenFolder({}), 'plan.yaml');
    const { code, errors } = heddle(['split', '--goal', GOAL, '--check', 'npm test', '--out', out, 'src'], {
      env: { XDG_CONFIG_HOME: dirname(out) },
    });
    expect(errors).toContain(`The plan is in ${out}. Next: heddle check ${out}`);
    expect(code).toBe(0);
    const checked = heddle(['check', out], { cwd: dirname(out) });
    expect(checked.errors).toBe('');
    expect(checked.out).toContain('Sound');
    expect(checked.code).toBe(0);
  });

  test('--json prints every part with its links, and the plan with them', () => {
    const { code, out, errors } = heddle(['split', '-g', GOAL, '--json', '--max-files', '7', 'src'], {
      cwd: givenServices(),
    });
    const read = JSON.parse(out);
    expect(errors).toBe('');
    expect(code).toBe(0);
    expect(read).toMatchObject({ goal: GOAL, files: 28, levels: 2, tasks: 4, leftOut: [] });
    expect(read.parts[1]).toMatchObject({
      type: 'leaf',
      id: 'orders',
      path: 'orders',
      folder: 'src/orders',
      needs: ['core'],
    });
    expect(read.parts[1].files).toHaveLength(7);
    expect(heddle(['check', '-'], { input: read.plan }).code).toBe(0);
  });

  test('--json with --out writes the plan too', () => {
    const cwd = givenServices();
    const { out } = heddle(['split', '-g', GOAL, '--json', '--out', 'plan.yaml', 'src'], { cwd });
    expect(readFileSync(join(cwd, 'plan.yaml'), 'utf8')).toBe(JSON.parse(out).plan);
  });

  test('prompts come from a template of the user, which begins as ours', () => {
    const cwd = givenServices();
    const template = heddle(['split', '--print-template']).out;
    writeFileSync(join(cwd, 'prompt.liquid'), `${template}\nLeave no {{ id }} behind.\n`);
    const { out } = heddle(['split', '-g', GOAL, '--template', 'prompt.liquid', '--max-files', '7', 'src'], { cwd });
    expect(out).toContain('Leave no orders behind.');
    expect(out).toContain(GOAL);
  });

  test('an agent that a settings file names is left to it; one on the command line is written', () => {
    const cwd = givenServices();
    expect(heddle(['split', '-g', GOAL, 'src'], { cwd }).out).toContain('agent: claude');
    expect(heddle(['split', '-g', GOAL, '--agent', 'codex', 'src'], { cwd }).out).toContain('agent: codex');
    mkdirSync(join(cwd, '.heddle'));
    writeFileSync(join(cwd, '.heddle', 'config.yaml'), 'agent: codex\n');
    expect(heddle(['split', '-g', GOAL, 'src'], { cwd }).out).not.toContain('agent:');
  });

  test('an agent may describe the parts, and ids stay as they are', () => {
    const cwd = givenServices();
    const goal = `${GOAL}\n@say Here: {"core": "Core: what all services share.", "orders": "Orders: taking orders."}`;
    const words = ['split', '-g', goal, '--describe-with', 'scripted', '--max-files', '7', 'src'];
    const { code, out, errors } = heddle(words, { cwd });
    expect(errors).toContain('scripted did not describe 2 parts (it left them out)');
    expect(out).toMatch(/\n {2}core:\n {4}description: "Core: what all services share\."/);
    expect(out).toMatch(/\n {2}web:\n {4}description: "src\/web: 7 files/);
    expect(code).toBe(0);
  });

  test('an agent that fails costs no more than its descriptions', () => {
    const goal = `${GOAL}\n@fail refused no such luck`;
    const { code, out, errors } = heddle(['split', '-g', goal, '--describe-with', 'scripted', 'src'], {
      cwd: givenServices(),
    });
    expect(errors).toMatch(/warning: scripted did not describe \d+ parts? \(.*no such luck.*\)/);
    expect(out).toContain('tasks:');
    expect(code).toBe(0);
  });

  test('names parts that are larger than requested, and files that were left out', () => {
    const cwd = givenFolder({
      'a.ts': "import './b.ts';",
      'b.ts': "import './a.ts';",
      'huge.txt': 'word '.repeat(90_000),
      'x.bin': 'a\0b',
    });
    const { errors } = heddle(['split', '-g', GOAL, '--max-files', '1', '--min-files', '1'], { cwd });
    expect(errors).toContain('warning: a is larger than asked for');
    expect(errors).toContain('is 2 files that import each other in a cycle');
    expect(errors).toMatch(/warning: huge is larger .* is one file/);
    expect(errors).toContain('Left out: x.bin (binary).');
  });

  test('--only takes files by their endings, however they are written', () => {
    const cwd = givenFolder({ 'a.ts': '', 'b.tsx': '', 'c.md': '', 'd.ts.snap': '' });
    const filesWith = (...endings: readonly string[]): unknown =>
      JSON.parse(heddle(['split', '-g', GOAL, '--json', '--only', ...endings, '--', '.'], { cwd }).out).parts[0].files;
    expect(filesWith('ts', '.md')).toEqual(['a.ts', 'c.md']);
    expect(filesWith('ts,tsx')).toEqual(['a.ts', 'b.tsx']);
    const none = heddle(['split', '-g', GOAL, '--only', 'rs'], { cwd });
    expect(none.errors).toContain('no file that is text and ends in rs');
    expect(none.code).toBe(2);
  });

  test('--cut-cycles divides a cycle that is too large, and lists the imports that no task waits for', () => {
    const names = Array.from({ length: 12 }, (_, at) => `f${at}`);
    const texts = names.map((name, at) => [`${name}.ts`, `import './${names[(at + 1) % 12]}.ts';`]);
    const cwd = givenFolder(Object.fromEntries(texts));
    const words = ['split', '-g', GOAL, '--max-files', '4', '--out', 'plan.yaml'];
    const kept = heddle(words, { cwd });
    expect(kept.errors).toContain('is 12 files that import each other in a cycle');
    expect(kept.errors).toContain('--cut-cycles divides cycles too');
    rmSync(join(cwd, 'plan.yaml'));
    const cut = heddle([...words, '--cut-cycles'], { cwd });
    expect(cut.errors).toContain('Cycles were cut at 1 import; no task waits for those');
    expect(cut.errors).not.toContain('warning');
    expect(heddle(['check'], { cwd }).code).toBe(0);
  });

  const wrong: readonly (readonly [string, readonly string[], string])[] = [
    ['no goal', ['split', 'src'], 'Give the goal'],
    ['an empty goal', ['split', '-g', ' ', 'src'], 'Give the goal'],
    ['a folder that is not there', ['split', '-g', GOAL, 'nowhere'], 'There is no folder nowhere'],
    ['a folder that git ignores', ['split', '-g', GOAL, 'dist'], 'There is nothing to split in dist'],
    [
      'bounds that contradict',
      ['split', '-g', GOAL, '--min-files', '9', '--max-files', '3'],
      '--min-files (9) is more than --max-files (3)',
    ],
    ['a bound of nothing', ['split', '-g', GOAL, '--max-files', '0'], 'from 1 up'],
    [
      'a template that is not there',
      ['split', '-g', GOAL, '--template', 'none.liquid'],
      'There is no file none.liquid',
    ],
    ['a template with a wrong name', ['split', '-g', GOAL, '--template', 'gaol.liquid'], '`gaol` has no value'],
    ['a template that makes a wrong plan', ['split', '-g', GOAL, '--template', 'late.liquid'], 'was not written'],
    ['an agent that there is not', ['split', '-g', GOAL, '--describe-with', 'nobody'], 'There is no agent nobody'],
    ['a place that cannot be written', ['split', '-g', GOAL, '--out', '/nowhere/at/all.yaml'], 'could not be written'],
  ];
  test.each(wrong)('%s is told in a line, with exit code 2 and nothing written', (_name, words, sentence) => {
    const cwd = givenServices();
    writeFileSync(join(cwd, 'gaol.liquid'), '{{ gaol }}');
    writeFileSync(join(cwd, 'late.liquid'), '{% raw %}{{ tasks.nowhere.response }}{% endraw %}');
    const { code, out, errors } = heddle(words, { cwd });
    expect(errors).toContain(sentence);
    expect(errors).not.toMatch(/\n\s+at /);
    expect(out).toBe('');
    expect(existsSync(join(cwd, 'plan.yaml'))).toBe(false);
    expect(code).toBe(2);
  });

  test('help shows examples, and each option with what it is by default', () => {
    const { out, code } = heddle(['split', '--help'], { cwd: ROOT });
    expect(out).toContain('heddle split --goal "Port the services to strict mode" src/');
    expect(out).toMatch(/--max-tokens <count> .*\(default:\s+50000\)/s);
    expect(code).toBe(0);
  });
});
