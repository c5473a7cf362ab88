// A hostile program leaves programs behind that would run with the rights of the user who started the run.
import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isolation, need, skipUnless } from '../../needs.given.ts';
import { endPrisonsAfterEach, givenPrison } from './prison.given.ts';

endPrisonsAfterEach();

const ISOLATION = await isolation();
const NOBODY = 65_534;

const ROGUE = `for folder in node_modules "$TMPDIR" "$HOME" .; do
  mkdir -p "$folder/left"
  cp /bin/cat "$folder/left/rogue"
  chmod 6777 "$folder/left/rogue"
  chmod 3777 "$folder/left"
done
ls -l node_modules/left/rogue`;

describe.each(['none', 'os'])('with isolation %s', (wanted) => {
  if (wanted === 'os') skipUnless(ISOLATION);

  test.each(['auto', 'checkout'])('no special bit is left in a tree of the kind %s', async (tree) => {
    const prison = givenPrison({
      sandbox: `isolation: ${wanted}, tree: ${tree}`,
      tasks: `tasks:\n  rogue: { run: sh rogue.sh }\n  asks: { needs: rogue, gate: "Shall it go on?" }\n`,
      files: { 'rogue.sh': ROGUE },
    });
    // Made before, for its settings, with the permissions of any other folder.
    mkdirSync(prison.home);
    chmodSync(prison.home, 0o755);
    expect((await prison.heddle('run')).code).toBe(3);
    expect(await prison.said('rogue')).toContain('-rws');
    const place = join(prison.home, 'sandboxes', 'world-1', 'rogue');
    const left = readdirSync(place, { recursive: true, encoding: 'utf8' }).map((name) => join(place, name));
    expect(left.filter((path) => path.endsWith('/rogue')).length).toBeGreaterThan(2);
    expect(left.filter((path) => (lstatSync(path).mode & 0o7000) !== 0)).toEqual([]);
    expect(lstatSync(prison.home).mode & 0o777).toBe(0o700);
  });

  test('another user of the machine cannot reach it, not even while it is there', async (context) => {
    need(context, { name: 'other', missing: process.getuid?.() === 0 ? undefined : 'only root becomes somebody else' });
    const prison = givenPrison({
      sandbox: `isolation: ${wanted}`,
      tasks: `tasks:\n  rogue: { run: "sh rogue.sh; until [ -e $TMPDIR/go ]; do sleep 0.05; done" }\n`,
      files: { 'rogue.sh': ROGUE },
    });
    chmodSync(prison.folder, 0o755);
    const going = prison.start('run', '--json');
    const temporary = join(prison.home, 'sandboxes', 'world-1', 'rogue', 'tmp');
    const rogue = join(temporary, 'left', 'rogue');
    const isThere = (): boolean => ((lstatSync(rogue, { throwIfNoEntry: false })?.mode ?? 0) & 0o4000) !== 0;
    await expect.poll(isThere, { timeout: 60_000 }).toBe(true);
    const asNobody = spawnSync(rogue, ['/etc/hostname'], { uid: NOBODY, gid: NOBODY });
    expect(asNobody.error).toMatchObject({ code: 'EACCES' });
    spawnSync('touch', [join(temporary, 'go')]);
    expect((await going.ended).code).toBe(0);
  });
});
