// Merges in memory beside `git merge`, over histories made to be hard. `npm run replay` does more of it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeProject } from '../git-project.given.ts';
import { generate } from './generate.ts';
import { replay } from './replay.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

describe('a replay of merges', () => {
  test.for([21, 22])('of seed %i comes to what git merge comes to', { timeout: 300_000 }, async (seed) => {
    const root = mkdtempSync(join(tmpdir(), 'heddle-replay-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    generate({ folder: root, seed, merges: 40 });
    const { differences, clean, conflicts, replayed, refused } = await replay({
      repository: root,
      limit: 40,
      limitMs: PATIENCE_MS,
    });
    expect(differences).toEqual([]);
    expect({ replayed, refused }).toEqual({ replayed: 40, refused: 0 });
    expect(clean).toBeGreaterThan(10);
    expect(conflicts).toBeGreaterThan(5);
  });

  test('counts what was committed as it came out, and keeps to its limits', async () => {
    const project = makeProject({ a: '1\n', b: '1\n' });
    const base = project.git('rev-parse', 'HEAD');
    project.git('merge', '--quiet', '--no-ff', '--no-edit', project.branch(base, { b: '2\n' }));
    const clash = project.branch(base, { b: '3\n' });
    project.git('merge', '--quiet', '--no-edit', '--strategy=ours', clash);
    const options = { repository: project.folder, limitMs: PATIENCE_MS };
    expect(await replay({ ...options, limit: 10 })).toEqual({
      found: 2,
      replayed: 2,
      clean: 1,
      conflicts: 1,
      asCommitted: 1,
      refused: 0,
      differences: [],
    });
    expect(await replay({ ...options, limit: 1 })).toMatchObject({ found: 1, conflicts: 1 });
    expect(await replay({ ...options, limit: 10, limitMs: -1 })).toMatchObject({ found: 2, replayed: 0 });
  });
});
