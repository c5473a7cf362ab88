// A run that ends while a pager has the terminal, and the question after its end.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, vi } from 'vitest';
import { PATIENCE_MS } from '../../patience.given.ts';
import { heddle } from '../heddle.given.ts';
import { atTerminal, openSession, type Session, type SessionOptions } from './at-terminal.given.ts';
import { asRepository, CHECKOUT, givenPlan } from './live-plan.given.ts';

const TASKS = 'made: { run: "echo hello > greeting.txt" }\nrest: { gate: "Enough?" }';
const PAGER = "sh -c 'trap : INT; echo in the pager; until [ -e read ]; do sleep 0.05; done'";

interface Paged {
  readonly folder: string;
  readonly session: Session;
}

/** A run that waits for an approval, with the diff of its other task in a pager. */
async function givenPager(options: Partial<SessionOptions> = {}): Promise<Paged> {
  const folder = givenPlan(TASKS, CHECKOUT);
  asRepository(folder);
  const env = { GIT_PAGER: PAGER, NO_COLOR: '1' };
  const session = openSession(['run', 'plan.yaml'], { cwd: folder, env, ...options });
  await session.until('made done', (lines) => lines.some((line) => /made +done/.test(line)));
  session.type('\u001B[F');
  session.type('d');
  await session.shows('in the pager');
  return { folder, session };
}

/** The run ends, and its coordinator has nothing left to do but to tell. */
async function endRun(folder: string): Promise<void> {
  heddle(['approve', 'rest'], { cwd: folder });
  const hasEnded = (): void => {
    const status: unknown = JSON.parse(heddle(['status', '--json'], { cwd: folder }).out);
    expect(status).toMatchObject({ stage: 'ended', hasCoordinator: false });
  };
  await vi.waitFor(hasEnded, { timeout: PATIENCE_MS });
  // By now the coordinator would have asked.
  heddle(['status'], { cwd: folder });
}

describe('a run that ends while a pager has the terminal', () => {
  atTerminal('says how it went, and asks whether to land, when the person leaves the pager', async () => {
    const { folder, session } = await givenPager();
    await endRun(folder);
    // Ctrl-C is the pager's, once the terminal has echoed it.
    session.type('\u0003');
    await session.shows('^C');
    expect(session.raw()).not.toMatch(/Land look-1|2 of 2 tasks/);
    writeFileSync(join(folder, 'read'), '');
    await session.shows('Land look-1');
    session.type('y\n');
    expect(await session.end()).toEqual({ code: 0, isCooked: true });
    expect(readFileSync(join(folder, 'greeting.txt'), 'utf8')).toBe('hello\n');
  });

  for (const [name, key] of [
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ] as const)
    atTerminal(`takes ${name} for a no to that question`, async () => {
      const { folder, session } = await givenPager();
      await endRun(folder);
      writeFileSync(join(folder, 'read'), '');
      await session.shows('Land look-1');
      session.type(key);
      expect(await session.end()).toEqual({ code: 0, isCooked: true });
      expect(session.screen().lines().join('\n')).toContain('heddle land look-1 lands it.');
      expect(session.raw()).not.toMatch(/bug|database|at .*\.js:/);
      expect(existsSync(join(folder, 'greeting.txt'))).toBe(false);
    });

  atTerminal('can be suspended with Ctrl-Z at that question', async () => {
    const { folder, session } = await givenPager({ suspensions: 1 });
    await endRun(folder);
    writeFileSync(join(folder, 'read'), '');
    await session.shows('Land look-1');
    session.type('\u001A');
    await session.shows('suspended');
    expect(session.wasCookedWhileSuspended()).toBe(true);
    session.type('fg\n');
    await session.until('the question again', (lines) => lines.filter((line) => line.includes('[y/N]')).length > 1);
    session.type('y\n');
    expect(await session.end()).toEqual({ code: 0, isCooked: true });
    expect(existsSync(join(folder, 'greeting.txt'))).toBe(true);
  });
});

describe('Ctrl-Z', () => {
  atTerminal('suspends the run in a pager and in the view after it, and fg goes on with each', async () => {
    const { folder, session } = await givenPager({ suspensions: 2 });
    const suspended = (times: number) => (): boolean => session.raw().split('suspended').length > times;
    session.type('\u001A');
    await session.until('the shell', suspended(1));
    session.type('fg\n');
    writeFileSync(join(folder, 'read'), '');
    await session.until('the view', (lines) => lines.some((line) => /made +done/.test(line)));
    session.type('\u001A');
    await session.until('the shell again', suspended(2));
    session.type('fg\n');
    await session.until('the view again', (lines) => lines.some((line) => /made +done/.test(line)));
    session.type('ay');
    await session.shows('Land look-1');
    session.type('n\n');
    expect(await session.end()).toEqual({ code: 0, isCooked: true });
  });
});

describe('a terminal that is closed', () => {
  atTerminal('stops the run, whether its view or a pager is on it', async () => {
    for (const isPaged of [false, true]) {
      const { folder, session } = await givenPager();
      if (!isPaged) {
        writeFileSync(join(folder, 'read'), '');
        await session.until('the view again', (lines) => lines.some((line) => /made +done/.test(line)));
      }
      session.hangUp();
      const isLeft = (): void => expect(heddle(['status'], { cwd: folder }).out).toContain('no coordinator');
      await vi.waitFor(isLeft, { timeout: PATIENCE_MS });
      writeFileSync(join(folder, 'read'), '');
      expect(heddle(['approve', 'rest'], { cwd: folder }).code).toBe(0);
      expect(heddle(['resume'], { cwd: folder })).toMatchObject({
        code: 0,
        errors: expect.not.stringContaining('bug'),
      });
    }
  });
});
