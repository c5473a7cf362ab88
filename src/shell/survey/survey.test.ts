import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { survey } from './survey.ts';

const made: string[] = [];

function givenTree(texts: Readonly<Record<string, string | Uint8Array>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-survey-')));
  made.push(root);
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const givenRepository = (texts: Readonly<Record<string, string | Uint8Array>>): string => {
  const root = givenTree(texts);
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  return root;
};

const pathsOf = (places: readonly string[], cwd: string): readonly string[] | string => {
  const surveyed = survey(places, cwd);
  return surveyed.type === 'surveyed' ? surveyed.files.map(({ path }) => path) : surveyed.refusal.code;
};

afterEach(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
});

describe('which files are surveyed', () => {
  const TREE = {
    '.gitignore': 'dist/\n*.log\n',
    'src/a.ts': "import './b.ts';",
    'src/b.ts': '',
    'dist/out.js': '',
    'x.log': '',
    '.heddle/config.yaml': '',
  };

  test('in a repository those that git does not ignore, from its root, wherever one stands', () => {
    const root = givenRepository(TREE);
    execFileSync('git', ['add', 'src/a.ts'], { cwd: root });
    expect(pathsOf(['.'], root)).toEqual(['.gitignore', 'src/a.ts', 'src/b.ts']);
    expect(pathsOf(['.'], join(root, 'src'))).toEqual(['src/a.ts', 'src/b.ts']);
    expect(pathsOf(['src/b.ts', 'src'], root)).toEqual(['src/a.ts', 'src/b.ts']);
    expect(pathsOf([join(root, 'src', 'a.ts')], tmpdir())).toEqual(['src/a.ts']);
  });

  test('elsewhere all but what tools keep for themselves, from where one stands or from what is named', () => {
    const root = givenTree({ ...TREE, 'node_modules/x/index.js': '' });
    const all = ['.gitignore', 'dist/out.js', 'src/a.ts', 'src/b.ts', 'x.log'];
    expect(pathsOf(['.'], root)).toEqual(all);
    expect(pathsOf(['src', 'x.log'], root)).toEqual(['src/a.ts', 'src/b.ts', 'x.log']);
    expect(pathsOf([join(root, 'src')], join(root, 'dist'))).toEqual(['a.ts', 'b.ts']);
    expect(pathsOf(['../src', '../dist'], join(root, 'dist'))).toBe('several-places-outside');
  });

  test('one that was deleted, a link and bytes that are no text are left out, each with the reason', () => {
    const root = givenRepository({ 'a.ts': 'x', 'gone.ts': '', 'picture.png': Uint8Array.of(1, 0, 2) });
    execFileSync('git', ['add', '.'], { cwd: root });
    rmSync(join(root, 'gone.ts'));
    symlinkSync('a.ts', join(root, 'link.ts'));
    const surveyed = survey(['.'], root);
    expect(surveyed).toMatchObject({ type: 'surveyed', root, files: [{ path: 'a.ts' }] });
    expect(surveyed.type === 'surveyed' && surveyed.leftOut).toEqual([
      { path: 'gone.ts', why: 'unreadable' },
      { path: 'link.ts', why: 'link' },
      { path: 'picture.png', why: 'binary' },
    ]);
  });

  test('a repository inside another is not a file of it', () => {
    const root = givenRepository({ 'a.ts': '', 'inner/b.ts': '' });
    execFileSync('git', ['init', '--quiet'], { cwd: join(root, 'inner') });
    expect(pathsOf(['.'], root)).toEqual(['a.ts']);
  });

  test('a place that is not there, and two repositories at once, are told in a sentence', () => {
    const [one, other] = [givenRepository(TREE), givenRepository(TREE)];
    expect(pathsOf(['nowhere'], one)).toBe('place-missing');
    expect(pathsOf([one, other], one)).toBe('outside-repository');
  });

  test('a repository that git does not read is told, for nobody knows what it ignores', () => {
    const root = givenTree({ 'src/a.ts': '', '.git': 'gitdir: nowhere\n' });
    expect(pathsOf(['src'], root)).toBe('repository-unreadable');
  });

  test('an environment that points git elsewhere does not', () => {
    const [one, other] = [givenRepository({ 'a.ts': '' }), givenRepository({ 'b.ts': '' })];
    process.env['GIT_DIR'] = join(other, '.git');
    try {
      expect(pathsOf(['.'], one)).toEqual(['a.ts']);
    } finally {
      delete process.env['GIT_DIR'];
    }
  });
});

describe('what is known of a file', () => {
  test('imports between the files, whatever their language, and tokens by size', () => {
    const root = givenTree({
      'web/a.ts': "import './b';",
      'web/b.ts': 'x'.repeat(3_500),
      'api/a.py': 'from api import b',
      'api/b.py': 'import api.b',
      'notes.txt': '',
    });
    expect(survey(['.'], root)).toMatchObject({
      files: [
        { path: 'api/a.py', imports: ['api/b.py'] },
        { path: 'api/b.py', imports: [] },
        { path: 'notes.txt', tokens: 0, imports: [] },
        { path: 'web/a.ts', imports: ['web/b.ts'] },
        { path: 'web/b.ts', tokens: 1_000 },
      ],
    });
  });

  test('of a very long file the top is read, and all of it counts', () => {
    const root = givenTree({
      'a.ts': `import './b';\n${'// long\n'.repeat(200_000)}import './c';`,
      'b.ts': '',
      'c.ts': '',
    });
    const surveyed = survey(['.'], root);
    const [file] = surveyed.type === 'surveyed' ? surveyed.files : [];
    expect(file?.imports).toEqual(['b.ts']);
    expect(file?.tokens).toBeGreaterThan(450_000);
  });
});
