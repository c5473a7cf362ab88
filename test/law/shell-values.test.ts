// Random commands, with values that run a program wherever they are read as code: what is not refused is run by a shell.
// Files are not among the words: what is written to a file and then run is the author's.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { renderCommand } from '../../src/core/plan/expressions/shell-command.ts';
import { chance, type Chance } from '../../src/core/schedule/chance.ts';
import { need } from '../needs.given.ts';

/** As the text of a command, in quotes, as a number, and as an option. */
const VALUES = [
  '$(touch ran)',
  'a[$(touch ran)]',
  'touch ran',
  '; touch ran ;',
  `'; touch ran; '`,
  `"; touch ran; "`,
  'E\ntouch ran\n',
  '-c touch ran',
];

const WORDS = [
  '{{ v }}',
  '"a {{ v }}"',
  '\\\n{{ v }}',
  '$(echo {{ v }})',
  '"$(cat <<E\n{{ v }}\nE\n)"',
  '$X',
  '"$X"',
  '"${Y:-$X}"',
  '"${X:0:9}"',
  '${!X}',
  '${X@P}',
  '${list[X]}',
  '`echo "$X"`',
  '"${list[@]}"',
  '$R',
  '"$1"',
  '$@',
];

/** `@` is a word, and `#` another command. */
const COMMANDS = [
  'echo @',
  'X=@',
  'list=(@ b)',
  'declare -i N; N=@',
  'let N=X',
  'N=$[ X ]',
  '[[ $X -gt 1 ]]',
  '@ a',
  'eval @',
  '2>/dev/null eval @',
  `bash -c "echo @"`,
  `sh -c 'eval "$1"' _ @`,
  `sh -c 'echo "$1"' _ @`,
  'bash <<E\necho @\nE',
  'cat <<E\n@\nE',
  'echo @ | bash',
  'echo @ | xargs -n1 sh',
  'read -r R <<< @',
  'echo @ | while read -r R; do #; done',
  'while read -r R; do #; done <<< @',
  'for R in @; do #; done',
  'f() { #; }; f @',
  'set -- @; #',
  '{ #; } 2>&1',
  'case @ in a) :;; *) #;; esac',
];

function commandFrom(random: Chance, depth = 2): string {
  const oneOf = (texts: readonly string[]): string => texts[random.below(texts.length)] ?? '';
  const inner = (): string => (depth === 0 ? ':' : commandFrom(random, depth - 1));
  return oneOf(COMMANDS).replaceAll(/[@#]/g, (place) => (place === '@' ? oneOf(WORDS) : inner()));
}

const COMMANDS_COUNT = 500;

test('no command that takes a value runs what the value says', (context) => {
  const isThere = spawnSync('bash', ['-c', 'true']).status === 0;
  need(context, { name: 'other', missing: isThere ? undefined : 'there is no bash here' });
  const cwd = mkdtempSync(join(tmpdir(), 'heddle-values-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  let run = 0;
  for (let seed = 0; seed < COMMANDS_COUNT; seed += 1) {
    const random = chance(seed);
    const text = ['X={{ v }}', commandFrom(random), commandFrom(random)].join('\n');
    const v = VALUES[random.below(VALUES.length)] ?? '';
    const rendered = renderCommand(text, { v });
    if (rendered.type === 'failed') continue;
    run += 1;
    const env = { PATH: process.env['PATH'], ...rendered.environment };
    spawnSync('bash', ['-c', rendered.command], { cwd, env, stdio: 'ignore' });
    expect(existsSync(join(cwd, 'ran')), `seed ${seed}: ${JSON.stringify({ text, v })}`).toBe(false);
  }
  expect(run).toBeGreaterThan(COMMANDS_COUNT / 10);
});
