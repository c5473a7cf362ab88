// One contract of the web server, over any store.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { coordinateHere, eventsOf, givenRun, ownGivenRun, type GivenProject } from '../app/web/served-project.given.ts';
import { fold } from '../core/engine/apply/fold.ts';
import { eventIn, writeEvent } from '../core/engine/events/event-format.ts';
import type { RunEvent } from '../core/engine/event.ts';
import { statusOf } from '../core/view/run/run-status.ts';
import type { StreamLine } from '../core/protocol/web.ts';
import { given } from '../core/engine/run.given.ts';
import { givenWebServer } from './web-client.given.ts';

/** A run with a failure, a retry and an end. */
function eventfulLog(): readonly RunEvent[] {
  const run = given('a: { run: x }\nb: { needs: [a], run: x }', { plan: 'attempts: 2' });
  run.waits(1_000);
  run.says('a', 'crashed');
  run.waits(60_000);
  run.says('a', 'done');
  run.says('b', 'done');
  return run.log;
}

const eventsIn = (lines: readonly StreamLine[]): readonly unknown[] =>
  lines.flatMap((line) => (line.type === 'event' ? [line.event] : []));
const positionsIn = (lines: readonly StreamLine[]): readonly number[] =>
  lines.flatMap((line) => (line.type === 'event' ? [line.position] : []));

const asRead = (value: unknown): RunEvent => {
  const read = eventIn(value);
  if (read.type === 'failed') throw new Error(read.message);
  return read.event;
};

export function webContract(name: string, givenProject: () => GivenProject): void {
  describe(`the web server over ${name}`, () => {
    streamContract(givenProject);
    newsContract(givenProject);
    readContract(givenProject);
    otherReadContract(givenProject);
    unknownContract(givenProject);
    commandContract(givenProject);
    refusalContract(givenProject);
  });
}

function streamContract(givenProject: () => GivenProject): void {
  test('a tab gets the whole log, then what is appended, and folds it to the state of the run', async () => {
    const project = givenProject();
    const log = eventfulLog();
    const record = givenRun(project, log);
    const writer = ownGivenRun(project, record);
    writer.append(log.slice(1, 4), []);
    const { openTab } = await givenWebServer([project.served]);
    const tab = await openTab(`?project=${project.served.id}&run=${record.run}&from=0`);
    const first = await tab.until(({ type }) => type === 'caught-up');
    expect(positionsIn(first)).toEqual([1, 2, 3, 4]);
    writer.append(log.slice(4), []);
    const rest = await tab.until((line) => line.type === 'event' && line.position === log.length);
    const events = eventsIn([...first, ...rest]).map(asRead);
    expect(events).toEqual(log.map((event) => asRead(JSON.parse(writeEvent(event)))));
    expect(fold(events).run).toEqual(fold(log).run);
  });

  test('a stream that was cut goes on from the last position, without a gap and without a repeat', async () => {
    const project = givenProject();
    const log = eventfulLog();
    const record = givenRun(project, log);
    const writer = ownGivenRun(project, record);
    writer.append(log.slice(1, 5), []);
    const { openTab } = await givenWebServer([project.served]);
    const place = `?project=${project.served.id}&run=${record.run}`;
    const tab = await openTab(`${place}&from=0`);
    const seen = await tab.until((line) => line.type === 'event' && line.position === 3);
    tab.close();
    writer.append(log.slice(5), []);
    const again = await openTab(`${place}&from=3`);
    const rest = await again.until(({ type }) => type === 'caught-up');
    expect(positionsIn([...seen, ...rest])).toEqual(log.map((_, index) => index + 1));
  });

  test('a position past the end waits until the log has grown beyond it', async () => {
    const project = givenProject();
    const log = eventfulLog();
    const record = givenRun(project, log);
    const writer = ownGivenRun(project, record);
    const { openTab } = await givenWebServer([project.served]);
    const tab = await openTab(`?project=${project.served.id}&run=${record.run}&from=3`);
    const first = await tab.until(({ type }) => type === 'caught-up');
    expect(first.at(-1)).toEqual({ type: 'caught-up', position: 1 });
    writer.append(log.slice(1, 5), []);
    const rest = await tab.until(({ type }) => type === 'event');
    expect(positionsIn(rest)).toEqual([4]);
  });
}

function newsContract(givenProject: () => GivenProject): void {
  test('a tab learns that the coordinator has gone and that another came', async () => {
    const project = givenProject();
    const log = eventfulLog();
    const record = givenRun(project, log);
    const first = ownGivenRun(project, record);
    const { openTab } = await givenWebServer([project.served]);
    const tab = await openTab(`?project=${project.served.id}&run=${record.run}&from=0`);
    const isCoordinator = ({ type }: StreamLine): boolean => type === 'coordinator';
    expect((await tab.until(isCoordinator)).at(-1)).toEqual({ type: 'coordinator', isUp: true });
    first.release();
    expect((await tab.until(isCoordinator)).at(-1)).toEqual({ type: 'coordinator', isUp: false });
    ownGivenRun(project, record);
    expect((await tab.until(isCoordinator)).at(-1)).toEqual({ type: 'coordinator', isUp: true });
  });

  test('a tab gets the live cost of turns that run', async () => {
    const project = givenProject();
    const log = eventsOf('a: { prompt: x }');
    const record = givenRun(project, log);
    ownGivenRun(project, record).append(log.slice(1), []);
    const folder = join(project.root, '.heddle', 'runs', record.run, 'a.main.1');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'live.json'), JSON.stringify({ spend: { usd: 0.25, tokens: 30 } }));
    const { openTab } = await givenWebServer([project.served]);
    const tab = await openTab(`?project=${project.served.id}&run=${record.run}&from=0`);
    const lines = await tab.until((line) => line.type === 'spent' && line.claims.length > 0);
    expect(lines.at(-1)).toEqual({
      type: 'spent',
      claims: [{ work: 'step', task: 'a', step: 'main', attempt: 1, spend: { usd: 0.25, tokens: 30 } }],
    });
  });

  test('a stream without a run says how many questions wait, and when the list of runs changes', async () => {
    const project = givenProject();
    const { openTab } = await givenWebServer([project.served]);
    const tab = await openTab('');
    expect(await tab.next()).toEqual({ type: 'inbox', count: 0 });
    const log = eventsOf('ship: { gate: "Ship it?" }');
    const record = givenRun(project, log);
    expect((await tab.until(({ type }) => type === 'runs')).at(-1)).toEqual({ type: 'runs' });
    ownGivenRun(project, record).append(log.slice(1), []);
    const lines = await tab.until((line) => line.type === 'inbox' && line.count > 0);
    expect(lines.at(-1)).toEqual({ type: 'inbox', count: 1 });
  });
}

function readContract(givenProject: () => GivenProject): void {
  test('the list has every run with its counts, cost, questions and whether it is up', async () => {
    const project = givenProject();
    const log = eventfulLog();
    const record = givenRun(project, log);
    const writer = ownGivenRun(project, record);
    writer.append(log.slice(1), []);
    const { call } = await givenWebServer([project.served]);
    const { json } = await call('/api/runs');
    expect(json).toMatchObject({
      isReadOnly: false,
      projects: [
        {
          id: project.served.id,
          runs: [{ run: 'given-1', stage: 'ended', counts: { completed: 2 }, total: 2, isUp: true, questions: 0 }],
        },
      ],
    });
    writer.release();
    expect((await call('/api/runs')).json).toMatchObject({ projects: [{ runs: [{ isUp: false }] }] });
  });

  test('the status at a position is the status of the log up to there', async () => {
    const project = givenProject();
    const log = eventfulLog();
    const record = givenRun(project, log);
    ownGivenRun(project, record).append(log.slice(1), []);
    const { call } = await givenWebServer([project.served]);
    for (const at of [1, 3, 5, log.length]) {
      const state = fold(log.slice(0, at));
      const status = statusOf(state, { now: state.run.now, given: { inputs: {}, env: {} } });
      const { json } = await call(`/api/p/${project.served.id}/r/${record.run}/status?at=${at}`);
      expect(json).toMatchObject({ run: record.run, now: state.run.now, status: JSON.parse(JSON.stringify(status)) });
    }
  });

  test('the inbox has each open question in full, with what it blocks', async () => {
    const project = givenProject();
    const log = eventsOf(
      'ship: { gate: "Ship it?" }\nafter: { needs: [ship], run: x }\nlast: { needs: [after], run: x }',
    );
    const record = givenRun(project, log);
    ownGivenRun(project, record).append(log.slice(1), []);
    const { call } = await givenWebServer([project.served]);
    expect((await call('/api/inbox')).json).toMatchObject({
      items: [
        {
          project: project.served.id,
          run: record.run,
          type: 'gate',
          task: 'ship',
          text: 'Ship it?',
          answers: ['approve', 'reject'],
          blocks: ['after', 'last'],
          blocksCount: 2,
          usd: 0,
        },
      ],
    });
  });
}

function otherReadContract(givenProject: () => GivenProject): void {
  test('the forecast, the time left, the plan, the turns and the firings are read from the log', async () => {
    const project = givenProject();
    const log = eventfulLog();
    const record = givenRun(project, log);
    ownGivenRun(project, record).append(log.slice(1, 4), []);
    const { call } = await givenWebServer([project.served]);
    const of = (what: string) => call(`/api/p/${project.served.id}/r/${record.run}/${what}`);
    expect((await of('forecast')).json).toMatchObject({ gates: 0, spans: [{ task: 'a' }, { task: 'b' }] });
    expect((await of('eta')).json).toMatchObject({ endAt: {}, tasks: { a: { steps: {} }, b: {} }, chain: ['a', 'b'] });
    expect((await of('plan')).text).toBe(record.source);
    expect((await of('turns?task=a')).json).toMatchObject({ turns: [{ task: 'a', step: 'main', attempt: 1 }] });
    expect((await of('explain?task=b')).json).toMatchObject({ explanation: { task: 'b', expected: { steps: {} } } });
    const lines = (await of('petrinaut')).text.trimEnd().split('\n');
    expect(lines.map((line) => /"type":"([\w-]+)"/.exec(line)?.[1])).toEqual([
      'definition',
      'marking',
      'firing',
      'firing',
      'firing',
    ]);
    expect((await of('report')).text).toContain('<!doctype html>');
    for (const what of ['diff?task=a', 'land/preview'])
      expect([what, (await of(what)).status]).toEqual([what, what === 'land/preview' ? 405 : 404]);
  });

  test('firings are followed by the name of the run, until the run ends', async () => {
    const project = givenProject();
    const log = eventfulLog();
    const record = givenRun(project, log);
    const writer = ownGivenRun(project, record);
    const { call } = await givenWebServer([project.served]);
    const followed = call(`/runs/${record.run}/petrinaut?follow`);
    writer.append(log.slice(1), []);
    const positions = (await followed).text.matchAll(/"position":(\d+)/g);
    expect([...positions].map(([, position]) => Number(position))).toEqual(log.map((_, index) => index + 1));
    const unknown = await call('/runs/givne-1/petrinaut');
    expect([unknown.status, unknown.json]).toMatchObject([404, { code: 'run-unknown', like: record.run }]);
    const refused = await call(`/runs/${record.run}/petrinaut`, { headers: { authorization: '' } });
    expect(refused.status).toBe(401);
  });

  test('output is listed by claim and read by range, and only of claims that the log has', async () => {
    const project = givenProject();
    const log = eventfulLog();
    const record = givenRun(project, log);
    ownGivenRun(project, record).append(log.slice(1), []);
    const folder = join(project.root, '.heddle', 'runs', record.run, 'a.main.1');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'output.log'), '0123456789');
    const { call } = await givenWebServer([project.served]);
    const of = (what: string) => call(`/api/p/${project.served.id}/r/${record.run}/${what}`);
    const { json } = await of('outputs?task=a');
    expect(json).toMatchObject({ claims: [{ work: 'step', attempt: 1, parts: [{ bytes: 10 }] }, { attempt: 2 }] });
    const part = /"id":"([^"]+)"/.exec(JSON.stringify(json))?.[1] ?? '';
    const claim = 'task=a&step=main&attempt=1&work=step';
    expect((await of(`output?${claim}&part=${part}&from=3&length=4`)).text).toBe('3456');
    expect((await of(`output?${claim}&part=${part}&from=8`)).text).toBe('89');
    expect((await of(`output?${claim}&part=${part}&from=20`)).text).toBe('');
    for (const task of ['../../x', 'b', 'a/main'])
      expect((await of(`output?task=${task}&step=main&attempt=9&part=${part}`)).json).toMatchObject({
        code: 'claim-unknown',
      });
    expect((await of(`output?task=a&attempt=x&part=1`)).json).toMatchObject({ code: 'malformed-parameter' });
  });
}

function unknownContract(givenProject: () => GivenProject): void {
  test('what does not exist is refused with the nearest name', async () => {
    const project = givenProject();
    const log = eventfulLog();
    const record = givenRun(project, log);
    const { call } = await givenWebServer([project.served]);
    const { id } = project.served;
    const run = await call(`/api/p/${id}/r/givn-1/status`);
    expect([run.status, run.json]).toMatchObject([404, { code: 'run-unknown', run: 'givn-1', like: record.run }]);
    const stream = await call(`/api/stream?project=${id}&run=givn-1`);
    expect([stream.status, stream.json]).toMatchObject([404, { code: 'run-unknown', like: record.run }]);
    const task = await call(`/api/p/${id}/r/${record.run}/explain?task=c`);
    expect([task.status, task.json]).toMatchObject([404, { code: 'task-unknown', task: 'c' }]);
    for (const path of ['/api', '/api/x', `/api/p/${id}/r/${record.run}/x`, `/api/p/${id}/x/${record.run}/status`])
      expect([path, (await call(path)).json]).toEqual([path, { code: 'unknown-route' }]);
    expect((await call(`/api/p/nobody/r/${record.run}/status`)).json).toMatchObject({ code: 'project-unknown' });
  });
}

function commandContract(givenProject: () => GivenProject): void {
  test('two clients answer one gate: the first is taken, the second is told', async () => {
    const project = givenProject();
    const log = eventsOf('ship: { gate: "Ship it?" }\nother: { gate: "And this?" }');
    const record = givenRun(project, log);
    const over = coordinateHere(project, record);
    const { call, openTab } = await givenWebServer([project.served]);
    const tab = await openTab(`?project=${project.served.id}&run=${record.run}&from=0`);
    await tab.until((line) => line.type === 'inbox' && line.count === 2);
    const path = `/api/p/${project.served.id}/r/${record.run}/commands`;
    const approve = (task: string) => call(path, { method: 'POST', body: { type: 'approve', task } });
    expect((await approve('ship')).json).toMatchObject({
      type: 'replied',
      replies: [
        { type: 'replied', reply: { takesEffect: true, notes: [{ code: 'question.approved', task: 'ship' }] } },
      ],
    });
    expect((await approve('ship')).json).toMatchObject({
      type: 'refused',
      refusal: { code: 'of-no-use', reply: { takesEffect: false, notes: [{ code: 'question.none', task: 'ship' }] } },
    });
    await approve('other');
    await over;
    expect((await approve('other')).json).toMatchObject({ type: 'refused' });
  });

  test('a command for a run without a coordinator waits for the next one', async () => {
    const project = givenProject();
    const log = eventsOf('ship: { gate: "Ship it?" }');
    const record = givenRun(project, log);
    const writer = ownGivenRun(project, record);
    writer.append(log.slice(1), []);
    writer.release();
    const { call } = await givenWebServer([project.served]);
    const path = `/api/p/${project.served.id}/r/${record.run}/commands`;
    expect((await call(path, { method: 'POST', body: { type: 'approve', task: 'ship' } })).json).toEqual({
      type: 'posted',
    });
    expect((await call(path, { method: 'POST', body: { type: 'resume', tasks: [] } })).json).toEqual({
      type: 'vacant',
      commandLine: ['heddle', 'resume', record.run],
    });
    await coordinateHere(project, record);
    expect((await call('/api/runs')).json).toMatchObject({ projects: [{ runs: [{ stage: 'ended' }] }] });
  });
}

function refusalContract(givenProject: () => GivenProject): void {
  test('a body that is no command is refused with a code', async () => {
    const project = givenProject();
    const record = givenRun(project, eventsOf('ship: { gate: "Ship it?" }'));
    const { call } = await givenWebServer([project.served]);
    const path = `/api/p/${project.served.id}/r/${record.run}/commands`;
    const codes: unknown[] = [];
    for (const body of ['{', '[]', '"approve"', { type: 'explode' }, { type: 'pause' }, { type: 'amend' }])
      codes.push((await call(path, { method: 'POST', body })).json);
    expect(codes).toEqual([
      ...Array.from({ length: 3 }, () => ({ code: 'malformed-json' })),
      ...Array.from({ length: 3 }, () => ({ code: 'unknown-command' })),
    ]);
    const large = await call(path, { method: 'POST', body: ' '.repeat(9_000_000) });
    expect([large.status, large.json]).toMatchObject([413, { code: 'body-too-large' }]);
    expect((await call(path)).json).toMatchObject({ code: 'wrong-method' });
  });

  test('a server that only reads refuses every command', async () => {
    const project = givenProject();
    const record = givenRun(project, eventsOf('ship: { gate: "Ship it?" }'));
    const { call } = await givenWebServer([project.served], { isReadOnly: true });
    const path = `/api/p/${project.served.id}/r/${record.run}/commands`;
    const refused = await call(path, { method: 'POST', body: { type: 'approve', task: 'ship' } });
    expect([refused.status, refused.json]).toEqual([403, { code: 'read-only' }]);
    expect((await call('/api/runs')).json).toMatchObject({ isReadOnly: true });
  });
}
