import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mountsUnder } from '../../../src/shell/sandbox/world/mounts.ts';
import { Arena } from './arena.ts';
import { AT, workingWays } from './ways.given.ts';

const ROUNDS = 3;
const AT_ONCE = 32;

describe.each(await workingWays())('32 sandboxes of the kind %s', (way) => {
  let arena: Arena;
  beforeEach(() => {
    arena = new Arena();
  });
  afterEach(async () => arena.close());

  test('are made, worked in, committed and destroyed at once, several times over', { timeout: 400_000 }, async () => {
    const { repository, sandboxes } = await arena.open(way);
    const base = (await repository.baseOf('main')) ?? '';
    const work = async (run: string, task: string): Promise<string> => {
      const opened = await sandboxes.open({ run, task, base, from: undefined, at: AT });
      if (opened.type === 'failed') return opened.message;
      const { sandbox } = opened;
      const [program = '', ...args] = sandbox.wrap(['sh', '-ec', `echo ${task} > mine; echo ${task} >> README.md`]);
      execFileSync(program, args, { cwd: sandbox.folder });
      const ref = `refs/heddle/${run}/checkpoints/${task}/main/1`;
      const done = await sandbox.checkpoint({ message: 'Work\n', at: AT, ref });
      const ended = await sandbox.destroy();
      return `${done.type} ${ended.type}`;
    };
    for (let round = 1; round <= ROUNDS; round += 1) {
      const tasks = Array.from({ length: AT_ONCE }, (_, index) => `t${index}`);
      const said = await Promise.all(tasks.map((task) => work(`r${round}`, task)));
      expect(said).toEqual(tasks.map(() => 'committed destroyed'));
      expect(await repository.list(`refs/heddle/r${round}/checkpoints`)).toHaveLength(AT_ONCE);
    }
    expect(mountsUnder(arena.root)).toEqual([]);
    expect(existsSync(join(arena.home, 'sandboxes', 'r1'))).toBe(false);
    expect(readdirSync(join(arena.home, 'ports'))).toEqual([]);
  });
});
