// Projects of Node, Bun and Deno: which installer, which script, and how dependencies come into a sandbox.
import { fieldsOf, NO_TOOLCHAIN, type FolderView, type ToolCommand, type Toolchain } from './toolchain.ts';
import { type Fields } from '../../core/plan/json-fields.ts';

export function detectNode(look: FolderView): Toolchain | undefined {
  if (!look.has('package.json')) return undefined;
  const fields = look.data('package.json');
  const installer = installerOf(look, fields);
  const lock = look.first(...installer.locks);
  const packages = look.members(workspacesOf(look, fields), 'package.json');
  const tested = packages.find((path) => fieldsOf(look.data(`${path}/package.json`)['scripts'])['test'] !== undefined);
  const scripts = fieldsOf(fields['scripts']);
  return {
    tool: installer.name,
    evidence: ['package.json', ...(lock === undefined ? [] : [lock])],
    check:
      checkOf(installer, scripts, ['test']) ??
      (tested === undefined ? undefined : workspaceCheck(look, installer)) ??
      checkOf(installer, scripts, OTHER_SCRIPTS),
    setup: setupOf(look, { installer, lock, fields }),
    // Without a lock file each commit could install other versions, so the installed packages are shared instead.
    link: lock === undefined && look.has('node_modules') ? ['node_modules'] : [],
    hosts: [],
    packages,
    packageCheck: tested === undefined ? undefined : `cd ${tested} && ${installer.name} test`,
  };
}

interface Installer {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  readonly locks: readonly string[];
  /** Exactly the versions of the lock file. */
  readonly install: string;
}

const INSTALLERS: readonly Installer[] = [
  { name: 'pnpm', locks: ['pnpm-lock.yaml'], install: 'pnpm install --frozen-lockfile' },
  { name: 'yarn', locks: ['yarn.lock'], install: 'yarn install --frozen-lockfile' },
  { name: 'bun', locks: ['bun.lock', 'bun.lockb'], install: 'bun install --frozen-lockfile' },
];

const NPM: Installer = { name: 'npm', locks: ['package-lock.json', 'npm-shrinkwrap.json'], install: 'npm ci' };

/** The field of package.json is meant for this; a lock file is left by the last installation. */
function installerOf(look: FolderView, fields: Fields): Installer {
  const wanted = fields['packageManager'];
  const named = typeof wanted === 'string' ? wanted.split('@')[0] : undefined;
  return (
    [NPM, ...INSTALLERS].find(({ name }) => name === named) ??
    INSTALLERS.find(({ locks }) => look.first(...locks)) ??
    NPM
  );
}

/** From the strongest evidence about the work to the weakest. */
const OTHER_SCRIPTS = ['test:ci', 'test:run', 'test:unit', 'check', 'ci', 'typecheck', 'lint', 'build'] as const;

/** The default script of `npm init`, and scripts that watch for changes instead of ending. */
const JUDGES_NOTHING = /no test specified|\bng test\b|--watch(?:All)?(?!=false|[\w-])/;

function checkOf({ name }: Installer, scripts: Fields, wanted: readonly string[]): ToolCommand | undefined {
  const textOf = (script: string): string => (typeof scripts[script] === 'string' ? scripts[script] : '');
  const script = wanted.find((each) => textOf(each) !== '' && !JUDGES_NOTHING.test(textOf(each)));
  if (script === undefined) return undefined;
  // `bun test` starts Bun's own tests, regardless of the script.
  const isShort = script === 'test' && name !== 'bun';
  // These watch for changes unless a flag or variable makes them non-interactive.
  const told = textOf(script).includes('react-scripts test') ? 'CI=true ' : '';
  return { run: `${told}${name} ${isShort ? '' : 'run '}${script}`, because: `the script ${script} of package.json` };
}

/** The patterns of a workspace: of npm, yarn and bun in package.json, of pnpm in a file of its own. */
function workspacesOf(look: FolderView, { workspaces }: Fields): readonly string[] {
  const listed = Array.isArray(workspaces) ? workspaces : fieldsOf(workspaces)['packages'];
  const own = Array.isArray(listed) ? listed.filter((each) => typeof each === 'string') : [];
  const ofPnpm = [...look.text('pnpm-workspace.yaml').matchAll(/^\s*-\s*["']?([^"'#\s]+)/gm)].map(
    ([, each = '']) => each,
  );
  return [...own, ...ofPnpm];
}

/** The tests of every package that has some. A task runner knows which of them a change concerns. */
function workspaceCheck(look: FolderView, { name }: Installer): ToolCommand {
  const because = 'the tests of every package of the workspace';
  const runner = name === 'npm' ? 'npx' : name === 'bun' ? 'bunx' : name;
  if (look.has('turbo.json')) return { run: `${runner} turbo run test`, because };
  if (look.has('nx.json')) return { run: `${runner} nx run-many -t test`, because };
  const runs: Readonly<Record<Installer['name'], string>> = {
    npm: 'npm test --workspaces --if-present',
    pnpm: 'pnpm -r --if-present test',
    yarn: look.has('.yarnrc.yml') ? 'yarn workspaces foreach -A run test' : 'yarn workspaces run test',
    bun: "bun run --filter '*' test",
  };
  return { run: runs[name], because };
}

interface Installing {
  readonly installer: Installer;
  readonly lock: string | undefined;
  readonly fields: Fields;
}

function setupOf(look: FolderView, { installer, lock, fields }: Installing): ToolCommand | undefined {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'].map((kind) => fieldsOf(fields[kind]));
  const isBare = workspacesOf(look, fields).length === 0 && kinds.every((kind) => Object.keys(kind).length === 0);
  if (isBare || (lock === undefined && look.has('node_modules'))) return undefined;
  if (lock === undefined) return { run: `${installer.name} install`, because: 'there is no lock file yet' };
  // The second generation of Yarn, which is known by its settings, has another word for it.
  const isBerry = installer.name === 'yarn' && look.has('.yarnrc.yml');
  return { run: isBerry ? 'yarn install --immutable' : installer.install, because: `installs what ${lock} says` };
}

export function detectDeno(look: FolderView): Toolchain | undefined {
  const file = look.first('deno.json', 'deno.jsonc');
  if (file === undefined) return undefined;
  const hasTask = /"test"\s*:/.test(look.text(file));
  const check = hasTask
    ? { run: 'deno task test', because: `the task test of ${file}` }
    : { run: 'deno test', because: "Deno's own tests" };
  return {
    ...NO_TOOLCHAIN,
    tool: 'deno',
    evidence: [file],
    check,
    hosts: ['jsr.io', 'deno.land', 'registry.npmjs.org'],
  };
}
