// What agents and programs print, seen at a real terminal.
import { describe, expect, test } from 'vitest';
import { heddle } from '../heddle.given.ts';
import { atTerminal, openSession, type Session } from './at-terminal.given.ts';
import { givenPlan } from './live-plan.given.ts';

// Clears the screen, sets the title, writes the clipboard, moves the cursor by an 8-bit control, turns the text around.
const HOSTILE =
  'start\\033[2J\\033]0;owned\\007\\033]52;c;b3duZWQ=\\007\\302\\2332J\\342\\200\\256\\033[31mred\\033[0m end\\n';
const STEERS = /\u001B\[2J|\u001B\]|[\u0007\u0080-\u009F\u202E]/u;

const hostilePlan = (): string => givenPlan(`evil: { run: "printf '${HOSTILE.replaceAll('\\', '\\\\')}'; exit 1" }`);

/** All that a command wrote to its terminal. */
async function written(words: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  const session: Session = openSession(words, { cwd, env });
  await session.end();
  return session.raw();
}

describe('hostile output', () => {
  atTerminal('is text with its colours in heddle logs', async () => {
    const folder = hostilePlan();
    expect(heddle(['run', 'plan.yaml'], { cwd: folder }).code).toBe(1);
    const logs = await written(['logs', 'evil'], folder);
    expect(logs).toContain('start<U+202E>\u001B[31mred\u001B[0m end');
    expect(logs).not.toMatch(STEERS);
    expect(await written(['logs', 'evil'], folder, { NO_COLOR: '1' })).toContain('start<U+202E>red end');
    expect(await written(['logs', 'evil', '--plain'], folder)).toContain('start<U+202E>red end');
    expect(await written(['logs', 'evil', '--raw'], folder)).toContain('start\u001B[2J\u001B]0;owned\u0007');
  });

  atTerminal('is text wherever else it is shown', async () => {
    const folder = hostilePlan();
    expect(await written(['run', 'plan.yaml', '--plain'], folder)).not.toMatch(STEERS);
    for (const words of [['turns', 'evil'], ['status'], ['explain', 'evil'], ['report'], ['status', '--json']]) {
      const shown = await written(words, folder);
      expect(shown).toContain('red');
      expect(shown).not.toMatch(STEERS);
    }
  });

  test('stays every byte as it came when piped, unless text is asked for', () => {
    const folder = hostilePlan();
    heddle(['run', 'plan.yaml'], { cwd: folder });
    const { out } = heddle(['logs', 'evil'], { cwd: folder });
    expect(out).toBe(
      'start\u001B[2J\u001B]0;owned\u0007\u001B]52;c;b3duZWQ=\u0007\u009B2J\u202E\u001B[31mred\u001B[0m end\n',
    );
    expect(heddle(['logs', 'evil', '--plain'], { cwd: folder }).out).toBe('start<U+202E>red end\n');
    expect(heddle(['turns', 'evil'], { cwd: folder }).out).toContain('\u001B]0;owned\u0007');
  });
});
