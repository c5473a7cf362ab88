// A run that grows in a real repository: with an agent, under a cap, killed in the middle, one at a time.
import { mkdirSync, readdirSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { endRepositoriesAfterEach, givenRepository } from '../git-commands/repository.given.ts';
import { processesOf, signal } from '../world/processes.given.ts';
import type { Line } from '../world/project.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endRepositoriesAfterEach();

const COUNT = 12;
const CAP = 6;
const BOUND_MS = 300_000;

/** What the agent answers: tasks that all wait until as many as the cap are there, so that overlap is certain. */
function fragment(barrier: string, waitsFor: number): string {
  const tasks = Array.from({ length: COUNT }, (_, at) => {
    const waits = `touch ${barrier}/m${at}; until [ $(ls ${barrier} | wc -l) -ge ${waitsFor} ]; do sleep 0.05; done`;
    return `  m${at}: { files: [src/m${at}.txt], run: "${waits}; echo ${at} > src/m${at}.txt" }`;
  });
  return ['tasks:', ...tasks].join('\\n');
}

/** At first the agent answers in prose; what is wrong with it is told, and then it answers with tasks. */
const planText = (barrier: string, waitsFor: number): string => `heddle: 1
name: world
max_parallel: ${CAP}
sandbox: { isolation: none }
agents: { ai: { use: scripted, reserve: { usd: 0.1 } } }
agent: ai
tasks:
  survey: { run: ls src > survey.txt }
  migrate:
    needs: [survey]
    files: [src/**]
    budget: { usd: 5 }
    grow:
      max_tasks: ${COUNT}
      prompt: |
        One task per module.
        @forget
        @say ${fragment(barrier, waitsFor)}
        @once refused.txt @say I would rather not.
  list: { needs: [migrate], run: "ls src > list.txt" }
`;

const typesOf = (events: readonly Line[]): readonly string[] => events.map(({ type }) => type);

/** How many steps the log says were at work at once, at most. */
function peakOf(events: readonly Line[]): number {
  let [now, peak] = [0, 0];
  for (const { type, work } of events) {
    if (work !== 'step') continue;
    if (type === 'claim.made') now += 1;
    if (type === 'claim.ended' || type === 'claim.returned') now -= 1;
    peak = Math.max(peak, now);
  }
  return peak;
}

interface Grown {
  readonly project: ReturnType<typeof givenRepository>;
  readonly barrier: string;
}

function given(waitsFor: number): Grown {
  const project = givenRepository('tasks: { any: { run: any } }\n');
  const barrier = `${project.folder}-barrier`;
  mkdirSync(barrier);
  project.write('plan.yaml', planText(barrier, waitsFor));
  return { project, barrier };
}

const treeOf = ({ project }: Grown): string => project.git('rev-parse', 'heddle/world-1^{tree}');

describe('a run that grows by twelve tasks under a cap of six', () => {
  test(
    'ends in the same tree whether it is left alone, killed in the middle, or done one step at a time',
    { timeout: BOUND_MS },
    async () => {
      const alone = given(CAP);
      expect((await alone.project.heddle('run', '--json')).code).toBe(0);
      const events = await alone.project.events();
      expect(peakOf(events)).toBe(CAP);
      expect(typesOf(events).filter((type) => type === 'plan.grown')).toHaveLength(1);
      expect(events.some(({ type, reason }) => type === 'claim.returned' && reason === 'refused')).toBe(true);
      expect(alone.project.git('show', 'heddle/world-1:list.txt').split('\n')).toHaveLength(COUNT + 3);

      const serial = given(1);
      expect((await serial.project.heddle('run', '--policy', 'serial')).code).toBe(0);
      expect(treeOf(serial)).toBe(treeOf(alone));

      for (const victim of ['coordinator', 'everything'] as const) {
        const killed = given(CAP);
        const going = killed.project.start('run', '--json');
        await vi.waitFor(() => expect(readdirSync(killed.barrier).length).toBeGreaterThanOrEqual(CAP), {
          timeout: PATIENCE_MS,
        });
        for (const { pid, type } of processesOf(killed.project.folder))
          if (victim === 'everything' || type === 'coordinator') signal(pid, 'SIGKILL');
        await going.ended;
        expect((await killed.project.heddle('resume')).code).toBe(0);
        expect(treeOf(killed)).toBe(treeOf(alone));
        expect(typesOf(await killed.project.events()).filter((type) => type === 'plan.grown')).toHaveLength(1);
      }
    },
  );

  test(
    'is shown by check and graph before, and by status, explain, report and recover after',
    { timeout: BOUND_MS },
    async () => {
      const { project } = given(1);
      expect((await project.heddle('check')).out).toContain('up to 12 tasks');
      expect((await project.heddle('graph')).out).toContain('grows by ≤12');
      expect((await project.heddle('run')).code).toBe(0);
      expect((await project.heddle('status')).out).toContain('m11');
      const drawn = (await project.heddle('graph', '--run', 'world-1', '--all')).out;
      expect(drawn).toContain('grown by 12');
      expect(drawn).toContain('m11');
      expect((await project.heddle('explain', 'migrate.m3')).out).toContain('migrate.m3');
      expect((await project.heddle('report')).out).toContain('migrate.draft added migrate.m0');
      expect((await project.heddle('recover')).out).toContain('migrate.m7');
    },
  );
});

describe('a fragment that a command prints', () => {
  test('starts nothing when it leaves the limits of the plan, and the findings are the reason', async () => {
    const project = givenRepository(`tasks:
  m:
    files: [src/**]
    grow: { max_tasks: 2, rounds: 1, run: "echo 'tasks: { a: { files: [../x], run: touch /tmp/evil } }'" }
  after: { needs: [m], run: echo no > no.txt }
`);
    const { code, out } = await project.heddle('run');
    expect(code).toBe(1);
    expect(out).toContain('grown-files');
    const events = await project.events();
    expect(events.filter(({ type, work }) => type === 'claim.made' && work === 'step').map(({ task }) => task)).toEqual(
      ['m.draft'],
    );
    expect(events.find(({ type, task }) => type === 'task.ended' && task === 'm.draft')).toMatchObject({
      ending: 'failed',
      reason: 'refused',
    });
  });

  test('is written again with what was wrong with it in the environment of the command', async () => {
    const right = 'tasks: { a: { files: [src/a.txt], run: echo a > src/a.txt } }';
    const project = givenRepository(`tasks:
  m:
    files: [src/**]
    grow:
      max_tasks: 2
      run: |
        case "$HEDDLE_FINDINGS" in
          '') echo 'tasks: { a: { files: [../x], run: echo a > src/a.txt } }';;
          *'../x'*'leaves the repository'*) echo '${right}';;
          *) echo "$HEDDLE_FINDINGS" >&2; exit 1;;
        esac
`);
    expect((await project.heddle('run')).code).toBe(0);
    expect(project.git('show', 'heddle/world-1:src/a.txt')).toBe('a');
  });

  test('adds its tasks to the copy of a for_each whose draft wrote it', async () => {
    const written = 'tasks: { one: { files: [src/{{ item }}.txt], run: echo 1 > src/{{ item }}.txt } }';
    const project = givenRepository(`tasks:
  m: { for_each: { in: [a, b], task: { files: [src/**], grow: { max_tasks: 1, run: "echo '${written}'" } } } }
`);
    expect((await project.heddle('run')).code).toBe(0);
    expect(project.git('ls-tree', '--name-only', 'heddle/world-1:src')).toMatch(/a.txt\nb.txt/u);
    expect((await project.heddle('status')).out).toContain('4 of 4 tasks completed');
  });

  test('waits for a person who confirms it, and shows the person its tasks', async () => {
    const project = givenRepository(`tasks:
  m:
    grow: { max_tasks: 2, confirm: gate, run: "echo 'tasks: { a: { run: echo a > a.txt } }'" }
`);
    expect((await project.heddle('run', '--wait', '0s')).code).toBe(3);
    const { out } = await project.heddle('status');
    expect(out).toContain('Start the task that m has grown?');
    expect(out).toContain('- a: run: echo a > a.txt');
    expect((await project.heddle('approve', 'm.confirm')).code).toBe(0);
    expect((await project.heddle('resume')).code).toBe(0);
    expect(project.git('show', 'heddle/world-1:a.txt')).toBe('a');
  });
});
