// What every engine keeps to: writes that are checked where they are done, and done once however often they are repeated.
import { expect, test } from 'vitest';
import type { Batch, Engine } from '../ports/engine.ts';

const who = '{}';
const leaseMs = 1_000;
const NOBODY = { epoch: 0, beats: 0 };

let runs = 0;

interface Given {
  readonly run: string;
  readonly batch: Batch;
}

/** A run with one event, owned in its first epoch. */
async function givenRun(engine: Engine): Promise<Given> {
  const run = `contract-${(runs += 1)}`;
  expect(await engine.create({ run, key: `create ${run}`, record: '{}', started: 'zero' })).toBe(true);
  expect(await engine.claim(run, { key: `claim ${run}`, who, leaseMs, replaces: NOBODY })).toBe(1);
  return { run, batch: { key: `append ${run}`, epoch: 1, position: 1, events: ['one', 'two'], answers: [] } };
}

const logOf = async (engine: Engine, run: string): Promise<readonly string[]> => await engine.read(run, 0, 100);

export function engineContract(name: string, engine: Engine): void {
  test(`${name}: an append that is repeated with its key is done once`, async () => {
    const { run, batch } = await givenRun(engine);
    expect(await engine.append(run, batch)).toEqual({ type: 'appended' });
    expect(await engine.append(run, batch)).toEqual({ type: 'appended' });
    expect(await logOf(engine, run)).toEqual(['zero', 'one', 'two']);
  });

  test(`${name}: an append at another place than the end changes nothing, and learns where the end is`, async () => {
    const { run, batch } = await givenRun(engine);
    await engine.append(run, batch);
    for (const position of [1, 2, 4])
      expect(await engine.append(run, { ...batch, key: `at ${position}`, position })).toEqual({
        type: 'moved',
        end: 3,
      });
    expect(await logOf(engine, run)).toEqual(['zero', 'one', 'two']);
  });

  test(`${name}: an append of an epoch that is over is fenced, its repetition too, and so is a beat`, async () => {
    const { run, batch } = await givenRun(engine);
    await engine.append(run, batch);
    const holder = (await engine.head(run))?.holder;
    expect(await engine.claim(run, { key: `next ${run}`, who, leaseMs, replaces: holder })).toBe(2);
    expect(await engine.append(run, batch)).toMatchObject({ type: 'fenced', by: { epoch: 2 } });
    expect(await engine.append(run, { ...batch, key: 'late', position: 3 })).toMatchObject({ type: 'fenced' });
    expect(await engine.beat(run, 1)).toBe(false);
    await engine.release(run, 1);
    expect(await engine.append(run, { ...batch, key: 'own', epoch: 2, position: 3 })).toEqual({ type: 'appended' });
    await engine.release(run, 2);
    expect(await engine.append(run, { ...batch, key: 'gone', epoch: 2, position: 5 })).toMatchObject({
      type: 'fenced',
    });
    expect(await engine.beat(run, 2)).toBe(false);
    expect(await logOf(engine, run)).toEqual(['zero', 'one', 'two', 'one', 'two']);
  });

  test(`${name}: a claim that is repeated is one claim, and an owner that has beaten meanwhile is not replaced`, async () => {
    const { run } = await givenRun(engine);
    expect(await engine.claim(run, { key: `claim ${run}`, who, leaseMs, replaces: NOBODY })).toBe(1);
    const seen = (await engine.head(run))?.holder;
    expect(await engine.beat(run, 1)).toBe(true);
    expect(await engine.claim(run, { key: 'too late', who, leaseMs, replaces: seen })).toBeUndefined();
    expect(await engine.claim(run, { key: 'by force', who, leaseMs, replaces: undefined })).toBe(2);
  });

  inboxContract(name, engine);

  test(`${name}: what an append changes is seen by others as one change, and a beat as none`, async () => {
    const { run, batch } = await givenRun(engine);
    const before = await engine.head(run);
    await engine.beat(run, 1);
    expect(await engine.head(run)).toMatchObject({ changed: before?.changed, end: 1 });
    await engine.append(run, batch);
    expect(await engine.head(run)).toMatchObject({ changed: (before?.changed ?? 0) + 1, end: 3 });
    expect((await engine.heads()).filter((head) => head.run === run)).toHaveLength(1);
  });
}

function inboxContract(name: string, engine: Engine): void {
  test(`${name}: a run and a command that are sent again are there once, and an id that is taken is refused`, async () => {
    const { run, batch } = await givenRun(engine);
    const creating = { run, key: `create ${run}`, record: '{}', started: 'zero' };
    expect(await engine.create(creating)).toBe(true);
    expect(await engine.create({ ...creating, key: 'other' })).toBe(false);
    const posting = { key: `post ${run}`, json: '{}', at: 5 };
    const id = await engine.post(run, posting);
    expect(await engine.post(run, posting)).toBe(id);
    expect(await engine.commands(run)).toMatchObject([{ id, json: '{}', at: 5 }]);
    await engine.append(run, { ...batch, answers: [{ id: id ?? 0, json: 'said' }] });
    expect(await engine.post(run, posting)).toBe(id);
    expect(await engine.commands(run)).toEqual([]);
    expect(await engine.replyTo(id ?? 0)).toBe('said');
  });
}

/** `open` is called twice, with the names of two projects of one engine. */
export function projectsContract(name: string, open: (project: string) => Engine): void {
  const run = 'shared-1';
  const given = async (project: string): Promise<Engine> => {
    const engine = open(project);
    await engine.create({
      run,
      key: `create ${project}`,
      record: `record of ${project}`,
      started: `start of ${project}`,
    });
    return engine;
  };

  test(`${name}: runs of one name in two projects see nothing of each other`, async () => {
    const [one, two] = [await given('one'), await given('two')];
    expect(await one.records()).toEqual(['record of one']);
    expect(await two.record(run)).toBe('record of two');
    const before = await two.head(run);
    expect(await one.claim(run, { key: 'claim', who: 'one', leaseMs, replaces: NOBODY })).toBe(1);
    const posted = await one.post(run, { key: 'post', json: '{}', at: 1 });
    expect(await two.head(run)).toEqual(before);
    expect([await two.commands(run), await two.replyTo(posted ?? 0)]).toEqual([[], undefined]);
    // The same keys, ids and epochs are those of another project.
    expect(await two.claim(run, { key: 'claim', who: 'two', leaseMs, replaces: NOBODY })).toBe(1);
    const other = await two.post(run, { key: 'post', json: '{"two":2}', at: 2 });
    expect(await one.commands(run)).toMatchObject([{ json: '{}' }]);
    const batch = { key: 'append', epoch: 1, position: 1, answers: [{ id: posted ?? 0, json: 'answer of one' }] };
    expect(await one.append(run, { ...batch, events: ['event of one'] })).toEqual({ type: 'appended' });
    expect(await logOf(two, run)).toEqual(['start of two']);
    expect(await two.commands(run)).toMatchObject([{ id: other, json: '{"two":2}' }]);
    expect(await two.replyTo(other ?? 0)).toBeUndefined();
    expect(await two.append(run, { ...batch, answers: [], events: ['event of two'] })).toEqual({ type: 'appended' });
    await two.release(run, 1);
    expect((await one.heads()).map(({ holder }) => [holder?.who, holder?.isGone])).toEqual([['one', false]]);
    expect(await logOf(one, run)).toEqual(['start of one', 'event of one']);
  });

  test(`${name}: each project belongs to those who came first`, async () => {
    const [one, two] = [open('one'), open('two')];
    expect(await one.belongsTo('first')).toBe('first');
    expect(await one.belongsTo('second')).toBe('first');
    expect(await two.belongsTo('second')).toBe('second');
  });
}
