// A process that does actions on sandboxes and git, in an order that a number decides, until it is killed. It tells each
// fact, once it holds, on a line of a file: what was written, committed, merged.
import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { chance } from '../../../src/core/schedule/chance.ts';
import { REFS } from '../../../src/shell/git/store/ref-names.ts';
import { openRepository } from '../../../src/shell/git/repository.ts';
import { openSandboxes } from '../../../src/shell/sandbox/sandboxes.ts';
import type { Sandbox } from '../../../src/shell/sandbox/sandbox.ts';
import { AT, NO_ISOLATION, PLAIN, wayOf, type Way } from './ways.given.ts';

// Otherwise Node keeps it when the program exits, and this one is killed.
flushCompileCache();
const [folder = '', home = '', wayName = '', facts = '', seedText = '1'] = process.argv.slice(2);
// The killer passes one of the ways that it has.
const way = wayName as Way;
const tell = (...words: readonly string[]): void => appendFileSync(facts, `${words.join(' ')}\n`);
const random = chance(Number(seedText));
const RUN = 'r';

const found = await openRepository({ home, project: folder, repairs: true });
if (found.type === 'refused') throw new Error(found.failure.code);
const { repository } = found;
const base = (await repository.baseOf('main')) ?? '';
const { settings, probe } = wayOf(way);
const opened = await openSandboxes({
  home,
  repository,
  settings: { ...PLAIN, ...settings },
  isolation: NO_ISOLATION,
  network: 'none',
  agent: undefined,
  probe,
});
if (opened.type === 'refused') throw new Error(opened.failure.code);
const { sandboxes } = opened;
tell('ready');

const must = <Outcome extends { readonly type: string }>(outcome: Outcome): Outcome => {
  if (['failed', 'kept', 'refused', 'moved'].includes(outcome.type)) throw new Error(JSON.stringify(outcome));
  return outcome;
};

const inside = (sandbox: Sandbox, script: string): void => {
  const [program = '', ...args] = sandbox.wrap(['sh', '-ec', script]);
  execFileSync(program, args, { cwd: sandbox.folder, env: { ...process.env, ...sandbox.environment }, stdio: 'pipe' });
};

async function enter(task: string): Promise<Sandbox> {
  const result = must(await sandboxes.open({ run: RUN, task, base, from: undefined, at: AT }));
  if (result.type !== 'opened') throw new Error('unreachable');
  return result.sandbox;
}

/** The program ends by itself when the test that was to kill it is gone. */
const LIFE_MS_MAX = 120_000;
setTimeout(() => process.exit(1), LIFE_MS_MAX).unref();

let turn = 0;
async function work(task: string): Promise<string> {
  const sandbox = await enter(task);
  turn += 1;
  const file = `w-${process.pid}-${turn}-${task}`;
  inside(sandbox, `echo work > ${file}; echo more >> own-${task}; rm -f src/f${random.below(200)}`);
  tell('wrote', file);
  if (random.below(4) === 0)
    inside(sandbox, `git add -A; git commit -qm own-${file}; git reset -q --hard HEAD~1; true`);
  return file;
}

async function keep(task: string): Promise<void> {
  const file = await work(task);
  const ref = REFS.checkpoint(RUN, { task, step: `s${process.pid}`, attempt: turn });
  const done = must(await (await enter(task)).checkpoint({ message: `Work ${file}\n`, at: AT, ref }));
  if (done.type !== 'failed') tell('committed', done.commit);
}

/** What one coordinator does with all that was committed: merge each once, and move the branch. */
async function merge(): Promise<void> {
  const branch = REFS.runBranch(RUN);
  must(await repository.pin(RUN, base));
  const tips = await repository.list(`refs/heddle/${RUN}/checkpoints`);
  for (const { commit: tip } of tips.slice(-3)) {
    const onto = (await repository.read(branch)) ?? base;
    if (await repository.isAncestor(tip, onto)) continue;
    const options = { onto, tip, message: `Merge ${tip}`, at: AT, usesResolutions: false };
    const outcome = await repository.mergeOnto(options);
    if (outcome.type !== 'merged') continue;
    must(
      await repository.swap({
        ref: branch,
        from: onto === base ? await repository.read(branch) : onto,
        to: outcome.commit,
      }),
    );
    tell('merged', tip);
  }
  const merged = await repository.read(branch);
  if (merged !== undefined) must(await repository.publish(RUN, merged));
}

async function candidate(task: string): Promise<void> {
  const commit = (await repository.read(REFS.runBranch(RUN))) ?? base;
  const result = must(await sandboxes.candidate({ commit, name: `k-${task}` }));
  if (result.type === 'opened') must(await result.candidate.destroy());
}

const actions: readonly ((task: string) => Promise<unknown>)[] = [
  keep,
  keep,
  work,
  merge,
  candidate,
  async (task) => must(await (await enter(task)).reset(base)),
  async (task) => must(await (await enter(task)).destroy()),
  async (task) => must(await (await enter(task)).salvage('asked')),
  enter,
];

try {
  for (;;) {
    // Both at once, as workers are; only one of them is the coordinator.
    const [one, other] = [actions[random.below(actions.length)], actions[random.below(actions.length)]];
    await Promise.all([one?.('a'), other === merge ? undefined : other?.('b')]);
  }
} catch (cause) {
  tell('broke', String(cause).replaceAll('\n', ' '));
  process.exitCode = 1;
}
