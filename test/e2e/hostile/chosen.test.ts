// Which isolation a run gets, and what it says of it.
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { isolation } from '../../needs.given.ts';
import { givenSystemWithout, removeFoldersAfterEach } from '../first/folders.given.ts';
import { endPrisonsAfterEach, givenPrison } from './prison.given.ts';

endPrisonsAfterEach();
removeFoldersAfterEach();

const TASKS = 'tasks:\n  one: { run: echo more >> src/one.txt }\n';
const PATH = process.env['PATH'] ?? '';

test('isolation that must be there is refused in one sentence where it cannot be, before there is a run', async () => {
  const bare = givenPrison({ sandbox: 'isolation: os', tasks: TASKS, env: { PATH: givenSystemWithout('bwrap') } });
  const { code, errors } = await bare.heddle('run');
  expect(code).toBe(2);
  expect(errors.trim()).toMatch(
    /^heddle: The plan requires isolation by the system \(isolation: os\), which does not work here: (bubblewrap is not installed; install it, for instance with apt install bubblewrap|it takes Linux)\.$/,
  );
  expect((await bare.heddle('runs')).code).toBe(2);
});

test('a bubblewrap that does not work is refused with what it said', async () => {
  const prison = givenPrison({ sandbox: 'isolation: os', tasks: TASKS });
  const broken = join(prison.outside, 'bwrap');
  writeFileSync(broken, '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n', {
    mode: 0o755,
  });
  const path = [prison.outside, PATH].join(delimiter);
  const bare = givenPrison({ sandbox: 'isolation: os', tasks: TASKS, env: { PATH: path } });
  const { code, errors } = await bare.heddle('run');
  expect(code).toBe(2);
  if (process.platform === 'linux') expect(errors).toContain('No permissions to create new namespace');
});

test('automatic isolation says aloud what it came to, and works either way', async () => {
  const prison = givenPrison({ sandbox: 'isolation: auto', tasks: TASKS });
  const here = await prison.heddle('run');
  expect(here.code).toBe(0);
  const { missing } = await isolation();
  const isolated = missing === undefined;
  expect(here.errors).toContain(isolated ? 'Isolation: bubblewrap.' : 'Isolation: none, because ');
  const bare = givenPrison({ sandbox: 'isolation: auto', tasks: TASKS, env: { PATH: givenSystemWithout('bwrap') } });
  const there = await bare.heddle('run');
  expect(there.errors).toContain('Isolation: none, because ');
  expect(there.code).toBe(0);
});

test('isolation that the plan does not want is not there, and said so', async () => {
  const prison = givenPrison({ sandbox: 'isolation: none', tasks: TASKS });
  const { code, errors } = await prison.heddle('run');
  expect(code).toBe(0);
  expect(errors).toContain('Isolation: none, as the plan says.');
});

test('isolation by the system is refused for a run that works in place', async () => {
  const prison = givenPrison({ sandbox: 'isolation: os', tasks: TASKS });
  const { code, errors } = await prison.heddle('run', '--no-git');
  expect(code).toBe(2);
  expect(errors).toContain('works in place');
});
