// `node tools/live-picture.ts`: records docs/pictures/live.svg. It runs a plan of scripted agents in a repository of its own,
// at a terminal of 120 columns and 30 rows that tmux makes, and draws what a person would see there.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { svgOfScreen } from './pictures/svg-of-screen.ts';

const COLUMNS = 120;
const ROWS = 30;
const WITHIN_MS = 60_000;

/** Takes so many seconds, and prints the output of an agent. */
const WORK_ON = `# Takes so many seconds for a file.
test -n "$2" && printf '• Read  %s\\n• Edit  %s  +41 −3\\n• Bash  npm test -- %s\\n' "$2" "$2" "$(basename "$2" .tsx)"
test "$1" -gt 60 && printf '    FAIL cart.test.ts: expected 3 items, got 2\\n• Edit  %s  +2 −1\\n• Bash  npm test -- cart\\n    41 passed\\n' "$2"
exec sleep "$1"
`;

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'heddle-picture-'));

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
// A separate server, so that sessions of users are not touched.
const tmux = (...args: readonly string[]): string =>
  run('tmux', '-u', '-L', 'heddle-picture', '-f', '/dev/null', ...args);
const screen = (): string => tmux('capture-pane', '-p', '-e', '-t', 'live');

async function until(isSo: (seen: string) => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < WITHIN_MS; waitedMs += 200) {
    if (isSo(screen().replaceAll(/\u001B\[[\d;]*m/gu, ''))) return;
    await setTimeout(200);
  }
  throw new Error(`The run does not come to look as it should:\n${screen()}`);
}

copyFileSync(join(root, 'tools', 'pictures', 'live.yaml'), join(folder, 'plan.yaml'));
writeFileSync(join(folder, 'work-on.sh'), WORK_ON);
const user = ['-c', 'user.name=Weaver', '-c', 'user.email=weaver@localhost'];
run('git', 'init', '--quiet');
run('git', 'add', '.');
run('git', ...user, 'commit', '--quiet', '--message', 'A shop');
// The terminal stays when the run is over, until the server is ended.
const command = `'${process.execPath}' '${join(root, 'bin', 'heddle.js')}' run plan.yaml; exec sleep 600`;
try {
  tmux('new-session', '-d', '-s', 'live', '-x', String(COLUMNS), '-y', String(ROWS), command);
  await until(
    (seen) => /emails +check failed/.test(seen) && /● +refunds +★? *working/.test(seen) && seen.includes('asks: Which'),
  );
  for (const key of ['/', 'c', 'a', 'r', 't', 'Enter', 'Down', '/', 'Escape']) tmux('send-keys', '-t', 'live', key);
  await until((seen) => seen.includes('shop.cart, attempt 1') && seen.includes('41 passed') && /● +refunds/.test(seen));
  const lines = screen().replace(/\n$/, '').split('\n');
  writeFileSync(join(root, 'docs', 'pictures', 'live.svg'), svgOfScreen(lines, COLUMNS));
  tmux('send-keys', '-t', 'live', 'C-c');
  // Its sandboxes are in use until then.
  await until((seen) => seen.includes('goes on.'));
} finally {
  tmux('kill-server');
  rmSync(folder, { recursive: true, force: true });
}
