// A run and its live view at real terminals.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { heddle, ROOT } from '../heddle.given.ts';
import { atTerminal, openSession } from './at-terminal.given.ts';
import { asRepository, CHECKOUT, givenPlan, go, PLAN, WAITS } from './live-plan.given.ts';

describe('a run at a terminal', () => {
  atTerminal('is printed in lines where no live view is wanted', async () => {
    const folder = givenPlan('a: { run: "true" }');
    const session = openSession(['run', '--plain'], { cwd: folder });
    expect((await session.end()).code).toBe(0);
    expect(session.raw()).toMatch(/a started[^]*look-1 ended/);
    expect(session.raw()).not.toContain('\u001B[?1049h');
  });

  atTerminal('shows its tasks, what workers print and what asks, and takes an answer by key', async () => {
    const folder = givenPlan(PLAN);
    const session = openSession(['run', 'plan.yaml'], { cwd: folder });
    await session.shows('getting there');
    await session.shows('ask asks: May it ship?');
    expect(session.screen().isAlternate()).toBe(true);
    session.type('a');
    await session.shows('y approve');
    session.type('y');
    await session.shows('ask is approved.');
    go(folder);
    expect(await session.end()).toEqual({ code: 0, isCooked: true });
    const { isAlternate, isCursorShown, lines, strange } = session.screen();
    expect({ alternate: isAlternate(), cursor: isCursorShown(), strange: strange() }).toEqual({
      alternate: false,
      cursor: true,
      strange: [],
    });
    // What was there before is there again, and under it the report.
    expect(lines()[0]).toBe('before');
    expect(lines().join('\n')).toContain('3 of 3 tasks completed');
  });

  atTerminal('ends well when the key that was pressed last is what ends the run', async () => {
    const session = openSession(['run', 'plan.yaml'], { cwd: givenPlan('ask: { gate: "May it ship?" }') });
    await session.shows('ask asks: May it ship?');
    session.type('ay');
    const { code } = await session.end();
    expect({ code, said: session.raw().includes('1 of 1 task') }).toEqual({ code: 0, said: true });
  });

  atTerminal('stops when the person presses Ctrl-C, and says how to go on', async () => {
    const session = openSession(['run', 'plan.yaml'], { cwd: givenPlan(PLAN) });
    await session.shows('getting there');
    session.type('\u0003');
    expect(await session.end()).toEqual({ code: 130, isCooked: true });
    expect(session.screen().lines().join('\n')).toContain('Stopped. heddle resume look-1 goes on.');
  });

  atTerminal('leaves the terminal as it was when it is told to end', async () => {
    const session = openSession(['run', 'plan.yaml'], { cwd: givenPlan(PLAN) });
    await session.shows('getting there');
    session.signal('SIGTERM');
    expect(await session.end()).toEqual({ code: 130, isCooked: true });
    expect([session.screen().isAlternate(), session.screen().isCursorShown()]).toEqual([false, true]);
  });

  atTerminal('leaves the terminal as it was when a bug ends it, and the words about it can be read', async () => {
    const folder = givenPlan(PLAN);
    const bug = join(folder, 'bug.mjs');
    writeFileSync(bug, `process.on('SIGUSR2', () => setTimeout(() => { throw new Error('a bug of ours'); }));`);
    const session = openSession(['run', 'plan.yaml'], { cwd: folder, env: { NODE_OPTIONS: `--import ${bug}` } });
    await session.shows('getting there');
    session.signal('SIGUSR2');
    expect((await session.end()).isCooked).toBe(true);
    expect([session.screen().isAlternate(), session.screen().isCursorShown()]).toEqual([false, true]);
    expect(session.screen().lines().join('\n')).toContain('a bug of ours');
    heddle(['stop'], { cwd: folder });
  });

  atTerminal('gives the terminal back on Ctrl-Z, and takes it again when the shell continues it', async () => {
    const folder = givenPlan(PLAN);
    const session = openSession(['run', 'plan.yaml'], { cwd: folder, suspensions: 1 });
    await session.shows('getting there');
    session.type('\u001A');
    await session.until('the screen as it was', (lines) => lines[0] === 'before' && lines.includes('suspended'));
    expect([session.screen().isAlternate(), session.screen().isCursorShown()]).toEqual([false, true]);
    expect(session.wasCookedWhileSuspended()).toBe(true);
    session.type('fg\n');
    await session.shows('getting there');
    session.type('ay');
    await session.shows('ask is approved.');
    go(folder);
    expect(await session.end()).toEqual({ code: 0, isCooked: true });
  });

  atTerminal('fits another size as soon as the window has it', async () => {
    const folder = givenPlan(PLAN);
    const session = openSession(['run', 'plan.yaml'], { cwd: folder });
    await session.shows('getting there');
    session.resize(44, 12);
    await session.until('the view in 12 rows', (lines) => lines[10]?.startsWith(' ↑↓ task') === true);
    expect(session.screen().lines()[0]).toMatch(/^ look-1 {2}running for \d+s/);
    session.type('ay');
    go(folder);
    expect((await session.end()).code).toBe(0);
  });

  atTerminal(
    'keeps what programs print from steering the terminal, and uses no colour when none is wanted',
    async () => {
      const folder = givenPlan(`evil: { run: 'printf "\\033[2J\\033]0;owned\\007\\033[31mred 漢字\\n"; ${WAITS}' }`);
      const session = openSession(['run', 'plan.yaml'], { cwd: folder, env: { NO_COLOR: '1' } });
      await session.shows('red 漢字');
      expect(session.screen().strange()).toEqual([]);
      expect(session.raw()).not.toMatch(/\u001B\[[\d;]*m|owned/);
      go(folder);
      expect((await session.end()).code).toBe(0);
    },
  );

  atTerminal('prints plain lines to a terminal that can do no more, and in the background', async () => {
    const folder = givenPlan('quick: { run: "true" }');
    const dumb = openSession(['run', 'plan.yaml'], { cwd: folder, env: { TERM: 'dumb' } });
    expect((await dumb.end()).code).toBe(0);
    expect(dumb.raw()).not.toContain('\u001B');
    expect(dumb.raw()).toContain('1 of 1 task completed');
    const behind = openSession(['run', 'plan.yaml'], { cwd: folder, isInBackground: true });
    expect((await behind.end()).code).toBe(0);
    expect(behind.raw()).not.toContain('\u001B[?1049h');
  });

  atTerminal('asks before it cancels, filters, and shows and searches what a task prints', async () => {
    const folder = givenPlan(PLAN);
    const session = openSession(['run', 'plan.yaml'], { cwd: folder, width: 80 });
    await session.shows('getting there');
    session.type('/ship');
    await session.until('only ship', (lines) => !lines.some((line) => line.includes('getting there')));
    session.type('\u001B');
    await session.shows('getting there');
    session.type('\u001B[B\u001B[B');
    await session.until('slow chosen', (lines) => lines.some((line) => line.startsWith('▸● slow')));
    session.type('\r');
    await session.until('its output alone', (lines) => lines.includes('getting there'));
    session.type('/THERE\r');
    await session.shows('/THERE: 1 found');
    session.type('\u001B');
    await session.until('the list', (lines) => lines.some((line) => line.startsWith('▸● slow')));
    session.type('x');
    await session.shows('Cancel slow for good?');
    session.type('y');
    await session.until('slow cancelled', (lines) => lines.some((line) => /slow +cancelled/.test(line)));
    session.type('\u0003');
    expect((await session.end()).isCooked).toBe(true);
  });

  atTerminal('has the output of a task beside the list, why it waits and the plan by keys', async () => {
    const folder = givenPlan(PLAN);
    const session = openSession(['run', 'plan.yaml'], { cwd: folder, width: 120 });
    await session.until('the question in the pane', (lines) => lines.some((line) => line.includes('│ ask › why')));
    session.type('\u001B[B\u001B[B');
    await session.until('the output', (lines) => lines.some((line) => line.includes('│ getting there')));
    session.type('\u001B[B');
    await session.until('what ship waits for', (lines) => lines.some((line) => /│ +slow, working/u.test(line)));
    session.type('g');
    await session.until('the plan', (lines) => lines.some((line) => line.includes('└─ ◌ ship')));
    session.type('q');
    await session.until('the list', (lines) => lines.some((line) => line.startsWith('▸◌ ship')));
    session.type('\u0003');
    expect((await session.end()).isCooked).toBe(true);
  });

  atTerminal('is drawn in ASCII where the locale has no Unicode', async () => {
    const folder = givenPlan(PLAN);
    const session = openSession(['run', 'plan.yaml'], { cwd: folder, env: { LANG: 'C' } });
    await session.shows('ask asks: May it ship?');
    expect(session.screen().lines().join('')).toMatch(/^[ -~]*$/u);
    session.type('\u0003');
    expect((await session.end()).isCooked).toBe(true);
  });

  atTerminal('can be asked something after the view is gone', async () => {
    const folder = givenPlan(
      'made: { run: "echo hello > greeting.txt" }\nmore: { gate: "Enough?" }',
      `${CHECKOUT}merge: { auto: confirm }\n`,
    );
    asRepository(folder);
    const session = openSession(['run', 'plan.yaml'], { cwd: folder });
    await session.until('made done', (lines) => lines.some((line) => /made +done/.test(line)));
    session.type('ay');
    await session.shows('Land look-1');
    session.type('y\n');
    expect(await session.end()).toEqual({ code: 0, isCooked: true });
    expect(readFileSync(join(folder, 'greeting.txt'), 'utf8')).toBe('hello\n');
  });

  atTerminal('suspends the terminal for a pager with what a task has changed, and takes it back', async () => {
    const tasks = 'made: { run: "echo hello > greeting.txt" }\nrest: { gate: "Enough?" }';
    const folder = givenPlan(tasks, `${CHECKOUT}merge: { auto: manual }\n`);
    asRepository(folder);
    const pager = "sh -c 'cat > seen.txt; echo in the pager; until [ -e read ]; do sleep 0.05; done'";
    const session = openSession(['run', 'plan.yaml'], { cwd: folder, env: { GIT_PAGER: pager, NO_COLOR: '1' } });
    await session.until('made done', (lines) => lines.some((line) => /made +done/.test(line)));
    session.type('\u001B[F');
    session.type('d');
    await session.shows('in the pager');
    expect(session.screen().isAlternate()).toBe(false);
    expect(readFileSync(join(folder, 'seen.txt'), 'utf8')).toContain('+hello');
    writeFileSync(join(folder, 'read'), '');
    await session.until('the view again', (lines) => lines.some((line) => /made +done/.test(line)));
    session.type('ay');
    expect((await session.end()).isCooked).toBe(true);
  });
});

describe('heddle watch', () => {
  atTerminal('shows one run at several terminals, and leaving one leaves the run alone', async () => {
    const folder = givenPlan(PLAN);
    expect(heddle(['run', 'plan.yaml', '--detach'], { cwd: folder }).code).toBe(0);
    const [one, two] = [
      openSession(['watch'], { cwd: folder }),
      openSession(['watch', 'look-1'], { cwd: folder, width: 80, height: 24 }),
    ];
    await Promise.all([one.shows('getting there'), two.shows('getting there')]);
    one.type('q');
    expect(await one.end()).toEqual({ code: 0, isCooked: true });
    expect(one.screen().lines().join('\n')).toContain('look-1 goes on; heddle watch');
    two.type('ay');
    await two.shows('ask is approved.');
    go(folder);
    // It ends under the eyes of who watches, and they hear how.
    expect(await two.end()).toEqual({ code: 0, isCooked: true });
    expect(two.screen().lines().join('\n')).toContain('3 of 3 tasks completed');
    const after = openSession(['watch'], { cwd: folder });
    await after.shows('The run has ended.');
    after.type('q');
    expect((await after.end()).code).toBe(0);
  });

  atTerminal('says that the run has no coordinator, and how to go on, when its coordinator died', async () => {
    const folder = givenPlan(PLAN);
    const run = openSession(['run', 'plan.yaml'], { cwd: folder });
    await run.shows('getting there');
    const watching = openSession(['watch'], { cwd: folder });
    await watching.shows('getting there');
    run.signal('SIGKILL');
    await watching.shows('Not running: no coordinator. heddle resume look-1 goes on.');
    watching.type('p');
    await watching.shows('Noted. The run has no coordinator');
    watching.type('\u0003');
    expect((await watching.end()).code).toBe(130);
    heddle(['stop'], { cwd: folder });
  });

  test('loads nothing that draws when it is piped away', () => {
    const folder = givenPlan('quick: { run: "true" }');
    const spy = join(folder, 'spy.mjs');
    const hook =
      "(specifier, context, next) => { if (specifier === 'ink') console.error('ink!'); return next(specifier, context); }";
    writeFileSync(spy, `import { registerHooks } from 'node:module';\nregisterHooks({ resolve: ${hook} });\n`);
    const env = { NODE_OPTIONS: `--import ${spy}` };
    for (const words of [
      ['run', 'plan.yaml'],
      ['watch', '--plain'],
      ['watch', '--help'],
    ])
      expect(heddle(words, { cwd: folder, env })).toMatchObject({
        code: 0,
        errors: expect.not.stringContaining('ink!'),
      });
  });

  test('prints lines when piped away, and how the run went', async () => {
    const folder = givenPlan('quick: { run: "true" }\nbad: { run: "false" }');
    expect(heddle(['run', 'plan.yaml'], { cwd: folder }).code).toBe(1);
    const { code, out } = heddle(['watch', '--plain'], { cwd: folder });
    expect(code).toBe(1);
    expect(out).toContain('1 of 2 tasks completed');
    expect(out).not.toContain('\u001B');
    expect(heddle(['watch', 'nothing'], { cwd: folder })).toMatchObject({ code: 2 });
  });
});

atTerminal('what is piped to a pager is as wide as the terminal that it is read at', async () => {
  const call = `'${process.execPath}' '${join(ROOT, 'bin', 'heddle.js')}' run --help`;
  const words = ['-qec', `stty cols 70 rows 24; ${call} | cat`, '/dev/null'];
  const { stdout } = await promisify(execFile)('script', words, { env: { PATH: process.env['PATH'] } });
  const widths = stdout.split(/\r?\n/).map((line) => line.length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(70);
  expect(stdout).toContain('--plain');
});
