// `npm run demo`: what Heddle can do today, on one of the examples, as a person would type it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PLAN = join('examples', 'checkout-flow.yaml');
const root = join(import.meta.dirname, '..');
const pictures = mkdtempSync(join(tmpdir(), 'heddle-demo-'));

function heddle(...words: readonly string[]): void {
  console.log(`\n$ heddle ${words.join(' ')}`);
  const { status } = spawnSync(process.execPath, [join(root, 'bin', 'heddle.js'), ...words], {
    cwd: root,
    stdio: 'inherit',
  });
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
console.log(`
The pictures are in ${pictures}: open plan.svg and gantt.svg in a browser.
Try next: change ${PLAN} and check it again, or
  node bin/heddle.js simulate ${PLAN} --failures 0.3 --seed 7
  node bin/heddle.js graph ${PLAN} --depth net --format svg --out net.svg`);
