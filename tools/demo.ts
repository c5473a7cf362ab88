// `npm run demo`: what Heddle can do today, on one of the examples, as a person would type it.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PLAN = join('examples', 'checkout-flow.yaml');
const root = join(import.meta.dirname, '..');
const pictures = mkdtempSync(join(tmpdir(), 'heddle-demo-'));

function heddle(...words: readonly string[]): void {
  heddleIn(root, ...words);
}

function heddleIn(cwd: string, ...words: readonly string[]): void {
  console.log(`\n$ heddle ${words.join(' ')}`);
  const { status } = spawnSync(process.execPath, [join(root, 'bin', 'heddle.js'), ...words], { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

console.log(
  'A plan of ten tasks for several agents: is it right, can it finish, how long will it take, what will it cost?',
);
heddle('check', PLAN);
console.log('\nThe same plan in virtual time, with the real decisions of the engine:');
heddle('simulate', PLAN, '--svg', join(pictures, 'gantt.svg'));
console.log('\nAnd as a picture:');
heddle('graph', PLAN, '--format', 'svg', '--out', join(pictures, 'plan.svg'));
heddle('graph', PLAN);
console.log(
  '\nAnother plan, carried out for real: four at once, a thread that tears and is tried again, a check, a budget.',
);
const folder = mkdtempSync(join(tmpdir(), 'heddle-loom-'));
copyFileSync(join(root, 'examples', 'loom.yaml'), join(folder, 'loom.yaml'));
heddleIn(folder, 'run', 'loom.yaml');
heddleIn(folder, 'status');
console.log(`
The pictures are in ${pictures}: open plan.svg and gantt.svg in a browser.
The run is in ${folder}: go there for heddle logs green, or heddle events.
Try next: change ${PLAN} and check it again, or
  node bin/heddle.js simulate ${PLAN} --failures 0.3 --seed 7
  node bin/heddle.js graph ${PLAN} --depth net --format svg --out net.svg`);
