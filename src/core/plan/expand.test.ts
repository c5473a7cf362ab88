import { describe, expect, test } from 'vitest';
import { parsePlan } from './build/parse.ts';
import type { Plan, Task } from './plan.ts';
import { expand } from './expand.ts';

function given(tasks: string): Plan {
  const { plan, diagnostics } = parsePlan(`heddle: 1\nagent: claude\nmerge: { check: make }\ntasks:\n${tasks}`, {
    file: 'plan.yaml',
  });
  if (plan === undefined) throw new Error(JSON.stringify(diagnostics));
  return plan;
}

/** One line per task: path, what it needs, its item. */
function outline(tasks: readonly Task[]): readonly string[] {
  return tasks.flatMap((task) => [
    `${task.type} ${task.path} <- ${task.needs.of.join(' ')} ${JSON.stringify(task.item) ?? ''}`.trim(),
    ...(task.type === 'subplan' ? outline(task.tasks) : []),
  ]);
}

describe('expanding', () => {
  test('a known list gives one copy per item, under the same path and settings', () => {
    const plan = given(
      '  a: { run: x }\n  fix:\n    needs: a\n    max_parallel: 2\n    budget: { usd: 9 }\n    when: true\n    for_each: { in: [p, 7], as: file, task: { run: y } }\n  z: { needs: fix, run: z }\n',
    );
    const [, folded] = plan.tasks;
    const expanded = expand(plan);
    expect(outline(expanded.tasks)).toEqual([
      'work a <-',
      'subplan fix <- a',
      'work fix.p <-  {"type":"known","name":"file","value":"p"}',
      'work fix.2 <-  {"type":"known","name":"file","value":7}',
      'work z <- fix',
    ]);
    expect(expanded.tasks[1]).toMatchObject({
      cap: 2,
      budget: folded?.budget,
      when: 'true',
      settings: folded?.settings,
    });
    expect(expanded.tasks[1]).toMatchObject({ tasks: [{ id: 'p' }, { id: '2' }] });
  });

  test('a list that comes during the run gives as many copies as max, each reading its place', () => {
    const plan = given('  fix:\n    for_each: { in: \'["a"]\', max: 2, task: { run: y } }\n');
    expect(outline(expand(plan).tasks)).toEqual([
      'subplan fix <-',
      `work fix.1 <-  {"type":"later","name":"item","list":"[\\"a\\"]","index":0}`,
      `work fix.2 <-  {"type":"later","name":"item","list":"[\\"a\\"]","index":1}`,
    ]);
  });

  test('needs inside the inner task point into the same copy, needs to the outside stay', () => {
    const plan = given(
      '  a: { run: x }\n  fix:\n    for_each:\n      in: [p, q]\n      task:\n        tasks:\n          one: { needs: a, run: x }\n          two: { needs: one, run: y }\n',
    );
    expect(outline(expand(plan).tasks).filter((line) => line.includes('two') || line.includes('one'))).toEqual([
      'work fix.p.one <- a',
      'work fix.p.two <- fix.p.one',
      'work fix.q.one <- a',
      'work fix.q.two <- fix.q.one',
    ]);
  });

  test('copies of copies get names at both places', () => {
    const plan = given(
      '  fix:\n    for_each:\n      in: [p, q]\n      task:\n        for_each:\n          in: [r, s]\n          task: { tasks: { x: { run: x }, y: { needs: x, run: y } } }\n  sub: { tasks: { in: { for_each: { in: [1], task: { join: true, needs: fix } } } } }\n',
    );
    const lines = outline(expand(plan).tasks);
    expect(lines).toContain('work fix.q.r.y <- fix.q.r.x');
    expect(lines).toContain('join sub.in.1 <- fix {"type":"known","name":"item","value":1}');
    expect(lines).toHaveLength(1 + 2 * (1 + 2 * 3) + 3);
  });

  test.each([
    ['[api, web]', 'api web'],
    ['[api, 7, true, { a: 1 }, web]', 'api 2 3 4 web'],
    ['["7", "07", a7]', '1 2 a7'],
    ['[api, API, web]', '1 2 web'],
    ['[api, api]', '1 2'],
    ['[src/api, "a b", a.b, -x, con, item, ""]', '1 2 3 4 5 6 7'],
    [`[${'a'.repeat(32)}, ${'b'.repeat(33)}]`, `${'a'.repeat(32)} 2`],
  ])('copies over %s are called %s', (list, names) => {
    const [fix] = expand(given(`  fix: { for_each: { in: ${list}, task: { run: y } } }\n`)).tasks;
    expect(fix?.type === 'subplan' && fix.tasks.map(({ id }) => id).join(' ')).toBe(names);
  });

  test('a copy can be needed and read by its name, from inside a subplan too', () => {
    const { tasks } = expand(
      given(
        '  s: { tasks: { fix: { for_each: { in: [p, q], task: { run: x } } }, a: { needs: [fix.q], run: "echo {{ tasks.fix.q.response }}" } } }\n',
      ),
    );
    expect(outline(tasks)).toContain('work s.a <- s.fix.q');
  });

  test('a plan without for_each keeps its very tasks', () => {
    const plan = given('  a: { run: x }\n  b: { tasks: { c: { gate: ok? } } }\n');
    expect(expand(plan).tasks).toBe(plan.tasks);
  });
});
