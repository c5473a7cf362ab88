// A process that does every deed on sandboxes over and over until it is killed. It tells each fact, once it holds, on a
// line of a file: what was written, what was committed, what was destroyed.
import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { openRepository } from '../../../src/shell/git/repository.ts';
import { openSandboxes } from '../../../src/shell/sandbox/sandboxes.ts';
import type { Sandbox } from '../../../src/shell/sandbox/sandbox.ts';
import { AT, NO_ISOLATION, PLAIN, wayOf, type Way } from './ways.given.ts';

const [folder = '', home = '', wayName = '', facts = '', seedText = '1'] = process.argv.slice(2);
// The killer passes one of the ways that it has.
const way = wayName as Way;
const tell = (...words: readonly string[]): void => appendFileSync(facts, `${words.join(' ')}\n`);

let seed = Number(seedText);
/** Numbers that the seed decides, below a bound. */
const draw = (bound: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return Math.floor((seed / 0x7fffffff) * bound);
};

const repository = await openRepository({ home, project: folder, mends: true });
if (repository.type === 'refused') throw new Error(repository.message);
const base = await repository.repository.baseOf('main');
if (base === undefined) throw new Error('there is no main');
const { settings, probe } = wayOf(way);
const opened = await openSandboxes({
  home,
  repository: repository.repository,
  settings: { ...PLAIN, ...settings },
  isolation: NO_ISOLATION,
  network: 'none',
  probe,
});
if (opened.type === 'refused') throw new Error(opened.message);
const { sandboxes } = opened;
tell('ready');

const inside = (sandbox: Sandbox, script: string): void => {
  const [program = '', ...args] = sandbox.wrap(['sh', '-ec', script]);
  execFileSync(program, args, { cwd: sandbox.folder, env: { ...process.env, ...sandbox.environment }, stdio: 'pipe' });
};

async function one(task: string, turn: number): Promise<void> {
  const order = { run: 'r', task, base: base ?? '', from: undefined, at: AT };
  const result = await sandboxes.open(order);
  if (result.type === 'failed') throw new Error(result.message);
  const { sandbox } = result;
  const file = `w-${process.pid}-${turn}-${task}`;
  inside(sandbox, `echo work > ${file}; echo more >> README.md`);
  tell('wrote', file);
  if (draw(4) === 0) inside(sandbox, `git add -A; git commit -qm own-${file}; git reset -q --hard HEAD~1; true`);
  if (draw(3) > 0) {
    const ref = `refs/heddle/r/checkpoints/${task}/main/${process.pid}${turn}`;
    const done = await sandbox.checkpoint({ message: `Work ${file}\n`, at: AT, ref });
    if (done.type === 'failed') throw new Error(done.message);
    tell('committed', done.commit);
  }
  if (draw(4) === 0) must(await sandbox.reset(base ?? ''));
  if (draw(3) === 0) must(await sandbox.destroy());
  if (draw(3) === 0) await candidate(`k-${task}`);
}

function must(outcome: { readonly type: string; readonly message?: string }): void {
  if (outcome.type === 'failed' || outcome.type === 'kept') throw new Error(outcome.message ?? 'it failed');
}

async function candidate(name: string): Promise<void> {
  const result = await sandboxes.candidate({ commit: base ?? '', name });
  if (result.type === 'failed') throw new Error(result.message);
  must(await result.candidate.destroy());
}

try {
  for (let turn = 0; ; turn += 1) await Promise.all(['a', 'b', 'c'].map((task) => one(task, turn)));
} catch (cause) {
  tell('broke', String(cause).replaceAll('\n', ' '));
  process.exitCode = 1;
}
