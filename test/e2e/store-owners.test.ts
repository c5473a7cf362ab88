import { expect, test } from 'vitest';
import { givenFolder, startProgram } from './store-processes.given.ts';
import { createdRun, opened, opening, ownedLog } from './store-program.given.ts';
import { PATIENCE_MS } from '../patience.given.ts';

test(
  'of processes that race to own a run, exactly one does, and the others are told which',
  async () => {
    const home = givenFolder();
    const store = opened(home);
    const racers = Array.from({ length: 4 }, () => createdRun(store)).map((run) => ({ run }));
    store.close();
    for (const { run } of racers) {
      const programs = Array.from({ length: 3 }, () => startProgram('own', home, run));
      for (const program of programs) await program.line();
      for (const program of programs) program.say('go');
      const answers = await Promise.all(programs.map((program) => program.line()));
      const said = answers.map((answer): unknown => JSON.parse(answer ?? 'null'));
      const winner = said.findIndex((answer) => JSON.stringify(answer).includes('"owned"'));
      const pid = programs[winner]?.pid;
      expect(said.toSpliced(winner, 1)).toMatchObject([
        { type: 'refused', by: { pid } },
        { type: 'refused', by: { pid } },
      ]);
      await Promise.all(programs.map((program) => program.kill()));
    }
  },
  PATIENCE_MS,
);

test(
  'an owner that slept while another took over can write nothing when it wakes',
  async () => {
    const home = givenFolder();
    const store = opened(home);
    const run = createdRun(store);
    const sleeper = startProgram('controlRun', home, run);
    await sleeper.line();
    sleeper.say('append');
    expect(await sleeper.line()).toBe('{"type":"appended"}');
    sleeper.signal('SIGSTOP');
    expect(store.own(run, { takesOver: false })).toMatchObject({ type: 'refused', by: { pid: sleeper.pid } });
    const log = ownedLog(store, run, true);
    log.append([opening(1)], []);
    sleeper.signal('SIGCONT');
    sleeper.say('append');
    expect(JSON.parse((await sleeper.line()) ?? 'null')).toMatchObject({
      type: 'fenced',
      by: { pid: process.pid, epoch: 2 },
    });
    expect(log.append([opening(2)], [])).toEqual({ type: 'appended' });
    expect(log.read().slice(1)).toEqual([opening(0), opening(1), opening(2)]);
    store.close();
  },
  PATIENCE_MS,
);

test(
  'a reader sees a whole log at any moment while another process appends',
  async () => {
    const home = givenFolder();
    const store = opened(home);
    const run = createdRun(store);
    store.close();
    const writer = startProgram('append', home, run);
    const reader = opened(home, 'read');
    let position = 1;
    while (position < 2000) {
      const acknowledged = Number(await writer.line());
      const read = reader.eventsFrom(run, position);
      expect(read.failure).toBeUndefined();
      expect(read.position).toBeGreaterThanOrEqual(Math.max(acknowledged, position));
      expect(read.events).toEqual(
        Array.from({ length: read.position - position }, (_, index) => opening(position + index)),
      );
      position = read.position;
    }
    const whole = reader.eventsFrom(run, 0);
    expect(whole).toMatchObject({ failure: undefined });
    expect(whole.events).toHaveLength(whole.position);
    reader.close();
  },
  PATIENCE_MS,
);
