// Projects recognized by one file and tested by one command, and projects in Ruby and PHP.
import { fieldsOf, type Look } from './look.ts';
import { NOTHING, type Command, type Toolchain } from './toolchain.ts';

const MAVEN_HOSTS = ['repo.maven.apache.org', 'repo1.maven.org'];
const GRADLE_HOSTS = ['services.gradle.org', 'plugins.gradle.org', ...MAVEN_HOSTS];

interface Known {
  readonly tool: string;
  readonly files: readonly string[];
  readonly check: (look: Look) => string;
  readonly hosts: readonly string[];
}

const wrapped = (look: Look, wrapper: string, program: string): string =>
  look.has(wrapper) ? `./${wrapper}` : program;

const KNOWN: readonly Known[] = [
  {
    tool: 'maven',
    files: ['pom.xml'],
    check: (look) => `${wrapped(look, 'mvnw', 'mvn')} --batch-mode test`,
    hosts: MAVEN_HOSTS,
  },
  {
    tool: 'gradle',
    files: ['build.gradle.kts', 'build.gradle', 'settings.gradle.kts', 'settings.gradle'],
    check: (look) => `${wrapped(look, 'gradlew', 'gradle')} test`,
    hosts: GRADLE_HOSTS,
  },
  { tool: 'sbt', files: ['build.sbt'], check: () => 'sbt test', hosts: MAVEN_HOSTS },
  {
    tool: 'mix',
    files: ['mix.exs'],
    check: () => 'mix local.hex --force --if-missing && mix deps.get && mix test',
    hosts: ['repo.hex.pm', 'builds.hex.pm'],
  },
  {
    tool: 'pub',
    files: ['pubspec.yaml'],
    check: (look) => (look.text('pubspec.yaml').includes('sdk: flutter') ? 'flutter test' : 'dart test'),
    hosts: ['pub.dev'],
  },
  { tool: 'swift', files: ['Package.swift'], check: () => 'swift test', hosts: ['github.com'] },
  {
    tool: 'stack',
    files: ['stack.yaml'],
    check: () => 'stack test',
    hosts: ['hackage.haskell.org', 's3.amazonaws.com'],
  },
  { tool: 'cabal', files: ['cabal.project'], check: () => 'cabal test all', hosts: ['hackage.haskell.org'] },
  { tool: 'zig', files: ['build.zig'], check: () => 'zig build test', hosts: [] },
  {
    tool: 'bazel',
    files: ['MODULE.bazel', 'WORKSPACE'],
    check: () => 'bazel test //...',
    hosts: ['bcr.bazel.build', 'github.com'],
  },
  {
    tool: 'cmake',
    files: ['CMakeLists.txt'],
    check: () => 'cmake -B build && cmake --build build && ctest --test-dir build',
    hosts: [],
  },
];

export function detectKnown(look: Look): readonly Toolchain[] {
  return KNOWN.flatMap(({ tool, files, check, hosts }) => {
    const file = look.first(...files);
    return file === undefined
      ? []
      : [{ ...NOTHING, tool, evidence: [file], check: { run: check(look), because: `the tests of ${tool}` }, hosts }];
  });
}

export function detectDotnet(look: Look): Toolchain | undefined {
  const [file] = look.ending('.sln', '.slnx', '.csproj', '.fsproj', '.vbproj');
  if (file === undefined) return undefined;
  const check = { run: 'dotnet test', because: 'the tests of .NET' };
  return { ...NOTHING, tool: 'dotnet', evidence: [file], check, hosts: ['api.nuget.org'] };
}

export function detectRuby(look: Look): Toolchain | undefined {
  if (!look.has('Gemfile')) return undefined;
  const lock = look.has('Gemfile.lock') ? ['Gemfile.lock'] : [];
  const setup = {
    run: 'bundle config set --local path vendor/bundle && bundle install',
    because: 'installs what the Gemfile says into the tree',
  };
  return { ...NOTHING, tool: 'bundler', evidence: ['Gemfile', ...lock], check: checkOfRuby(look), setup };
}

function checkOfRuby(look: Look): Command | undefined {
  if (look.has('spec')) return { run: 'bundle exec rspec', because: 'the folder spec' };
  if (look.has('bin/rails')) return { run: 'bin/rails test', because: 'the tests of Rails' };
  if (look.has('Rakefile')) return { run: 'bundle exec rake', because: 'the default task of the Rakefile' };
  return undefined;
}

export function detectPhp(look: Look): Toolchain | undefined {
  if (!look.has('composer.json')) return undefined;
  const lock = look.has('composer.lock') ? ['composer.lock'] : [];
  const scripts = fieldsOf(look.data('composer.json')['scripts']);
  const settings = look.first('phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml');
  const phpunit = settings === undefined ? undefined : { run: 'vendor/bin/phpunit', because: settings };
  const check =
    scripts['test'] === undefined ? phpunit : { run: 'composer test', because: 'the script test of composer.json' };
  const setup = { run: 'composer install --no-interaction', because: 'installs what composer.lock says' };
  return { ...NOTHING, tool: 'composer', evidence: ['composer.json', ...lock], check, setup };
}

/** Task-runner files that any project may have beside the files of its language. */
export function detectTargets(look: Look): Toolchain | undefined {
  const make = look.first('GNUmakefile', 'makefile', 'Makefile');
  const just = look.first('justfile', 'Justfile', '.justfile');
  const task = look.first('Taskfile.yml', 'Taskfile.yaml');
  return (
    targetIn(look, { tool: 'make', file: make, rule: (name) => new RegExp(`^${name}\\s*:(?!=)`, 'm') }) ??
    targetIn(look, { tool: 'just', file: just, rule: (name) => new RegExp(`^@?${name}\\b[^=\\n]*:(?!=)`, 'm') }) ??
    targetIn(look, { tool: 'task', file: task, rule: (name) => new RegExp(`^ +${name}:`, 'm') })
  );
}

interface Targets {
  readonly tool: string;
  readonly file: string | undefined;
  readonly rule: (target: string) => RegExp;
}

function targetIn(look: Look, { tool, file, rule }: Targets): Toolchain | undefined {
  if (file === undefined) return undefined;
  const target = ['test', 'check'].find((name) => rule(name).test(look.text(file)));
  if (target === undefined) return undefined;
  return {
    ...NOTHING,
    tool,
    evidence: [file],
    check: { run: `${tool} ${target}`, because: `the target ${target} of ${file}` },
  };
}
