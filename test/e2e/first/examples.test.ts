// Every example does what it is there for.
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLES, heddle } from '../heddle.given.ts';
import { givenFolder, removeFoldersAfterEach } from './folders.given.ts';

removeFoldersAfterEach();

const files = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8', withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(EXAMPLES.length + 1));
/** The manifests of a cluster are for Kubernetes. */
const plans = files.filter((name) => name.endsWith('.yaml') && !name.startsWith('cluster/'));

describe('the examples', () => {
  test.each(plans)('%s passes heddle check', (name) => {
    const checked = heddle(['check', join(EXAMPLES, name)]);
    expect(checked.errors).not.toContain(' error ');
    expect(checked.out).toContain('Sound');
    expect(checked.out).toContain('Forecast');
    expect(checked.code).toBe(0);
  });

  test('loom.yaml runs in any folder: a thread tears and is tried again, and the cloth is done', () => {
    const folder = givenFolder();
    copyFileSync(join(EXAMPLES, 'loom.yaml'), join(folder, 'loom.yaml'));
    const { code, out, errors } = heddle(['run', 'loom.yaml'], { cwd: folder });
    expect({ code, errors }).toMatchObject({ code: 0 });
    expect(out).toContain('green started, attempt 2');
    expect(out).toContain('7 of 7 tasks completed');
    expect(out).toMatch(/spent \$0\.\d\d of \$1\.00/);
    expect(readdirSync(join(folder, 'cloth')).filter((name) => name.endsWith('.txt'))).toEqual([
      'blue.txt',
      'border.txt',
      'folded.txt',
      'green.txt',
      'red.txt',
      'warp.txt',
    ]);
  });

  test('are all named on their page, and the page names none that is not there', () => {
    const page = readFileSync(join(EXAMPLES, 'README.md'), 'utf8');
    for (const name of plans) expect(page).toContain(`](${name})`);
    const named = [...page.matchAll(/\]\(([^)]*)\)/g)].map(([, link = '']) => link);
    expect(named.filter((link) => !existsSync(join(EXAMPLES, link)))).toEqual([]);
  });
});
