// Plans for tests of the live view.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitIn } from '../git-project.given.ts';
import { scratchFolder } from '../heddle.given.ts';

/** A folder with a plan, whose tasks go on until the file `go` is there. */
export function givenPlan(tasks: string, tree = 'sandbox: { tree: none }\n'): string {
  const folder = scratchFolder();
  writeFileSync(
    join(folder, 'plan.yaml'),
    `heddle: 1\nname: look\n${tree}attempts: 1\ntasks:\n${tasks.replaceAll(/^/gm, '  ')}\n`,
  );
  return folder;
}

/** Nothing is mounted, so nothing is left mounted when a test fails. */
export const CHECKOUT = 'sandbox: { tree: checkout }\n';

export function asRepository(folder: string): void {
  gitIn(folder, 'init', '--quiet');
  gitIn(folder, 'add', 'plan.yaml');
  gitIn(folder, 'commit', '--quiet', '--message', 'A plan');
}

export const WAITS = 'while [ ! -e go ]; do sleep 0.05; done';
export const go = (folder: string): void => writeFileSync(join(folder, 'go'), '');

export const PLAN = `
slow: { run: "echo getting there; ${WAITS}" }
ask: { gate: "May it ship?" }
ship: { needs: [slow, ask], run: "true" }`.trim();
