// What would be published, packed from a copy of the tree and run from there. Nothing comes from the network.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSupported } from '../../bin/supported-node.js';
import { startModels } from '../models/start-models.ts';
import { listFiles, root } from '../tidy/source-tree.ts';

const work = mkdtempSync(join(tmpdir(), 'heddle-package-'));
const copy = join(work, 'copy');
const packed = join(work, 'package');

const copyTree = (): void => {
  for (const path of listFiles()) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(root, path), join(copy, path));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
};

/** Runs a program in the copy; when it fails, the test says what the program said. */
const run = (program: string, args: readonly string[]): void => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, encoding: 'utf8' });
  expect(status, `${program} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
};

/** Builds and packs the copy and unpacks the result, which tar names `package`. */
const pack = (): void => {
  run(process.execPath, ['tools/pack.ts']);
  run('tar', ['-xzf', tarball(), '-C', work]);
};

const tarball = (): string => join(copy, readdirSync(copy).find((name) => name.endsWith('.tgz')) ?? '');

const filesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted();

const isBuilt = (path: string): boolean =>
  /^dist\/((node|core)\/[\w-]+\.js|web\/(index\.html|assets\/[\w-]+\.(js|css|svg))|types\/.*\.d\.ts|THIRD-PARTY-LICENSES\.txt)$/.test(
    path,
  );

const shippedAsTheyAre = (paths: readonly string[]): readonly string[] =>
  paths.filter(
    (path) =>
      /^(bin|completion|schema|examples|docs)\//.test(path) ||
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'].includes(path),
  );

interface Call {
  readonly node: string;
  readonly nodeArgs?: readonly string[];
  readonly args: readonly string[];
}

const callLauncher = ({ node, nodeArgs = [], args }: Call) => {
  const launcher = join(packed, 'bin', 'heddle.js');
  const { status, stdout, stderr } = spawnSync(node, [...nodeArgs, launcher, ...args], { encoding: 'utf8', cwd: work });
  return { status, stdout, stderr };
};

/** Makes the Node of this test say that it is an older one, before the launcher asks. */
const pretendToBe = (version: string): readonly string[] => {
  const versions = `{ ...process.versions, node: '${version}' }`;
  const code = `Object.defineProperties(process, { versions: { value: ${versions} }, version: { value: 'v${version}' } })`;
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
};

/** Programs called node on PATH that are too old for Heddle; a machine may have none. */
const oldNodes = (): readonly string[] => {
  const programs = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  return programs.filter(
    (program) =>
      existsSync(program) && !isSupported(execFileSync(program, ['-p', 'process.versions.node'], { encoding: 'utf8' })),
  );
};

beforeAll(() => {
  copyTree();
  pack();
});

afterAll(() => rmSync(work, { recursive: true, force: true }));

describe('the published package', () => {
  test('contains the files that running it needs and nothing else', () => {
    const files = filesUnder(packed);
    expect(files.filter((path) => !isBuilt(path))).toEqual([...shippedAsTheyAre(listFiles())].toSorted());
    for (const program of ['main', 'worker-main', 'scripted-program'])
      expect(files).toContain(`dist/node/${program}.js`);
    expect(files).toContain('dist/web/index.html');
  });

  test('is what publint expects of a package', async () => {
    const verdict = await publint({ pkgDir: packed, strict: true, pack: false });
    expect(verdict.messages.map((message) => formatMessage(message, verdict.pkg, { color: false }))).toEqual([]);
  });

  test('brings no dependency, no workspace and no script to the project that installs it', () => {
    const text = readFileSync(join(packed, 'package.json'), 'utf8');
    const published: unknown = JSON.parse(text);
    const names = typeof published === 'object' && published !== null ? Object.keys(published) : [];
    for (const name of ['private', 'scripts', 'dependencies', 'devDependencies', 'workspaces'])
      expect(names).not.toContain(name);
  });

  test('prints its version on a supported Node, from dist alone', () => {
    const { status, stdout, stderr } = callLauncher({ node: process.execPath, args: ['--version'] });
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/\d+\.\d+\.\d+/),
      stderr: '',
    });
  });

  test('carries a plan out, with its worker and an agent, from dist alone', () => {
    const plan = [
      'heddle: 1',
      'name: packed',
      'sandbox: { tree: none }',
      'agents: { actor: { use: scripted } }',
      'tasks:',
      '  play: { agent: actor, prompt: "@say played", check: "true" }',
      '  list: { needs: [play], run: "echo listed" }',
    ];
    writeFileSync(join(work, 'plan.yaml'), plan.join('\n'));
    const { status, stdout, stderr } = callLauncher({
      node: process.execPath,
      args: ['run', '--no-git', 'plan.yaml'],
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('2 of 2 tasks completed');
  });

  test('asks for a newer Node in one line on an older one', () => {
    const pretended = ['18.20.8', '20.20.2', '22.22.0', '24.15.0', '26.0.0'].map((version) => ({
      node: process.execPath,
      nodeArgs: pretendToBe(version),
    }));
    const real = oldNodes().map((node) => ({ node }));
    for (const call of [...pretended, ...real]) {
      expect(callLauncher({ ...call, args: ['check', 'plan.yaml'] })).toEqual({
        status: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^heddle needs Node 24\.16 or newer, and this is v\d+\.\d+\.\d+\. Install Node 24 and try again\.\n$/,
        ),
      });
    }
  });
});

/** The examples of the page about the library, as a program would have them. */
const examples = (): readonly string[] =>
  [
    ...readFileSync(join(root, 'docs/reference/library.md'), 'utf8').matchAll(/```js\n([^`]*(?:`(?!``)[^`]*)*)```/g),
  ].map(([, code = '']) => code);

const PROGRAMS = readdirSync(join(root, 'examples', 'programs')).filter((name) => name.endsWith('.ts'));

describe('the library', () => {
  const folder = join(work, 'embedding');
  const plan = 'heddle: 1\nname: small\ntasks:\n  a: { run: echo a }\n  b: { needs: [a], run: echo b }\n';

  beforeAll(() => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'plan.yaml'), plan);
    examples().forEach((code, at) => writeFileSync(join(folder, `example-${at}.ts`), code));
    for (const name of PROGRAMS) cpSync(join(root, 'examples', 'programs', name), join(folder, name));
    const { status, stderr } = spawnSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball()], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(0);
  });

  const runExample = (at: number, cwd = folder) =>
    spawnSync(process.execPath, [join(folder, `example-${at}.ts`)], { cwd, encoding: 'utf8' });

  const givenRepository = (name: string, files: Readonly<Record<string, string>>): string => {
    const repository = join(work, name);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(repository, path)), { recursive: true });
      writeFileSync(join(repository, path), text);
    }
    for (const words of ['init -q -b main', 'add .', '-c user.name=A -c user.email=a@b.c commit -qm start'])
      execFileSync('git', words.split(' '), { cwd: repository });
    return repository;
  };

  test('is installed alone, in a few megabytes', () => {
    const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(installed).toEqual(['heddle']);
    const sizes = filesUnder(join(folder, 'node_modules', 'heddle')).map(
      (path) => statSync(join(folder, 'node_modules', 'heddle', path)).size,
    );
    // A quarter is what Restate needs of its own, for runs that are kept there.
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(11_000_000);
  });

  test('runs a plan as its page shows, and prints nothing of its own', () => {
    const { status, stdout, stderr } = runExample(0);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^started small-1\n(?:[a-z]+\.[a-z]+\n)+2 of 2 tasks completed\n\d+ events\n$/i);
  });

  test('answers, reads, amends, lands and recovers a run in git as its page shows', () => {
    const plan = [
      'heddle: 1',
      'name: shop',
      'agents: { actor: { use: scripted } }',
      'agent: actor',
      'merge: { check: "true" }',
      'tasks:',
      '  greet: { prompt: "@ask Which greeting?" }',
      '  count: { needs: [greet], run: "wc -c < greeting.txt" }',
    ];
    const { status, stdout, stderr } = runExample(1, givenRepository('shop', { 'plan.yaml': plan.join('\n') }));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const lines = ['waiting for: answer', 'count printed 5', '+hello', 'amend: same', 'land: landed', 'true', ''];
    expect(stdout.split('\n')).toEqual(lines);
  });

  test('makes plans from a repository as its page shows', () => {
    const files = {
      'plan.yaml': plan,
      'TODO.md': '# Todo\n\n- [ ] Add a form\n- [ ] Add a list\n',
      'src/a.ts': 'export {};\n',
    };
    const { status, stdout, stderr } = runExample(2, givenRepository('todo', files));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe('.heddle/config.yaml, plan.yaml\n2 tasks imported\n1 parts\ntrue\n');
  });

  test('proves, forecasts and folds as its page shows', () => {
    const { status, stdout, stderr } = runExample(3);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^sound: true\ncritical path of \d+ steps, stage ended\n$/);
  });

  test('makes a plan in TypeScript as its page shows', () => {
    const { status, stdout, stderr } = runExample(4);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'true\n', stderr: '' });
  });

  const runProgram = (name: string, cwd: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [join(folder, name), ...args], { cwd, encoding: 'utf8' });

  test('checks a plan before a commit, as a program of the examples does', () => {
    const repository = givenRepository('hook', {
      'plan.yaml': plan,
      'wrong.yaml': 'heddle: 1\ntasks:\n  a: { needs: [b], run: make }\n',
    });
    expect(runProgram('check-before-commit.ts', repository)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(runProgram('check-before-commit.ts', repository, 'none.yaml')).toMatchObject({ status: 0 });
    const wrong = runProgram('check-before-commit.ts', repository, 'wrong.yaml');
    expect(wrong).toMatchObject({ status: 1, stderr: expect.stringMatching(/wrong\.yaml:3:\d+ unknown-need: /) });
  });

  test('starts and follows a run, as a program of the examples does', () => {
    const repository = givenRepository('follow', { 'plan.yaml': plan.replace('echo b', 'exit 1') });
    const { status, stdout, stderr } = runProgram('start-and-follow.ts', repository);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toMatch(/^small-1 goes on [^\n]*\na done\nb failed \(failed\)\nover: ended\n$/);
  });

  test('answers gates, as a program of the examples does', () => {
    const gates = '  docs: { gate: Publish the docs? }\n  ship: { gate: Ship it to everybody? }\n';
    const repository = givenRepository('gates', { 'plan.yaml': `heddle: 1\nname: gates\ntasks:\n${gates}` });
    expect(runProgram('node_modules/heddle/bin/heddle.js', repository, 'run', '--wait', '0').status).toBe(3);
    const { status, stdout, stderr } = runProgram('answer-gates.ts', repository, 'docs');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe(
      'docs: “Publish the docs?” approved\nship: “Ship it to everybody?” is for a person\nover: waiting\n',
    );
  });

  test('runs an agent of your own behind the adapter of the examples', async () => {
    const models = await startModels();
    const given = [
      'heddle: 1',
      'name: own',
      'sandbox: { isolation: none }',
      'agents: { own: { use: module, command: own-adapter.ts, model: stand-in } }',
      'agent: own',
      'tasks:',
      '  greet: { prompt: "Greet.\\n@run echo hello > greeting.txt\\n@say Hello.", check: grep -q hello greeting.txt }',
    ];
    const adapter = ['own-adapter.ts', 'own-agent.ts'].map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
    const files = { 'plan.yaml': given.join('\n'), ...Object.fromEntries(adapter) };
    const cwd = givenRepository('own', files);
    const env = { ...process.env, HOME: folder, OPENAI_BASE_URL: `${models.url}/v1`, OPENAI_API_KEY: 'sk-none' };
    const launcher = join(folder, 'node_modules/heddle/bin/heddle.js');
    const { stdout } = await promisify(execFile)(process.execPath, [launcher, 'run'], { cwd, env });
    await models.close();
    expect(stdout).toMatch(/1 (of 1 )?task/);
    expect(execFileSync('git', ['show', 'heddle/own-1:greeting.txt'], { cwd, encoding: 'utf8' })).toBe('hello\n');
  });

  test('brings types that its examples agree with', () => {
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2025',
      strict: true,
      noEmit: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules', '@types')],
    };
    const files = [...examples().map((_, at) => `example-${at}.ts`), ...PROGRAMS];
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const { status, stdout } = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder], {
      encoding: 'utf8',
    });
    expect(status, stdout).toBe(0);
  });
});

describe('a clone', () => {
  /** Without the variable that asks for sources, because somebody counts their lines. */
  const version = (): string => {
    const env = { ...process.env, NODE_V8_COVERAGE: undefined };
    return execFileSync(process.execPath, [join(copy, 'bin', 'heddle.js'), '--version'], { encoding: 'utf8', env });
  };

  test('starts what was built of its sources until one of them changes', () => {
    writeFileSync(join(copy, 'dist', 'node', 'main.js'), "console.log('from dist');");
    expect(version()).toBe('from dist\n');
    utimesSync(join(copy, 'src', 'cli', 'main.ts'), 0, 0);
    expect(version()).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
