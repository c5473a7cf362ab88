import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findToolchains } from './toolchains.ts';

/** A home folder with programs in it; a name that ends in ` -> x` is a link, one that ends in `*` a program. */
function given(names: readonly string[]) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-tools-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const name of names) {
    const [path = '', aim] = name.replace(/\*$/, '').split(' -> ');
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (aim === undefined) writeFileSync(join(root, path), '', { mode: name.endsWith('*') ? 0o755 : 0o644 });
    else symlinkSync(aim, join(root, path));
  }
  const find = (...path: readonly string[]) => {
    const found = findToolchains({
      path: path.map((one) => (one.startsWith('/') || one === '.' ? one : join(root, one))).join(delimiter),
      home: join(root, 'home'),
      hidden: [join(root, 'project/.heddle')],
      programs: [],
    });
    const shorten = (path: string): string => path.replace(`${root}/`, '');
    return {
      paths: found.paths.map(shorten).toSorted(),
      masked: found.masked.map(shorten).toSorted(),
      environment: Object.fromEntries(Object.entries(found.environment).map(([name, value]) => [name, shorten(value)])),
    };
  };
  return find;
}

test('of programs right below the home folder only their folder is shown, further down all that is beside it', () => {
  const find = given([
    'home/.cargo/bin/cargo',
    'home/.cargo/credentials',
    'home/.nvm/versions/v24/bin/node',
    'home/.nvm/versions/v24/lib/node_modules/npm/cli.js',
    'home/bin/x',
  ]);
  expect(find('home/.cargo/bin', 'home/.nvm/versions/v24/bin', 'home/bin').paths).toEqual([
    'home/.cargo/bin',
    'home/.nvm/versions/v24',
    'home/bin',
  ]);
});

test('a folder of the PATH that cannot be looked at is passed over', () => {
  // Links in a circle are refused to everybody, root too.
  const find = given(['home/bin/x', 'home/round -> round', 'home/file']);
  expect(find('home/round', 'home/round/bin', 'home/file', 'home/bin').paths).toEqual(['home/bin']);
});

test('a link to a folder shows nothing beside that folder, nor does one that leads round', () => {
  const find = given([
    'tools/x/bin/run',
    'tools/x/secret',
    'own/X11 -> .',
    'own/all -> ../tools/x',
    'own/round -> round',
  ]);
  expect(find('own').paths).toEqual(['own']);
});

test('what programs are links to is shown with all that belongs to it', () => {
  const find = given([
    'home/.local/share/pipx/black/bin/black*',
    'home/.local/share/pipx/black/lib/black.py',
    'home/.local/bin/black -> ../share/pipx/black/bin/black',
    'home/.npm-global/lib/node_modules/tool/cli/tool.js*',
    'home/.npm-global/bin/tool -> ../lib/node_modules/tool/cli/tool.js',
    'home/.npm-global/bin/gone -> ../nowhere',
  ]);
  expect(find('home/.local/bin', 'home/.npm-global/bin').paths).toEqual([
    'home/.local/bin',
    'home/.local/share/pipx/black',
    'home/.npm-global/bin',
    'home/.npm-global/lib/node_modules',
  ]);
});

test('a program that is a link to a link is found by all the way', () => {
  const find = given([
    'cellar/agent/1.0/libexec/agent*',
    'brew/opt/links/agent -> ../../../cellar/agent/1.0/libexec/agent',
    'home/.local/bin/agent -> ../../../brew/opt/links/agent',
  ]);
  expect(find('home/.local/bin').paths).toEqual(['brew/opt/links', 'cellar/agent/1.0/libexec', 'home/.local/bin']);
});

test('neither the home folder, nor what is hidden, nor what is above them is ever shown', () => {
  const find = given(['home/x', 'project/.heddle/sandboxes/bin/x', 'project/bin/x', 'home/.ssh/id']);
  expect(find('home', '.', '/', 'project', 'project/.heddle/sandboxes/bin', 'nowhere').paths).toEqual([]);
  expect(find('project/bin').paths).toEqual(['project/bin']);
});

test('beside a folder of programs outside the home folder only libraries are shown, unless it is an installation', () => {
  const find = given([
    'srv/company/bin/tool*',
    'srv/company/lib/tool.so',
    'srv/company/secrets.yaml',
    'srv/app/bin/rails*',
    'srv/app/.env',
    'srv/data/bin/run*',
    'srv/data/customers',
    'srv/jdk/bin/java*',
    'srv/jdk/lib/modules',
    'srv/jdk/conf/security',
    'srv/jdk/release',
  ]);
  expect(find('srv/company/bin', 'srv/app/bin', 'srv/data/bin', 'srv/jdk/bin').paths).toEqual([
    'srv/app/bin',
    'srv/company/bin',
    'srv/company/lib',
    'srv/data/bin',
    'srv/jdk',
  ]);
});

test('a project or a service with libraries of its own is no installation, however its settings are named', () => {
  const beside = ['config/database.yml', 'customers.csv', 'etc/server.key', 'data/dump.sql'];
  const names = beside.map((name, at) => `srv/app${at}/${name}`);
  const programs = names.flatMap((_, at) => [`srv/app${at}/bin/run*`, `srv/app${at}/lib/run.so`]);
  const find = given([...names, ...programs, 'srv/app0/share/run.dat']);
  expect(find(...names.map((_, at) => `srv/app${at}/bin`)).paths).toEqual([
    'srv/app0/bin',
    'srv/app0/lib',
    'srv/app0/share',
    ...[1, 2, 3].flatMap((at) => [`srv/app${at}/bin`, `srv/app${at}/lib`]),
  ]);
});

test('of a folder of programs what looks like a secret is masked, unless it is a program', () => {
  const find = given(['srv/bin/.env', 'srv/bin/api-token', 'srv/bin/.keys/one', 'srv/bin/git-credential-own*']);
  const { paths, masked } = find('srv/bin');
  expect(paths).toEqual(['srv/bin']);
  expect(masked).toEqual(['srv/bin/.env', 'srv/bin/.keys', 'srv/bin/api-token']);
});

test('a link to what is no program shows nothing', () => {
  const find = given(['home/links/settings -> ../work/settings.yml', 'home/work/settings.yml', 'home/links/x*']);
  expect(find('home/links').paths).toEqual(['home/links/x']);
});

test.each(['id_ed25519', 'id_rsa.old', 'deploy_key', 'apikey.txt', 'server.p12', 'release.keystore', 'own.kdbx'])(
  'a folder of programs with a key in it, %s, shows its programs one by one',
  (name) => {
    const find = given(['srv/app/tool*', 'srv/app/tool.dat', `srv/app/${name}`, 'srv/bin/run*', `srv/bin/${name}`]);
    expect(find('srv/app').paths).toEqual(['srv/app/tool']);
    expect(find('srv/bin')).toMatchObject({ paths: ['srv/bin'], masked: [`srv/bin/${name}`] });
  },
);

test('a link to a program beside secrets shows the program alone', () => {
  const find = given([
    'home/.aws/helper*',
    'home/.aws/credentials',
    'home/notes.sh*',
    'home/.config/gh/tool*',
    'srv/app/run*',
    'srv/app/.env',
    'home/.local/bin/helper -> ../../.aws/helper',
    'home/.local/bin/notes -> ../../notes.sh',
    'home/.local/bin/tool -> ../../.config/gh/tool',
    'home/.local/bin/run -> ../../../srv/app/run',
  ]);
  expect(find('home/.local/bin').paths).toEqual([
    'home/.aws/helper',
    'home/.config/gh/tool',
    'home/.local/bin',
    'home/notes.sh',
    'srv/app/run',
  ]);
});

test('of a folder on the PATH that holds more than programs, the programs alone are shown', () => {
  const find = given([
    'home/.aws/helper*',
    'home/.aws/credentials',
    'home/mine*',
    'srv/app/run*',
    'srv/app/.env',
    'srv/tools/run*',
    'srv/tools/config/live/master.key',
    'srv/plain/run*',
    'srv/plain/modules/token.js',
  ]);
  expect(find('home/.aws', 'home', 'srv/app', 'srv/tools', 'srv/plain').paths).toEqual([
    'home/.aws/helper',
    'home/mine',
    'srv/app/run',
    'srv/plain',
    'srv/tools/run',
  ]);
});

test('what the system has is not shown twice, and one folder not within another', () => {
  const find = given(['tools/v1/bin/x', 'tools/v1/lib/x', 'tools/v1/libexec/bin/x']);
  expect(find('/usr/bin', '/bin', 'tools/v1/bin', 'tools/v1/libexec/bin').paths).toEqual(['tools/v1']);
});

test('toolchains that look for themselves in the home folder are told where they are', () => {
  const find = given(['home/.rustup/toolchains/stable/bin/rustc']);
  expect(find()).toEqual({ paths: ['home/.rustup'], masked: [], environment: { RUSTUP_HOME: 'home/.rustup' } });
});
