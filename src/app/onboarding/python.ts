// Projects of Python: which installer, which tests, and an environment that a sandbox can take along.
//
// A Python environment is bound to its folder. The dependencies of a sandbox are therefore installed into `.venv`
// without the project itself, and started as `python -m`, which finds the project in the sandbox's own files.
import { NO_TOOLCHAIN, type FolderView, type ToolCommand, type Toolchain } from './toolchain.ts';

const MANIFESTS = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile', 'tox.ini', 'noxfile.py'];

export function detectPython(look: FolderView): Toolchain | undefined {
  const manifests = MANIFESTS.filter((name) => look.has(name));
  if (manifests.length === 0) return undefined;
  const installer = installerOf(look);
  const lock = installer.lock !== undefined && look.has(installer.lock) ? [installer.lock] : [];
  const setup = installer.setup(look);
  const evidence = [...new Set([...manifests, ...lock])];
  const packages = look.members(membersOfUv(look), 'pyproject.toml');
  return {
    ...NO_TOOLCHAIN,
    tool: installer.tool,
    evidence,
    check: checkOf(look, setup !== undefined),
    setup,
    packages,
  };
}

interface Installer {
  readonly tool: string;
  readonly lock: string | undefined;
  readonly setup: (look: FolderView) => ToolCommand | undefined;
}

const because = 'installs the packages, without the project itself, into .venv';
const always = (run: string) => (): ToolCommand => ({ run, because });

const PIP: Installer = { tool: 'pip', lock: undefined, setup: setupOfPip };

const INSTALLERS: readonly (Installer & { readonly isMeant: (look: FolderView, pyproject: string) => boolean })[] = [
  {
    tool: 'uv',
    lock: 'uv.lock',
    isMeant: (look, pyproject) => look.has('uv.lock') || pyproject.includes('[tool.uv'),
    setup: (look) => ({
      run:
        membersOfUv(look).length > 0 ? 'uv sync --all-packages --no-install-workspace' : 'uv sync --no-install-project',
      because,
    }),
  },
  {
    tool: 'poetry',
    lock: 'poetry.lock',
    isMeant: (look, pyproject) => look.has('poetry.lock') || pyproject.includes('[tool.poetry'),
    setup: always('POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-root'),
  },
  {
    tool: 'pdm',
    lock: 'pdm.lock',
    isMeant: (look, pyproject) => look.has('pdm.lock') || pyproject.includes('[tool.pdm'),
    setup: always('pdm sync --no-self'),
  },
  {
    tool: 'pipenv',
    lock: 'Pipfile.lock',
    isMeant: (look) => look.has('Pipfile'),
    setup: always('PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev'),
  },
];

/** The patterns of a workspace of uv. */
function membersOfUv(look: FolderView): readonly string[] {
  const section =
    look
      .text('pyproject.toml')
      .split(/^\[tool\.uv\.workspace\]/m)[1]
      ?.split(/^\[/m)[0] ?? '';
  const listed = /^members\s*=\s*\[([^\]]*)\]/m.exec(section)?.[1] ?? '';
  return [...listed.matchAll(/["']([^"']+)["']/g)].map(([, each = '']) => each);
}

function installerOf(look: FolderView): Installer {
  const pyproject = look.text('pyproject.toml');
  return INSTALLERS.find(({ isMeant }) => isMeant(look, pyproject)) ?? PIP;
}

/** Extras that people give the tests of a package, the likeliest first. */
const EXTRAS = ['test', 'tests', 'testing', 'dev'];

function setupOfPip(look: FolderView): ToolCommand | undefined {
  const lists = ['requirements.txt', 'requirements-dev.txt', 'requirements-test.txt', 'dev-requirements.txt'];
  const there = lists.filter((name) => look.has(name)).map((name) => `-r ${name}`);
  const pytest = hasPytest(look) ? ['pytest'] : [];
  const wanted = there.length > 0 ? [...there, ...pytest] : [...itself(look), ...pytest];
  if (wanted.length === 0) return undefined;
  const why = there.length > 0 ? 'installs what the lists of requirements say into .venv' : 'installs into .venv';
  return { run: `python3 -m venv .venv && .venv/bin/python -m pip install ${wanted.join(' ')}`, because: why };
}

/** Dependencies of the project install only together with the project; the sandbox's files still take precedence. */
function itself(look: FolderView): readonly string[] {
  const pyproject = look.text('pyproject.toml');
  if (!pyproject.includes('[project]') && !look.has('setup.py') && !look.has('setup.cfg')) return [];
  const extras = /\[project\.optional-dependencies\]([^[]*(?:\[[^\]]*\][^[]*)*)/.exec(pyproject)?.[1] ?? '';
  const extra = EXTRAS.find((name) => new RegExp(`^${name}\\s*=`, 'm').test(extras));
  return [extra === undefined ? '.' : `'.[${extra}]'`];
}

function hasPytest(look: FolderView): boolean {
  const places = ['pyproject.toml', 'setup.cfg', 'tox.ini', 'requirements.txt', 'requirements-dev.txt', 'Pipfile'];
  return look.has('pytest.ini') || look.has('conftest.py') || places.some((name) => look.text(name).includes('pytest'));
}

function checkOf(look: FolderView, hasEnvironment: boolean): ToolCommand | undefined {
  const python = `${look.has('src') ? 'PYTHONPATH=src ' : ''}${hasEnvironment ? '.venv/bin/python' : 'python3'}`;
  if (look.has('manage.py')) return { run: `${python} manage.py test`, because: 'the tests of Django' };
  if (hasPytest(look)) return { run: `${python} -m pytest`, because: 'pytest is named in the project' };
  if (look.has('tox.ini')) return { run: 'tox', because: 'tox.ini' };
  if (look.has('noxfile.py')) return { run: 'nox', because: 'noxfile.py' };
  const tests = look.first('tests', 'test');
  return tests === undefined
    ? undefined
    : { run: `${python} -m unittest discover ${tests}`, because: `the folder ${tests}` };
}
