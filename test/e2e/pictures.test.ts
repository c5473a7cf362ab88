import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLES, givenFile, heddle } from './heddle.given.ts';

const PLAN = join(EXAMPLES, 'checkout-flow.yaml');

describe('heddle graph', () => {
  test.each([
    ['mermaid', /^flowchart|^graph|^---/],
    ['dot', /^(strict )?digraph/],
    ['svg', /^<svg|^<\?xml/],
    ['pnml', /^<\?xml/],
  ])('writes %s at both depths', (format, start) => {
    for (const depth of ['tasks', 'net']) {
      const { code, out, errors } = heddle(['graph', PLAN, '--format', format, '--depth', depth]);
      expect(errors).toBe('');
      expect(out).toMatch(start);
      expect(code).toBe(0);
    }
  });

  test('the same plan gives the same net, byte for byte', () => {
    const words = ['graph', PLAN, '--format', 'pnml'];
    expect(heddle(words).out).toBe(heddle(words).out);
  });

  test('a large plan is folded, unless all of it is asked for', () => {
    const tasks = Array.from(
      { length: 300 },
      (_, at) => `  t${at}: { run: make${at === 0 ? '' : `, needs: [t${Math.floor((at - 1) / 3)}]`} }`,
    );
    const file = givenFile('plan.yaml', `heddle: 1\nname: large\ntasks:\n${tasks.join('\n')}\n`);
    const folded = heddle(['graph', file]).out.split('\n').length;
    const whole = heddle(['graph', file, '--all']).out.split('\n').length;
    expect(folded).toBeLessThan(300);
    expect(whole).toBeGreaterThan(600);
  });
});

describe('heddle simulate', () => {
  test('draws a Gantt chart that fits its width, and the forecast', () => {
    const { code, out } = heddle(['simulate', PLAN]);
    expect(out).toContain('wire-up');
    expect(out).toContain('critical path');
    expect(out).toContain('Forecast');
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(110);
    expect(code).toBe(0);
  });

  test('writes the chart as SVG', () => {
    const file = givenFile('gantt.svg', '');
    heddle(['simulate', PLAN, '--svg', file]);
    expect(readFileSync(file, 'utf8')).toMatch(/<svg[\s\S]*wire-up[\s\S]*<\/svg>/);
  });

  test('draws failures from the seed and names the tasks that were not done', () => {
    const { out } = heddle(['simulate', PLAN, '--failures', '0.6', '--seed', '2']);
    expect(out).toContain('Not done');
  });

  test('serial and parallel end every task alike', () => {
    const endings = (policy: string): unknown =>
      JSON.parse(heddle(['simulate', PLAN, '--policy', policy, '--json']).out).run.endings;
    expect(endings('serial')).toEqual(endings('parallel'));
  });

  test('--json --events is the log of the run', () => {
    const { run, events } = JSON.parse(heddle(['simulate', PLAN, '--json', '--events']).out);
    expect(events[0].type).toBe('run.started');
    expect(events.at(-1).type).toBe('run.ended');
    expect(run.makespanMs).toBe(events.at(-1).at);
  });
});

describe('heddle plan print and schema', () => {
  test('a printed plan passes check and prints the same again', () => {
    const { out } = heddle(['plan', 'print', PLAN]);
    const again = heddle(['plan', 'print', '-'], { input: out, cwd: EXAMPLES });
    expect(again.errors).toBe('');
    expect(again.out).toBe(out);
  });

  test('the schema is the one that is shipped', () => {
    const { out } = heddle(['schema']);
    expect(JSON.parse(out)).toEqual(
      JSON.parse(readFileSync(join(EXAMPLES, '..', 'schema', 'plan.schema.json'), 'utf8')),
    );
  });
});

describe('heddle net check', () => {
  const pnml = (body: string): string =>
    `<?xml version="1.0"?><pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="p">${body}</page></net></pnml>`;
  const place = (id: string, tokens = 0): string =>
    `<place id="${id}"><initialMarking><text>${tokens}</text></initialMarking></place>`;
  const transition = (id: string, from: readonly string[], to: readonly string[]): string =>
    `<transition id="${id}"/>${from.map((p) => `<arc id="${p}-${id}" source="${p}" target="${id}"/>`).join('')}${to.map((p) => `<arc id="${id}-${p}" source="${id}" target="${p}"/>`).join('')}`;

  test('what graph writes is proved when it is read back', () => {
    const { out } = heddle(['graph', PLAN, '--format', 'pnml']);
    const { code, out: said } = heddle(['net', 'check', '-'], { input: out });
    expect(said).toMatch(/^Sound/);
    expect(code).toBe(0);
  });

  test('an unsound net is reported with the shortest trace to the fault', () => {
    const net = pnml(
      place('i', 1) +
        place('a') +
        place('b') +
        place('o') +
        transition('left', ['i'], ['a']) +
        transition('right', ['i'], ['b']) +
        transition('both', ['a', 'b'], ['o']),
    );
    const { code, out } = heddle(['net', 'check', givenFile('n.pnml', net)]);
    expect(out).toMatch(/^Unsound/);
    expect(out).toMatch(/After (left|right) nothing can happen/);
    expect(code).toBe(2);
    expect(JSON.parse(heddle(['net', 'check', '--json', givenFile('n.pnml', net)]).out)).toMatchObject({
      type: 'workflow',
      verdict: { type: 'unsound' },
    });
  });

  test('a net that is no workflow gets an answer to each question', () => {
    const net = pnml(place('p', 2) + place('q') + transition('there', ['p'], ['q']) + transition('back', ['q'], ['p']));
    const { code, out } = heddle(['net', 'check', '--json', givenFile('n.pnml', net)]);
    expect(JSON.parse(out).properties).toMatchObject({
      bounded: { type: 'yes' },
      oneSafe: { type: 'no' },
      deadlockFree: { type: 'yes' },
      live: { type: 'yes' },
      markings: { count: 3, isAll: true },
    });
    expect(code).toBe(0);
  });

  test('a net that is no workflow and deadlocks exits as an unsound plan does', () => {
    const net = pnml(
      place('p', 1) + place('q', 1) + transition('take', ['p', 'q'], ['p']) + transition('give', ['q'], ['q']),
    );
    const { code, out } = heddle(['net', 'check', givenFile('n.pnml', net)]);
    expect(out).toMatch(/nothing can fire/);
    expect(code).toBe(2);
  });

  test('a file that is no PNML is reported with its line', () => {
    const { code, errors } = heddle(['net', 'check', givenFile('n.pnml', '<pnml>\n<net')]);
    expect(errors).toMatch(/n\.pnml:2:\d+ error/);
    expect(code).toBe(2);
  });
});
