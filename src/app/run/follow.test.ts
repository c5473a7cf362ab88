import { expect, onTestFinished, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../../test/patience.given.ts';
import { given } from '../../core/engine/run.given.ts';
import { readEvents } from '../read/read-events.ts';
import { takeServe } from '../serve-note.ts';
import { givenRun, ownGivenRun, projectOnDisk } from '../web/served-project.given.ts';
import { followRun } from './follow.ts';

const NOBODY = { onStart: () => undefined, onEvents: () => undefined, onNote: () => undefined };

/** A run with a task at work, two followers of it, and what its next coordinator appends. */
function givenFollowed() {
  const project = projectOnDisk();
  const run = given('a: { run: x }');
  const begun = run.log.length;
  run.says('a', 'done');
  const record = givenRun(project, run.log);
  const first = ownGivenRun(project, record);
  first.append(run.log.slice(1, begun), []);
  let looks = 0;
  const store = {
    ...project.store,
    ownerOf: (id: string) => {
      looks += 1;
      return project.store.ownerOf(id);
    },
  };
  const place = { root: project.root, home: `${project.root}/.heddle` };
  const open = { project: place, store };
  const readAll = async () => {
    const types: string[] = [];
    for await (const { event } of readEvents(open, record, { follows: true })) types.push(event.type);
    return types;
  };
  return {
    place,
    first,
    own: () => ownGivenRun(project, record),
    rest: run.log.slice(begun),
    followed: followRun({ ...open, record, observer: NOBODY, waitMs: Infinity }),
    read: readAll(),
    /** Several looks of each follower. */
    looksOn: () => {
      looks = 0;
      return vi.waitFor(() => expect(looks).toBeGreaterThan(8), { timeout: PATIENCE_MS, interval: 10 });
    },
  };
}

test('a run that one server lets go of and the next one takes is followed to its end', async () => {
  const { place, first, own, rest, followed, read, looksOn } = givenFollowed();
  const note = takeServe(place, { since: 1, version: '1' });
  onTestFinished(note.remove);
  first.release();
  await looksOn();
  const next = own();
  next.append(rest, []);
  next.release();
  expect(await followed).toMatchObject({ over: { type: 'ended' } });
  expect(await read).toContain('run.ended');
});

test('a run that its coordinator lets go of is not followed further where no server takes it', async () => {
  const { first, followed, read } = givenFollowed();
  first.release();
  expect(await followed).toMatchObject({ over: { type: 'waiting', for: 'resume' } });
  expect(await read).not.toContain('run.ended');
});
