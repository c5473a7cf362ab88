// Overlays are mounted where programs work in them, and nowhere else.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isolation, skipUnless } from '../../needs.given.ts';
import { mountsBelow } from '../first/left-over.given.ts';
import { endRepositoriesAfterEach, givenRepository } from '../git-commands/repository.given.ts';
import { needOf } from './ways.given.ts';

endRepositoriesAfterEach();

const OVERLAY = await needOf('overlay by a user');
const ISOLATION = await isolation();

describe.each(['none', 'os'])('with isolation %s', (wanted) => {
  skipUnless(OVERLAY);
  if (wanted === 'os') skipUnless(ISOLATION);
  const head = `heddle: 1\nname: world\nattempts: 1\nsandbox: { tree: overlay, isolation: ${wanted} }\n`;

  test('a run leaves the mounts of the machine as they are, and the folder of one that waits can be deleted', async () => {
    const repository = givenRepository(`${head}tasks:
  works: { run: "echo more > src/more.txt; until [ -e $TMPDIR/go ]; do sleep 0.05; done" }
  asks: { needs: works, gate: "Shall it go on?" }
  then: { needs: asks, run: "true" }
`);
    const going = repository.start('run', '--json');
    await going.sees(({ type, task }) => type === 'claim.made' && task === 'works');
    const place = join(repository.home, 'sandboxes', 'world-1', 'works');
    await expect.poll(() => existsSync(join(place, 'upper', 'src', 'more.txt')), { timeout: 60_000 }).toBe(true);
    expect(mountsBelow(repository.folder)).toEqual([]);
    writeFileSync(join(place, 'tmp', 'go'), '');
    expect((await going.ended).code).toBe(3);
    expect(mountsBelow(repository.folder)).toEqual([]);
    rmSync(repository.home, { recursive: true });
    expect(existsSync(repository.home)).toBe(false);
  });

  test('steps that work in one sandbox at a time see each other’s files as they change', async () => {
    const repository = givenRepository(`${head}max_parallel: 4
tasks:
  both:
    steps:
      - id: one
        async: true
        run: "test ! -e two.txt; echo one >> src/one.txt; echo one > one.txt; until [ -e two.txt ]; do sleep 0.05; done"
      - id: two
        async: true
        run: "test ! -e one.txt || true; until [ -e one.txt ]; do sleep 0.05; done; echo two >> src/one.txt; echo two > two.txt"
      - { id: end, needs: [one, two], run: "cat src/one.txt" }
`);
    expect(await repository.heddle('run')).toMatchObject({ code: 0 });
    expect(repository.git('show', 'heddle/world-1:src/one.txt').split('\n').slice(1)).toEqual(['one', 'two']);
  });
});
