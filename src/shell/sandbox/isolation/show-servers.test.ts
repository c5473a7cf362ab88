import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { missingServerText } from '../../../core/protocol/missing-server.ts';
import type { Allowed } from './allow-list.ts';
import type { McpServer } from './mcp-servers.ts';
import { aroundAgent, showServers } from './show-servers.ts';

/** A root with these files; a name that ends in ` -> x` is a link, one that ends in `*` a program. */
function given(names: readonly string[], allowed: Allowed = 'none') {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-servers-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const name of names) {
    const [path = '', aim] = name.replace(/\*$/, '').split(' -> ');
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (aim === undefined) writeFileSync(join(root, path), '', { mode: name.endsWith('*') ? 0o755 : 0o644 });
    else symlinkSync(aim, join(root, path));
  }
  const shorten = (text: string): string => text.replaceAll(`${root}/`, '');
  /** Words that name something of the root are made whole. */
  const shown = (command: string, args: readonly string[] = [], cwd?: string, env: Record<string, string> = {}) => {
    const whole = (word: string): string => word.replace(/(^|=|cd )(?=home|project|opt)/u, `$1${root}/`);
    const server: McpServer = {
      name: 'tool',
      type: 'program',
      command: whole(command),
      args: args.map(whole),
      cwd: cwd === undefined ? undefined : whole(cwd),
      environment: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, whole(value)])),
    };
    return show([server]);
  };
  const show = (servers: readonly McpServer[]) => {
    const environment = { HOME: join(root, 'home'), PATH: [join(root, 'bin'), '/usr/bin', '/bin'].join(':') };
    const agent = { kind: 'claude', environment, given: [], args: [] };
    const around = { ...aroundAgent(agent, join(root, 'project/.heddle')), project: join(root, 'project'), allowed };
    const { paths, missing } = showServers(servers, around);
    return {
      paths: paths.map(shorten).toSorted(),
      why: missing.map(({ why }) => JSON.parse(shorten(JSON.stringify(why)))),
      text: missing.map(missingServerText).join('\n'),
    };
  };
  return { shown, show };
}

const FINE: readonly unknown[] = [];

describe('a server that is shown inside', () => {
  test('has the package of its script, without what may be secret in it', () => {
    const { shown } = given([
      'home/tools/server/package.json',
      'home/tools/server/dist/index.js',
      'home/tools/server/src/.env',
      'home/tools/server/src/token.ts',
      'home/tools/server/.git/config',
      'home/tools/server/api.pem',
      'home/tools/node_modules/.bin/x',
      'home/tools/other/secret.txt',
    ]);
    const { paths, why } = shown('sh', ['home/tools/server/dist/index.js']);
    expect(paths).toEqual([
      'home/tools/node_modules',
      'home/tools/server/dist',
      'home/tools/server/dist/index.js',
      'home/tools/server/package.json',
      'home/tools/server/src/token.ts',
    ]);
    expect(why).toEqual(FINE);
  });

  test('has the package that its environment or the code of a shell names, and is missing what else they name', () => {
    const { shown } = given(['home/server/pyproject.toml', 'home/server/main.py', 'home/data/x.db']);
    const PYTHONPATH = 'home/server';
    expect(shown('sh', ['-m', 'main'], undefined, { PYTHONPATH })).toMatchObject({ paths: ['home/server'], why: FINE });
    expect(shown('sh', ['-c', 'cd home/server && exec sh main.py'])).toMatchObject({
      paths: ['home/server'],
      why: FINE,
    });
    const why = [{ code: 'private', path: 'home/data/x.db' }];
    expect(shown('sh', [], undefined, { DATABASE: 'home/data/x.db', HOME: 'home', MODE: '/fast' })).toMatchObject({
      why,
    });
  });

  test('has a whole package that holds no secret, and the folder that an option names', () => {
    const { shown } = given(['home/server/pyproject.toml', 'home/server/main.py', 'home/server/lib/x.py']);
    expect(shown('sh', ['--directory=home/server', 'run', 'main.py'])).toMatchObject({
      paths: ['home/server'],
      why: FINE,
    });
    expect(shown('sh', ['main.py'], 'home/server').paths).toContain('home/server');
  });

  test('works with a folder of which a part stays hidden', () => {
    const { shown } = given(['home/server/pyproject.toml', 'home/server/main.py', 'home/server/.git/config']);
    const paths = ['home/server/main.py', 'home/server/pyproject.toml'];
    expect(shown('sh', ['--directory', 'home/server', 'run', 'main.py'])).toEqual({ paths, why: FINE, text: '' });
  });

  test('has only its file where that belongs to no package, as in a folder of settings', () => {
    const { shown } = given([
      'home/.config/package.json',
      'home/.config/x/tool*',
      'home/mcp/one.py',
      'home/mcp/two.txt',
      'home/mcp/.env',
    ]);
    expect(shown('home/.config/x/tool')).toMatchObject({ paths: ['home/.config/x/tool'], why: FINE });
    expect(shown('sh', ['home/mcp/one.py'])).toMatchObject({ paths: ['home/mcp/one.py'], why: FINE });
  });

  test('has the virtual environment of its program, and the interpreter that this leads to', () => {
    const { shown } = given([
      'home/s/.venv/pyvenv.cfg',
      'home/s/.venv/bin/tool*',
      'home/s/.venv/bin/python -> ../../../.local/python/bin/python3',
      'home/s/.venv/lib/x.py',
      'home/.local/python/bin/python3*',
      'home/.local/python/lib/y.py',
    ]);
    const { paths, why } = shown('home/s/.venv/bin/tool');
    expect(why).toEqual(FINE);
    expect(paths).toEqual(expect.arrayContaining(['home/s/.venv', 'home/.local/python']));
  });

  test('may be a program of the PATH, of the tree or of the system, of which nothing more is shown', () => {
    const { shown } = given(['bin/npx*', 'project/node_modules/.bin/tool*', 'project/tool.js']);
    for (const command of ['./tool', '/bin/sh', 'sh'])
      expect(shown(command, ['tool.js', '/nowhere'])).toEqual({ paths: [], why: FINE, text: '' });
    expect(shown('npx', ['-y', 'tool@2']).why).toEqual(FINE);
  });
});

describe('a server that does not work inside is named', () => {
  test('where what it needs is not there', () => {
    const { shown } = given(['home/x.txt']);
    expect(shown('nothing-of-that-name').why).toEqual([{ code: 'absent', path: 'nothing-of-that-name' }]);
    expect(shown('home/x.txt').why).toEqual([{ code: 'absent', path: 'home/x.txt' }]);
    expect(shown('home/x.txt').text).toContain('is not there');
  });

  test('where private files lie, which are not shown', () => {
    const { shown } = given([
      'home/notes/a.txt',
      'home/.ssh/id',
      'project/.heddle/x.js',
      'home/package.json',
      'home/run.py',
    ]);
    expect(shown('sh', ['home'])).toMatchObject({ paths: [], why: [{ code: 'private', path: 'home' }] });
    expect(shown('sh', ['home/notes'])).toMatchObject({ paths: [], why: [{ code: 'private', path: 'home/notes' }] });
    expect(shown('sh', ['--key=home/.ssh/id'])).toMatchObject({
      paths: [],
      why: [{ code: 'private', path: 'home/.ssh/id' }],
    });
    expect(shown('sh', ['project/.heddle/x.js'])).toMatchObject({ paths: [], why: [{ code: 'private' }] });
    expect(shown('sh', ['home/notes']).text).toContain('stays hidden');
    expect(shown('sh', ['home/run.py'])).toMatchObject({ paths: ['home/run.py'], why: FINE });
  });

  test('where its settings name the home folder by a variable', () => {
    const { shown } = given([]);
    expect(shown('sh', ['${HOME}/server.js'])).toMatchObject({
      why: [{ code: 'home-variable', word: '${HOME}/server.js' }],
      text: expect.stringContaining('write the path in full'),
    });
  });

  test('where it would be downloaded or needs a service, unless the network allows it', () => {
    const names = ['bin/npx*', 'bin/docker*'];
    expect(given(names).shown('npx', ['-y', 'tool'])).toMatchObject({
      why: [{ code: 'downloads', program: 'npx', hosts: ['registry.npmjs.org'] }],
      text: expect.stringContaining('add registry.npmjs.org to sandbox.network'),
    });
    expect(given(names, ['*.npmjs.org']).shown('npx', ['tool']).why).toEqual(FINE);
    expect(given(names).shown('docker', ['run', 'x'])).toMatchObject({
      why: [{ code: 'service', program: 'docker' }],
      text: expect.stringContaining('isolation: none'),
    });
  });

  test('where it is at a host that the network does not reach', () => {
    const remote = (url: string): readonly McpServer[] => [{ name: 'far', type: 'remote', url }];
    const far = remote('https://mcp.example.com/x');
    expect(given([]).show(far)).toMatchObject({
      why: [{ code: 'unreachable', host: 'mcp.example.com' }],
      text: expect.stringContaining('add it to sandbox.network'),
    });
    expect(given([], ['*.example.com']).show(far).why).toEqual(FINE);
    expect(given([], 'all').show(far).why).toEqual(FINE);
    expect(given([]).show(remote('http://localhost:3000/mcp')).why).toEqual([
      { code: 'unreachable', host: 'localhost:3000' },
    ]);
    expect(given([]).show(remote('no address')).why).toEqual(FINE);
  });
});
