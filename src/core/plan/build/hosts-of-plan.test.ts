// What a plan says about hosts: `on` and `hosts`.
import { describe, expect, test } from 'vitest';
import { compile } from '../../compile/compile.ts';
import { expand } from '../expand.ts';
import type { Plan, Task } from '../plan.ts';
import { runCapOf } from '../run-cap.ts';
import { printPlan } from '../print/print.ts';
import type { Layers } from '../settings/setting-layers.ts';
import { parsePlan } from './parse.ts';

const HEAD = 'heddle: 1\nagents: { a: claude, big: { use: claude, on: gpu } }\nmerge: { check: make }\n';

function read(text: string, layers: Layers = {}): Plan {
  const { plan, diagnostics } = parsePlan(`${HEAD}${text}`, { file: 'plan.yaml', layers });
  if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join(' '));
  return plan;
}

const said = (text: string): readonly string[] =>
  parsePlan(`${HEAD}${text}`, { file: 'plan.yaml' }).diagnostics.map(({ code, hint }) => `${code}: ${hint}`);

/** By path of the task or step, what it asks of a host. */
function labelsIn(tasks: readonly Task[]): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const visit = (task: Task): void => {
    found[task.path] = (task.on ?? []).join(' ');
    if (task.type === 'subplan') task.tasks.forEach(visit);
    if (task.type === 'for_each') visit(task.task);
    if (task.type === 'work') for (const { id, on } of task.steps) found[`${task.path}/${id}`] = (on ?? []).join(' ');
  };
  tasks.forEach(visit);
  return found;
}

const NESTED = `tasks:
  group:
    on: linux
    tasks:
      one: { on: [gpu, linux], run: x }
      two: { steps: [{ run: x }, { run: y, on: [big] }] }
  each: { on: [mac], for_each: { in: [p, q], task: { run: x, on: [arm] } } }
  grown: { on: [gpu], grow: { prompt: More., max_tasks: 3, confirm: gate } }
  free: { run: x }
`;

describe('on', () => {
  test('holds for what is inside, together with what is said there', () => {
    expect(labelsIn(expand(read(NESTED)).tasks)).toEqual({
      group: 'linux',
      'group.one': 'linux gpu',
      'group.one/main': 'linux gpu',
      'group.two': 'linux',
      'group.two/step-1': 'linux',
      'group.two/step-2': 'linux big',
      each: 'mac',
      'each.p': 'mac arm',
      'each.p/main': 'mac arm',
      'each.q': 'mac arm',
      'each.q/main': 'mac arm',
      grown: 'gpu',
      'grown.draft': 'gpu',
      'grown.draft/main': 'gpu',
      'grown.confirm': 'gpu',
      free: '',
      'free/main': '',
    });
  });

  test('is printed where it was written', () => {
    const plan = read(`hosts: { max_parallel: 512 }\n${NESTED}`);
    const printed = printPlan(plan);
    expect(parsePlan(printed, { file: 'plan.yaml' }).plan).toEqual(plan);
    expect(printed.match(/"on": \[.*?\]|hosts: .*/g)).toEqual([
      'hosts: { max_parallel: 512 }',
      '"on": [gpu]',
      '"on": [linux]',
      '"on": [gpu]',
      '"on": [big]',
      '"on": [mac]',
      '"on": [arm]',
      '"on": [gpu]',
    ]);
  });

  test.each([
    ['on: ""', 'wrong-type'],
    ['on: []', 'out-of-range'],
    ['on: [GPU 1]', 'invalid-name'],
    ['on: [-x]', 'invalid-name'],
    ['on: { gpu: 1 }', 'wrong-type'],
    [`on: [${'x'.repeat(65)}]`, 'invalid-name'],
  ])('refuses %s', (on, code) => {
    expect(said(`tasks: { a: { run: x, ${on} } }`)).toEqual([expect.stringMatching(`^${code}: `)]);
  });

  test('has no meaning on a gate, on a join and on a step that joins', () => {
    expect(said('tasks: { a: { run: x }, g: { gate: Go?, on: x }, j: { needs: [a], join: true, on: x } }')).toEqual([
      'misplaced-key: It belongs to: prompt, run, steps, tasks, for_each, grow. Move it there or delete it.',
      'misplaced-key: It belongs to: prompt, run, steps, tasks, for_each, grow. Move it there or delete it.',
    ]);
    const steps = '{ id: a, run: x, async: true }, { action: join, needs: [a], on: x }';
    expect(said(`tasks: { a: { steps: [${steps}] } }`)).toEqual([
      'misplaced-key: It belongs to: prompt, run. Move it there or delete it.',
    ]);
  });

  test.each(['runs-on', 'runner', 'tags', 'nodeSelector', 'labels'])('is what %s is called here', (key) => {
    expect(said(`tasks: { a: { run: x, ${key}: gpu } }`)).toEqual([
      'unknown-key: Write on with labels of hosts: on: [linux, gpu].',
    ]);
  });

  test('does not belong to the plan as a whole', () => {
    expect(said('on: [gpu]\ntasks: { a: { run: x } }')[0]).toContain('labels of hosts belong to a task');
  });
});

describe('hosts', () => {
  const TASKS = 'tasks: { a: { run: x } }';

  test('caps the run over all machines, and max_parallel one machine', () => {
    const plan = read(`max_parallel: 6\nhosts: { max_parallel: 512 }\n${TASKS}`);
    expect([plan.cap, runCapOf(plan)]).toEqual([6, 512]);
    const { net, run } = compile(plan);
    expect(net.initial[run.cap]).toBe(512);
  });

  test('leaves the cap of the run to max_parallel where the plan says nothing', () => {
    expect(runCapOf(read(`max_parallel: 6\n${TASKS}`))).toBe(6);
    expect(runCapOf(read(`hosts: {}\n${TASKS}`))).toBe(4);
  });

  test.each([
    ['hosts: { max_parallel: 0 }', 'out-of-range'],
    ['hosts: { max_parallel: 1025 }', 'out-of-range'],
    ['hosts: 512', 'wrong-type'],
    ['hosts: { max: 5 }', 'unknown-key'],
  ])('refuses %s', (line, code) => {
    expect(said(`${line}\n${TASKS}`)[0]).toMatch(`${code}: `);
  });

  test('may come from a settings file, and says so', () => {
    const project = { file: 'config.yaml', text: '\nhosts: { max_parallel: 64 }' };
    expect(runCapOf(read(TASKS, { project }))).toBe(64);
    const origins = parsePlan(`${HEAD}${TASKS}`, { file: 'plan.yaml', layers: { project } }).origins();
    expect(origins.find(({ setting }) => setting === 'hosts.max_parallel')).toMatchObject({
      task: '',
      value: '64',
      origin: { layer: 'project file', line: 2 },
    });
  });
});
