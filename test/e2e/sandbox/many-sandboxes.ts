// Many sandboxes made, worked in, committed and destroyed at the same time.
import { failureText } from '../../../src/core/protocol/sandbox-failure.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Repository } from '../../../src/shell/git/repository.ts';
import type { Sandboxes } from '../../../src/shell/sandbox/sandboxes.ts';
import { AT } from './ways.given.ts';

export const AT_ONCE = 32;

export interface ManySandboxesOptions {
  readonly repository: Repository;
  readonly sandboxes: Sandboxes;
  readonly run: string;
}

/** What did not end as it should, a sentence each. */
export async function playCrowd({ repository, sandboxes, run }: ManySandboxesOptions): Promise<readonly string[]> {
  const base = (await repository.baseOf('main')) ?? '';
  const tasks = Array.from({ length: AT_ONCE }, (_, index) => `t${index}`);
  const ends = await Promise.all(tasks.map((task) => live({ sandboxes, run, task, base })));
  const kept = await repository.list(`refs/heddle/${run}/checkpoints`);
  const own = new Set(kept.map(({ commit }) => commit));
  return [
    ...ends.filter((end) => end !== 'committed destroyed'),
    ...(own.size === AT_ONCE ? [] : [`${own.size} different commits came of ${AT_ONCE} sandboxes`]),
  ];
}

interface Life {
  readonly sandboxes: Sandboxes;
  readonly run: string;
  readonly task: string;
  readonly base: string;
}

async function live({ sandboxes, run, task, base }: Life): Promise<string> {
  const opened = await sandboxes.open({ run, task, base, from: undefined, at: AT });
  if (opened.type === 'failed') return failureText(opened.failure);
  const { sandbox } = opened;
  const [program = '', ...args] = sandbox.wrap(['sh', '-ec', `echo ${task} > mine; echo ${task} >> README.md`]);
  await promisify(execFile)(program, args, { cwd: sandbox.folder });
  const ref = `refs/heddle/${run}/checkpoints/${task}/main/1`;
  const done = await sandbox.checkpoint({ message: 'Work\n', at: AT, ref });
  const ended = await sandbox.destroy();
  const said = [done, ended].flatMap((one) => ('message' in one ? [one.message] : []));
  return said.length > 0 ? said.join(' ') : `${done.type} ${ended.type}`;
}
