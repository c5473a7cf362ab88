// Projects recognized by one file and tested by one command, and projects in Ruby, PHP, Rust and Go.
//
// Set-up puts the packages of Rust and Go into the tree, because the home folder, where they are kept otherwise, is
// another one in every sandbox.
import { fieldsOf, NO_TOOLCHAIN, type FolderView, type ToolCommand, type Toolchain } from './toolchain.ts';

const MAVEN_HOSTS = ['repo.maven.apache.org', 'repo1.maven.org'];
const GRADLE_HOSTS = ['services.gradle.org', 'plugins.gradle.org', ...MAVEN_HOSTS];

interface Known {
  readonly tool: string;
  readonly files: readonly string[];
  readonly check: (look: FolderView) => string;
  readonly hosts: readonly string[];
}

const wrapped = (look: FolderView, wrapper: string, program: string): string =>
  look.has(wrapper) ? `./${wrapper}` : program;

/** Makes `configure` where the repository does not have it. */
function configureOf(look: FolderView): string {
  if (look.has('configure')) return '';
  return look.has('autogen.sh') ? 'NOCONFIGURE=1 ./autogen.sh && ' : 'autoreconf --force --install && ';
}

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
  { tool: 'meson', files: ['meson.build'], check: () => 'meson setup build && meson test -C build', hosts: [] },
  {
    tool: 'autotools',
    files: ['configure.ac', 'configure.in'],
    check: (look) => `${configureOf(look)}./configure && make check`,
    hosts: [],
  },
];

export function detectKnown(look: FolderView): readonly Toolchain[] {
  return KNOWN.flatMap(({ tool, files, check, hosts }) => {
    const file = look.first(...files);
    return file === undefined
      ? []
      : [
          {
            ...NO_TOOLCHAIN,
            tool,
            evidence: [file],
            check: { run: check(look), because: `the tests of ${tool}` },
            hosts,
          },
        ];
  });
}

export function detectDotnet(look: FolderView): Toolchain | undefined {
  const [file] = look.ending('.sln', '.slnx', '.csproj', '.fsproj', '.vbproj');
  if (file === undefined) return undefined;
  const check = { run: 'dotnet test', because: 'the tests of .NET' };
  return { ...NO_TOOLCHAIN, tool: 'dotnet', evidence: [file], check, hosts: ['api.nuget.org'] };
}

export function detectRuby(look: FolderView): Toolchain | undefined {
  if (!look.has('Gemfile')) return undefined;
  const lock = look.has('Gemfile.lock') ? ['Gemfile.lock'] : [];
  const setup = {
    run: 'bundle config set --local path vendor/bundle && bundle install',
    because: 'installs what the Gemfile says into the tree',
  };
  return { ...NO_TOOLCHAIN, tool: 'bundler', evidence: ['Gemfile', ...lock], check: checkOfRuby(look), setup };
}

function checkOfRuby(look: FolderView): ToolCommand | undefined {
  if (look.has('spec')) return { run: 'bundle exec rspec', because: 'the folder spec' };
  if (look.has('bin/rails')) return { run: 'bin/rails test', because: 'the tests of Rails' };
  if (look.has('Rakefile')) return { run: 'bundle exec rake', because: 'the default task of the Rakefile' };
  return undefined;
}

export function detectPhp(look: FolderView): Toolchain | undefined {
  if (!look.has('composer.json')) return undefined;
  const lock = look.has('composer.lock') ? ['composer.lock'] : [];
  const scripts = fieldsOf(look.data('composer.json')['scripts']);
  const settings = look.first('phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml');
  const phpunit = settings === undefined ? undefined : { run: 'vendor/bin/phpunit', because: settings };
  const check =
    scripts['test'] === undefined ? phpunit : { run: 'composer test', because: 'the script test of composer.json' };
  const setup = { run: 'composer install --no-interaction', because: 'installs what composer.lock says' };
  return { ...NO_TOOLCHAIN, tool: 'composer', evidence: ['composer.json', ...lock], check, setup };
}

/** Task-runner files that any project may have beside the files of its language. */
export function detectTargets(look: FolderView): Toolchain | undefined {
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

function targetIn(look: FolderView, { tool, file, rule }: Targets): Toolchain | undefined {
  if (file === undefined) return undefined;
  const target = ['test', 'check'].find((name) => rule(name).test(look.text(file)));
  if (target === undefined) return undefined;
  return {
    ...NO_TOOLCHAIN,
    tool,
    evidence: [file],
    check: { run: `${tool} ${target}`, because: `the target ${target} of ${file}` },
  };
}

export function detectRust(look: FolderView): Toolchain | undefined {
  if (!look.has('Cargo.toml')) return undefined;
  const manifest = look.text('Cargo.toml');
  const isWorkspace = manifest.includes('[workspace]');
  const check = isWorkspace
    ? { run: 'cargo test --workspace', because: 'the tests of every crate of the workspace' }
    : { run: 'cargo test', because: "Cargo's tests" };
  const lock = look.has('Cargo.lock') ? ['Cargo.lock'] : [];
  const hasPackages = /^\[(?:[\w.'-]+\.)?(?:dev-|build-)?dependencies/m.test(manifest) || isWorkspace;
  const settings = look.first('.cargo/config.toml', '.cargo/config');
  const evidence = ['Cargo.toml', ...lock];
  const packages = look.members(cratesOf(manifest), 'Cargo.toml');
  const packageCheck = packages[0] === undefined ? undefined : `cargo test --manifest-path ${packages[0]}/Cargo.toml`;
  const plain = { ...NO_TOOLCHAIN, tool: 'cargo', evidence, check, packages, packageCheck };
  if (!hasPackages || look.has('vendor')) return plain;
  // Set-up cannot add to a file of the repository, so there the packages are fetched in every sandbox.
  return settings === undefined
    ? { ...plain, setup: VENDOR_CRATES }
    : { ...plain, hosts: ['index.crates.io', 'static.crates.io'] };
}

const cratesOf = (manifest: string): readonly string[] =>
  [...(/^members\s*=\s*\[([^\]]*)\]/m.exec(manifest)?.[1] ?? '').matchAll(/["']([^"']+)["']/g)].map(
    ([, each = '']) => each,
  );

const VENDOR_CRATES: ToolCommand = {
  run: 'mkdir -p .cargo && cargo vendor --quiet > .cargo/config.toml',
  because: 'puts the crates into the tree, so that tests need no network',
};

export function detectGo(look: FolderView): Toolchain | undefined {
  const file = look.first('go.work', 'go.mod');
  if (file === undefined) return undefined;
  const modules = file === 'go.work' ? modulesOf(look.text(file)) : [];
  const run = `go test ${modules.length === 0 ? './...' : modules.map((path) => `${path}/...`).join(' ')}`;
  const sums = look.first('go.work.sum', 'go.sum');
  const vendor = file === 'go.work' ? 'go work vendor' : 'go mod vendor';
  const setup = { run: vendor, because: 'puts the packages into the tree, so that tests need no network' };
  const isNeeded = sums !== undefined && !look.has('vendor');
  const evidence = [file, ...(sums === undefined ? [] : [sums])];
  return {
    ...NO_TOOLCHAIN,
    tool: 'go',
    evidence,
    check: { run, because: "Go's tests" },
    setup: isNeeded ? setup : undefined,
    packages: modules.map((path) => path.replace(/^\.\//, '')),
    packageCheck: modules[0] === undefined ? undefined : `go test ${modules[0]}/...`,
  };
}

/** The folders that a workspace of Go uses. */
function modulesOf(text: string): readonly string[] {
  const code = text.replace(/\/\/.*$/gm, '');
  const used = [...code.matchAll(/^use\s*(?:\(([^)]*)\)|(\S+))/gm)].flatMap(([, block, one]) => block ?? one ?? '');
  const paths = used.flatMap((each) => each.split(/\s+/)).map((path) => path.replace(/^"(.*)"$/, '$1'));
  return [...new Set(paths)].filter((path) => /^\.[\w./-]*$/.test(path));
}
