// The guide, followed: every plan that it shows is right, and every command that it shows is called, in the order of the
// page, in a folder of its own.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parsePlan } from '../../../src/core/plan/build/parse.ts';
import { need, type Need } from '../../needs.given.ts';
import { heddle, ROOT } from '../heddle.given.ts';
import { givenProgram } from './shells.given.ts';

const GUIDE = join(ROOT, 'docs', 'guide');

interface Block {
  readonly language: string;
  readonly text: string;
  /** The paragraph before it. */
  readonly before: string;
}

function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map((match) => {
    const [, language = '', text = ''] = match;
    const before = page.slice(0, match.index).trimEnd().split('\n\n').at(-1) ?? '';
    return { language, text, before: before.replaceAll('\n', ' ') };
  });
}

const savedAs = ({ language, before }: Block): string | undefined =>
  language === 'yaml' ? /[Ss]ave this as `([^`]+)`/.exec(before)?.[1] : undefined;

/** A shell script of the commands; one that ends otherwise than the page says ends all with its own words. */
const scriptOf = ({ text }: Block): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith('$ '))
    .map((line) => line.slice(2))
    .map((line) => {
      if (line.endsWith('&')) return line;
      const wanted = /# exits with (\d+)$/.exec(line)?.[1] ?? '0';
      return `${line}\ncode=$?; [ $code -eq ${wanted} ] || { echo "exited with $code: "'${line.replaceAll("'", `'"'"'`)}' >&2; exit 99; }`;
    })
    .join('\n');

const MOUNTS = '/proc/self/mountinfo';
/** A page that waits for what does not come ends before the test does. */
const KEPT = { encoding: 'utf8', timeout: 120_000, killSignal: 'SIGKILL' } as const;
const IDENTITY = { name: 'Ada', email: 'ada@example.com' };

function follow(page: string): string {
  const home = mkdtempSync(join(tmpdir(), 'heddle-guide-'));
  const cwd = join(home, 'shop');
  mkdirSync(cwd);
  const env = {
    PATH: `${givenProgram(home)}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: IDENTITY.name,
    GIT_AUTHOR_EMAIL: IDENTITY.email,
    GIT_COMMITTER_NAME: IDENTITY.name,
    GIT_COMMITTER_EMAIL: IDENTITY.email,
  };
  try {
    for (const block of blocksOf(page)) {
      const file = savedAs(block);
      if (file !== undefined) writeFileSync(join(cwd, file), block.text);
      if (block.language !== 'console') continue;
      const { status, stdout, stderr } = spawnSync('sh', ['-c', scriptOf(block)], { ...KEPT, cwd, env });
      if (status !== 0) return `${stdout}\n${stderr}`;
    }
    return '';
  } finally {
    // Processes that an unfinished page left running end with it.
    heddle(['cancel'], { cwd });
    unmountIn(home);
    rmSync(home, { recursive: true, force: true });
  }
}

/** Of a run that did not come to its end, trees may still be mounted. */
function unmountIn(folder: string): void {
  const mounts = existsSync(MOUNTS) ? readFileSync(MOUNTS, 'utf8').split('\n') : [];
  const inside = mounts.flatMap((line) => line.split(' ')[4] ?? []).filter((at) => at.startsWith(`${folder}/`));
  for (const at of inside.toReversed()) spawnSync('umount', [at]);
}

/** A page whose project is checked by make takes it for granted. */
function makeFor(page: string): Need {
  const isMissing = /check: make\b/.test(page) && spawnSync('make', ['--version']).status !== 0;
  return { name: 'other', missing: isMissing ? 'there is no make here' : undefined };
}

const PAGES = readdirSync(GUIDE)
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file, text: readFileSync(join(GUIDE, file), 'utf8') }));

describe.each(PAGES)('$file', ({ text }) => {
  test('shows plans without mistakes', () => {
    const plans = blocksOf(text).filter((block) => block.language === 'yaml' && block.text.startsWith('heddle:'));
    const errors = plans.flatMap((plan) => parsePlan(plan.text, { file: 'plan.yaml' }).diagnostics);
    expect(errors.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('shows commands that do what it says', (context) => {
    need(context, makeFor(text));
    expect(follow(text)).toBe('');
  });
});
