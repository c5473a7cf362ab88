// `node tools/live-picture.ts`: records docs/pictures/live.svg. It carries a plan of scripted agents out in a repository of
// its own, at a terminal of 100 columns and 30 rows that tmux makes, and draws what a person would see there.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { svgOfScreen } from './pictures/svg-of-screen.ts';

const COLUMNS = 100;
const ROWS = 30;
const WITHIN_MS = 60_000;

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'heddle-picture-'));

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
// A server of its own, so that nobody's sessions are touched.
const tmux = (...args: readonly string[]): string => run('tmux', '-L', 'heddle-picture', '-f', '/dev/null', ...args);
const screen = (): string => tmux('capture-pane', '-p', '-e', '-t', 'live');

async function until(isSo: (seen: string) => boolean): Promise<void> {
  for (let waitedMs = 0; waitedMs < WITHIN_MS; waitedMs += 200) {
    if (isSo(screen().replaceAll(/\u001B\[[\d;]*m/gu, ''))) return;
    await setTimeout(200);
  }
  throw new Error(`The run does not come to look as it should:\n${screen()}`);
}

copyFileSync(join(root, 'tools', 'pictures', 'live.yaml'), join(folder, 'plan.yaml'));
writeFileSync(join(folder, 'work-on.sh'), '# Takes so many seconds for a file.\nexec sleep "$1"\n');
const user = ['-c', 'user.name=Weaver', '-c', 'user.email=weaver@localhost'];
run('git', 'init', '--quiet');
run('git', 'add', '.');
run('git', ...user, 'commit', '--quiet', '--message', 'A shop');
// The terminal stays when the run is over, for whoever closes it.
const command = `'${process.execPath}' '${join(root, 'bin', 'heddle.js')}' run plan.yaml; exec sleep 600`;
try {
  tmux('new-session', '-d', '-s', 'live', '-x', String(COLUMNS), '-y', String(ROWS), command);
  await until((seen) => /search +(?:queued|merging)/.test(seen) && /refunds +working.*refunds\.ts/.test(seen));
  for (const key of ['Home', 'Down', 'Down', 'Down', 'Down', 'Down', 'Down', 'Down'])
    tmux('send-keys', '-t', 'live', key);
  await until((seen) => /^shop\.payment {2}/mu.test(seen));
  const lines = screen().replace(/\n$/, '').split('\n');
  writeFileSync(join(root, 'docs', 'pictures', 'live.svg'), svgOfScreen(lines, COLUMNS));
  tmux('send-keys', '-t', 'live', 'C-c');
  // Its sandboxes are in use until then.
  await until((seen) => seen.includes('goes on.'));
} finally {
  tmux('kill-server');
  rmSync(folder, { recursive: true, force: true });
}
