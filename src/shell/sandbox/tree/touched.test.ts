import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Sandbox } from '../sandbox.ts';
import {
  AT,
  drawing,
  git,
  givenProject,
  givenSandboxes,
  inside,
  removeProject,
  needOf,
  OVERLAYS,
  type GivenRepository,
  type Way,
} from '../sandboxes.given.ts';
import { need } from '../../../../test/needs.given.ts';

let project: GivenRepository;
beforeEach(async () => {
  project = await givenProject();
});
afterEach(async () => removeProject(project));

const open = async (way: Way, task: string): Promise<Sandbox> => {
  const sandboxes = await givenSandboxes(project, way, { setup: 'mkdir -p node_modules made; echo m > made/by-setup' });
  const opened = await sandboxes.open({ run: 'r', task, base: project.base, from: undefined, at: AT });
  if (opened.type === 'failed') throw new Error(opened.failure.code);
  return opened.sandbox;
};

let checkpoints = 0;
const checkpoint = async (sandbox: Sandbox): Promise<string> => {
  checkpoints += 1;
  const ref = `refs/heddle/r/checkpoints/t/main/${checkpoints}`;
  const done = await sandbox.checkpoint({ message: 'Work\n', at: AT, ref });
  if (done.type === 'failed') throw new Error(done.failure.code);
  return `${done.type} ${done.commit}`;
};

/** Whether the last checkpoint was made without looking at every file. */
const wasQuick = (sandbox: Sandbox): boolean =>
  readFileSync(join(sandbox.folder, '..', 'touched.json'), 'utf8').includes('"commit"');

/** What one of them has otherwise than the last. */
const difference = (said: readonly string[]): string =>
  said
    .map((one) => git(project.repository.gitDir, 'diff-tree', '-r', one.slice(-40), said.at(-1)?.slice(-40) ?? ''))
    .join('\n');

const NAMES = ['README.md', 'src', 'src/a.txt', 'src/deep', 'src/deep/b.txt', 'fresh', 'fresh/one', 'fresh/two/deep'];
const ODD = [
  'a b "c" ü.txt',
  '-dash',
  'crlf.txt',
  'run.sh',
  'link',
  'made/by-setup',
  'node_modules/x',
  'ignored',
  'x.log',
];

/** Something that somebody may do to a tree, in the words of a shell; what cannot be done is not done. */
function action(draw: (bound: number) => number): string {
  const one = (): string => `'./${[...NAMES, ...ODD][draw(NAMES.length + ODD.length)] ?? ''}'`;
  const [path, other] = [one(), one()];
  const parent = `mkdir -p "$(dirname ${path})"`;
  const actions = [
    `${parent} && echo ${draw(5)} >> ${path}`,
    `${parent} && rm -rf ${path} && echo ${draw(3)} > ${path}`,
    `rm -rf ${path}`,
    `rm -rf ${path} && mkdir -p ${path} && echo in > ${path}/inner`,
    `rm -rf ${path} && mkdir -p ${path}`,
    `${parent} && rm -rf ${path} && ln -s inner ${path}`,
    `mv ${path} ${other}`,
    `cp -r ${path} ${other}`,
    `chmod ${draw(2) === 0 ? '+x' : '-x'} ${path}`,
    `touch ${path}`,
    `ln -f ${path} ${other}`,
    `echo '*.log' >> .gitignore`,
    `echo '!made/' > .gitignore`,
    `printf '*.log text eol=crlf\\n' > .gitattributes`,
    `mkfifo pipe${draw(3)}`,
    `git checkout -q -f HEAD -- ${path}`,
  ];
  return `{ ${actions[draw(actions.length)] ?? 'true'}; } 2>/dev/null || true`;
}

const SEEDS = 3;
const ROUNDS = 4;

/** Each after the other in one sandbox: what only a look below, or at what was there before, can tell. */
const STEPS: readonly string[] = [
  'rm -r src; mkdir src; echo in > src/inner',
  'rm -r src; echo file > src; mkdir -p fresh/deep; echo 1 > fresh/deep/one; echo 2 > fresh/two',
  'rm -r fresh; rm src; mkdir src; echo a > src/a.txt; ln -s a.txt src/link; echo no > ignored',
  'rm run.sh; ln -s README.md run.sh; mkfifo pipe; chmod +x README.md',
  'mv src/a.txt README.md; rm run.sh; mkdir run.sh; echo x > run.sh/x',
  'git checkout -q -f HEAD -- run.sh README.md 2>/dev/null || true; rm -rf run.sh pipe',
  'for i in $(seq 150); do echo $i > many-$i; done',
  'rm many-*; echo "*.txt" >> .gitignore; echo hidden > hidden.txt',
];

test.for(OVERLAYS)('a tree of the kind %s is committed step by step as a checkout is', async (way, context) => {
  need(context, await needOf(way));
  const [one, other] = [await open(way, 'one'), await open('checkout', 'other')];
  const quick: boolean[] = [];
  for (const step of STEPS) {
    inside(one, step);
    inside(other, step);
    const said = [await checkpoint(one), await checkpoint(other)];
    expect(said[0], `${step}\n${difference(said)}`).toBe(said[1]);
    quick.push(wasQuick(one));
  }
  expect(quick).toEqual(STEPS.map((step) => !step.includes('.gitignore')));
  expect(await one.destroy()).toEqual({ type: 'destroyed', salvaged: [] });
});

test(
  'what was touched gives the very commits that looking at every file gives',
  { timeout: 600_000 },
  async (context) => {
    const needed = await Promise.all(OVERLAYS.map(async (way) => ({ way, ...(await needOf(way)) })));
    const overlays = needed.filter(({ missing }) => missing === undefined).map(({ way }) => way);
    if (overlays.length === 0) needed.forEach((each) => need(context, each));
    let quick = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const draw = drawing(seed);
      const rows = [...overlays, 'checkout' as const].map((way) => ({
        way,
        sandbox: open(way, `${way} ${seed}`.replaceAll(' ', '-')),
      }));
      for (let round = 1; round <= ROUNDS; round += 1) {
        const script = Array.from({ length: 1 + draw(6) }, () => action(draw)).join('\n');
        const said: string[] = [];
        for (const { way, sandbox } of rows) {
          inside(await sandbox, script);
          said.push(await checkpoint(await sandbox));
          if (way !== 'checkout' && said.at(-1)?.startsWith('committed')) quick += wasQuick(await sandbox) ? 1 : 0;
        }
        expect(
          new Set(said).size,
          `seed ${seed}, round ${round}:\n${script}\n${said.join('\n')}\n${difference(said)}`,
        ).toBe(1);
      }
    }
    expect(quick).toBeGreaterThan(SEEDS);
  },
);
