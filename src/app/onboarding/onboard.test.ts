// The proposal for each kind of project, and that each proposal is a valid plan.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { assert } from '../../core/assert.ts';
import { compile } from '../../core/compile/compile.ts';
import { verify } from '../../core/verify/verify.ts';
import { loadPlan, planOf } from '../plan/load-plan.ts';
import { detect } from './detect.ts';
import { planText, settingsText } from './propose.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Names that end in a slash are folders. */
function givenFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-init-'));
  made.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(name.endsWith('/') ? join(folder, name) : dirname(join(folder, name)), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(join(folder, name), text);
  }
  return folder;
}

interface Kind {
  readonly files: Readonly<Record<string, string>>;
  readonly tools: string;
  readonly check?: string;
  readonly setup?: string;
  readonly packages?: readonly string[];
  readonly packageCheck?: string;
  readonly link?: readonly string[];
  readonly host?: string;
}

const script = (test: string, rest: object = { devDependencies: { vitest: '1' } }): string =>
  JSON.stringify({ scripts: { test }, ...rest });

const KINDS: Readonly<Record<string, Kind>> = {
  npm: {
    files: { 'package.json': script('vitest'), 'package-lock.json': '{}' },
    tools: 'npm',
    check: 'npm test',
    setup: 'npm ci',
  },
  'npm without packages': { files: { 'package.json': script('node check.js', {}) }, tools: 'npm', check: 'npm test' },
  'npm without a lock file': {
    files: { 'package.json': script('vitest') },
    tools: 'npm',
    check: 'npm test',
    setup: 'npm install',
  },
  'npm with installed packages and no lock file': {
    files: { 'package.json': script('vitest'), 'node_modules/': '' },
    tools: 'npm',
    check: 'npm test',
    link: ['node_modules'],
  },
  'npm without tests': {
    files: { 'package.json': script('echo "Error: no test specified" && exit 1', {}) },
    tools: 'npm',
  },
  'npm with scripts that watch': {
    files: { 'package.json': JSON.stringify({ scripts: { test: 'jest --watchAll', 'test:ci': 'jest', lint: 'x' } }) },
    tools: 'npm',
    check: 'npm run test:ci',
  },
  'npm with tests that watch unless told': {
    files: { 'package.json': script('react-scripts test', {}) },
    tools: 'npm',
    check: 'CI=true npm test',
  },
  pnpm: {
    files: { 'package.json': script('vitest'), 'pnpm-lock.yaml': '' },
    tools: 'pnpm',
    check: 'pnpm test',
    setup: 'pnpm install --frozen-lockfile',
  },
  yarn: {
    files: { 'package.json': script('jest'), 'yarn.lock': '' },
    tools: 'yarn',
    check: 'yarn test',
    setup: 'yarn install --frozen-lockfile',
  },
  'the second generation of yarn, by its field': {
    files: {
      'package.json': script('jest', { packageManager: 'yarn@4.1.0', workspaces: ['a'] }),
      'yarn.lock': '',
      'package-lock.json': '{}',
      '.yarnrc.yml': '',
    },
    tools: 'yarn',
    check: 'yarn test',
    setup: 'yarn install --immutable',
  },
  bun: {
    files: { 'package.json': script('bun test'), 'bun.lock': '' },
    tools: 'bun',
    check: 'bun run test',
    setup: 'bun install --frozen-lockfile',
  },
  'a package.json that is no JSON': { files: { 'package.json': '{' }, tools: 'npm' },
  deno: {
    files: { 'deno.json': '{"tasks":{"test":"deno test -A"}}' },
    tools: 'deno',
    check: 'deno task test',
    host: 'jsr.io',
  },
  'deno without tasks': {
    files: { 'deno.jsonc': '{ /* none */ }' },
    tools: 'deno',
    check: 'deno test',
    host: 'jsr.io',
  },
  uv: {
    files: { 'pyproject.toml': '[project]\ndependencies = ["pytest"]\n', 'uv.lock': '', 'src/': '' },
    tools: 'uv',
    check: 'PYTHONPATH=src .venv/bin/python -m pytest',
    setup: 'uv sync --no-install-project',
  },
  poetry: {
    files: { 'pyproject.toml': '[tool.poetry]\n[tool.pytest.ini_options]\n' },
    tools: 'poetry',
    check: '.venv/bin/python -m pytest',
    setup: 'POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-root',
  },
  pdm: {
    files: { 'pyproject.toml': '[tool.pdm]\n', 'pdm.lock': '', 'tests/': '' },
    tools: 'pdm',
    check: '.venv/bin/python -m unittest discover tests',
    setup: 'pdm sync --no-self',
  },
  pipenv: {
    files: { Pipfile: '[dev-packages]\npytest = "*"\n', 'Pipfile.lock': '{}' },
    tools: 'pipenv',
    check: '.venv/bin/python -m pytest',
    setup: 'PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev',
  },
  'pip with requirements': {
    files: { 'requirements.txt': 'flask\n', 'requirements-dev.txt': 'pytest\n' },
    tools: 'pip',
    check: '.venv/bin/python -m pytest',
    setup:
      'python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt -r requirements-dev.txt pytest',
  },
  'pip with extras': {
    files: {
      'pyproject.toml': '[project]\nname = "x"\n[project.optional-dependencies]\ndocs = ["a"]\ntest = ["pytest"]\n',
    },
    tools: 'pip',
    check: '.venv/bin/python -m pytest',
    setup: "python3 -m venv .venv && .venv/bin/python -m pip install '.[test]' pytest",
  },
  django: {
    files: { 'requirements.txt': 'django\n', 'manage.py': '' },
    tools: 'pip',
    check: '.venv/bin/python manage.py test',
    setup: 'python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt',
  },
  tox: { files: { 'tox.ini': '[tox]\n' }, tools: 'pip', check: 'tox' },
  nox: { files: { 'noxfile.py': '' }, tools: 'pip', check: 'nox' },
  cargo: {
    files: { 'Cargo.toml': '[package]\nname = "x"\n[dependencies]\nserde = "1"\n', 'Cargo.lock': '' },
    tools: 'cargo',
    check: 'cargo test',
    setup: 'mkdir -p .cargo && cargo vendor --quiet > .cargo/config.toml',
  },
  'cargo without packages': { files: { 'Cargo.toml': '[package]\nname = "x"\n' }, tools: 'cargo', check: 'cargo test' },
  'a workspace of cargo with settings of its own': {
    files: { 'Cargo.toml': '[workspace]\nmembers = ["a"]\n', '.cargo/config.toml': '' },
    tools: 'cargo',
    check: 'cargo test --workspace',
    host: 'index.crates.io',
  },
  go: { files: { 'go.mod': 'module x\n', 'go.sum': '' }, tools: 'go', check: 'go test ./...', setup: 'go mod vendor' },
  'go without packages': { files: { 'go.mod': 'module x\n' }, tools: 'go', check: 'go test ./...' },
  'a workspace of go': {
    files: { 'go.work': 'go 1.22\n\nuse (\n\t./api\n\t./web\n)\n' },
    tools: 'go',
    check: 'go test ./api/... ./web/...',
  },
  'a workspace of go in single lines': {
    files: { 'go.work': 'go 1.22\nuse ./api // the server\nuse "./web"\n', 'api/go.mod': '', 'web/go.mod': '' },
    tools: 'go',
    check: 'go test ./api/... ./web/...',
  },
  'a workspace of uv': {
    files: {
      'pyproject.toml': '[project]\nname = "x"\n[tool.uv.workspace]\nexclude = []\nmembers = ["libs/*"]\n',
      'uv.lock': '',
      'pytest.ini': '',
      'libs/one/pyproject.toml': '',
    },
    tools: 'uv',
    check: '.venv/bin/python -m pytest',
    setup: 'uv sync --all-packages --no-install-workspace',
    packages: ['libs/one'],
  },
  maven: {
    files: { 'pom.xml': '', mvnw: '' },
    tools: 'maven',
    check: './mvnw --batch-mode test',
    host: 'repo1.maven.org',
  },
  gradle: { files: { 'build.gradle.kts': '' }, tools: 'gradle', check: 'gradle test', host: 'services.gradle.org' },
  rspec: {
    files: { Gemfile: '', 'Gemfile.lock': '', 'spec/': '' },
    tools: 'bundler',
    check: 'bundle exec rspec',
    setup: 'bundle config set --local path vendor/bundle && bundle install',
  },
  rails: {
    files: { Gemfile: '', 'bin/rails': '' },
    tools: 'bundler',
    check: 'bin/rails test',
    setup: 'bundle config set --local path vendor/bundle && bundle install',
  },
  rake: {
    files: { Gemfile: '', Rakefile: '' },
    tools: 'bundler',
    check: 'bundle exec rake',
    setup: 'bundle config set --local path vendor/bundle && bundle install',
  },
  mix: {
    files: { 'mix.exs': '' },
    tools: 'mix',
    check: 'mix local.hex --force --if-missing && mix deps.get && mix test',
    host: 'repo.hex.pm',
  },
  composer: {
    files: { 'composer.json': '{"scripts":{"test":"phpunit"}}', 'composer.lock': '' },
    tools: 'composer',
    check: 'composer test',
    setup: 'composer install --no-interaction',
  },
  phpunit: {
    files: { 'composer.json': '{}', 'phpunit.xml.dist': '' },
    tools: 'composer',
    check: 'vendor/bin/phpunit',
    setup: 'composer install --no-interaction',
  },
  dotnet: { files: { 'Shop.sln': '' }, tools: 'dotnet', check: 'dotnet test', host: 'api.nuget.org' },
  flutter: {
    files: { 'pubspec.yaml': 'dependencies:\n  flutter:\n    sdk: flutter\n' },
    tools: 'pub',
    check: 'flutter test',
    host: 'pub.dev',
  },
  swift: { files: { 'Package.swift': '' }, tools: 'swift', check: 'swift test', host: 'github.com' },
  autotools: {
    files: { 'configure.ac': '', 'Makefile.am': '' },
    tools: 'autotools',
    check: 'autoreconf --force --install && ./configure && make check',
  },
  meson: {
    files: { 'meson.build': '' },
    tools: 'meson',
    check: 'meson setup build && meson test -C build',
  },
  cmake: {
    files: { 'CMakeLists.txt': '' },
    tools: 'cmake',
    check: 'cmake -B build && cmake --build build && ctest --test-dir build',
  },
  make: { files: { Makefile: 'TEST := x\nall: a\ntest: all\n\tsh t.sh\n' }, tools: '', check: 'make test' },
  just: { files: { justfile: 'x := "1"\n\ntest *args: build\n  sh t.sh\n' }, tools: '', check: 'just test' },
  taskfile: {
    files: { 'Taskfile.yml': 'version: 3\ntasks:\n  check:\n    cmds: [x]\n' },
    tools: '',
    check: 'task check',
  },
  'a Makefile without tests': { files: { Makefile: 'test := x\nall:\n' }, tools: '' },
  'one language beside a Makefile': {
    files: { 'go.mod': '', Makefile: 'test:\n' },
    tools: 'go',
    check: 'go test ./...',
  },
  'two languages under a Makefile': {
    files: { 'go.mod': '', 'package.json': script('x', {}), Makefile: 'test:\n' },
    tools: 'npm, go',
    check: 'make test',
  },
  'two languages': {
    files: { 'go.mod': '', 'package.json': script('x', {}) },
    tools: 'npm, go',
    check: 'npm test && go test ./...',
  },
  'projects in folders': {
    files: {
      'services/api/go.mod': '',
      'services/api/go.sum': '',
      'web/package.json': script('vitest'),
      'web/package-lock.json': '{}',
      'node_modules/x/package.json': script('no'),
    },
    tools: 'services/api go, web npm',
    check: '(cd services/api && go test ./...) && (cd web && npm test)',
    setup: '(cd services/api && go mod vendor) && (cd web && npm ci)',
  },
  'one project in a folder': { files: { 'app/go.mod': '' }, tools: 'app go', check: 'cd app && go test ./...' },
  'a workspace of npm': {
    files: {
      'package.json': '{"workspaces":["packages/*"],"scripts":{"build":"x"}}',
      'package-lock.json': '{}',
      'packages/a/package.json': '{}',
      'packages/b/package.json': script('x', {}),
      'packages/notes.txt': '',
    },
    tools: 'npm',
    check: 'npm test --workspaces --if-present',
    setup: 'npm ci',
    packages: ['packages/a', 'packages/b'],
    packageCheck: 'cd packages/b && npm test',
  },
  'a workspace of pnpm': {
    files: {
      'package.json': '{}',
      'pnpm-workspace.yaml': "packages:\n  - 'apps/*'\n  - libs/core # the heart\n  - '!apps/old'\n",
      'pnpm-lock.yaml': '',
      'apps/web/package.json': script('x', {}),
      'apps/old/package.json': script('x', {}),
      'libs/core/package.json': '{}',
    },
    tools: 'pnpm',
    check: 'pnpm -r --if-present test',
    setup: 'pnpm install --frozen-lockfile',
    packages: ['apps/web', 'libs/core'],
  },
  'a workspace of pnpm with packages below each other': {
    files: {
      'package.json': script('x'),
      'pnpm-workspace.yaml': "packages: \n  - 'apps/**'\n",
      'pnpm-lock.yaml': '',
      'apps/web/package.json': script('x', {}),
      'apps/web/inner/package.json': '{}',
      'apps/web/node_modules/x/package.json': '{}',
    },
    tools: 'pnpm',
    check: 'pnpm test',
    setup: 'pnpm install --frozen-lockfile',
    packages: ['apps/web', 'apps/web/inner'],
  },
  'a workspace with a task runner': {
    files: {
      'package.json': '{"workspaces":{"packages":["a"]},"packageManager":"yarn@4.1.0"}',
      'yarn.lock': '',
      '.yarnrc.yml': '',
      'turbo.json': '{}',
      'a/package.json': script('x', {}),
    },
    tools: 'yarn',
    check: 'yarn turbo run test',
    setup: 'yarn install --immutable',
    packages: ['a'],
  },
  'a workspace of cargo': {
    files: { 'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n', 'crates/one/Cargo.toml': '', vendor: '' },
    tools: 'cargo',
    check: 'cargo test --workspace',
    packages: ['crates/one'],
  },
  'nothing at all': { files: {}, tools: '' },
};

describe('what is proposed', () => {
  test.each(Object.entries(KINDS))('fits %s, and nothing is wrong with it', (_, kind) => {
    const folder = givenFolder(kind.files);
    const detected = detect(folder);
    const tools = detected.projects.map((each) => [each.folder, each.tool].filter((part) => part !== '').join(' '));
    expect(tools.join(', ')).toBe(kind.tools);
    expect(detected.check?.run).toBe(kind.check);
    expect(detected.setup?.run).toBe(kind.setup);
    expect(detected.link).toEqual(kind.link ?? []);
    if (kind.packages !== undefined) expect(detected.packages).toEqual(kind.packages);
    if (kind.packageCheck !== undefined) expect(detected.packageCheck).toBe(kind.packageCheck);
    expect(detected.isEmpty).toBe(Object.keys(kind.files).length === 0);
    if (kind.host === undefined) expect(detected.hosts).toEqual([]);
    else expect(detected.hosts).toContain(kind.host);
    const proposal = {
      agents: ['claude', 'codex'],
      detected,
      agentHosts: ['*.a.com'],
      name: 'shop',
      schema: undefined,
    };
    mkdirSync(join(folder, '.heddle'));
    writeFileSync(join(folder, '.heddle', 'config.yaml'), settingsText(proposal));
    writeFileSync(join(folder, 'plan.yaml'), planText(proposal));
    const loaded = loadPlan(join(folder, 'plan.yaml'), {});
    const codes = new Set(loaded.diagnostics.map(({ code }) => code));
    expect(codes).toEqual(new Set(kind.check === undefined ? ['no-check'] : []));
    const plan = planOf(loaded);
    assert(plan !== undefined, 'A plan with which nothing is wrong can be read.');
    expect(verify(compile(plan).net)).toMatchObject({ verdict: { type: 'sound' } });
  });

  test('leaves room for the terminal, and names each value once', () => {
    const detected = detect(givenFolder(KINDS['projects in folders']?.files ?? {}));
    const proposal = { agents: ['pi'], detected, agentHosts: [], name: 'shop', schema: 'x.json' };
    const texts = [settingsText(proposal), planText(proposal)];
    const wide = texts.flatMap((text) => text.split('\n')).filter((line) => line.length > 76);
    expect(wide.filter((line) => !line.includes('&&'))).toEqual([]);
    expect(texts[0]).toContain('agent: pi\n');
    expect(texts[1]).toMatch(/^# yaml-language-server: \$schema=x\.json\n/);
  });

  test('says which projects the check leaves out', () => {
    const detected = detect(givenFolder({ 'go.mod': '', 'web/package.json': script('x', {}), 'tools/go.mod': '' }));
    expect(detected.check?.run).toBe('go test ./...');
    expect(detected.others.map(({ folder }) => folder)).toEqual(['web']);
    const workspace = {
      'package.json': '{}',
      'pnpm-lock.yaml': '',
      'pnpm-workspace.yaml': 'packages:\n  - a\n',
      'a/package.json': '{}',
    };
    const further = detect(givenFolder({ ...workspace, 'b/package.json': '{}' })).others;
    expect(further.map(({ folder }) => folder)).toEqual(['b']);
  });
});
