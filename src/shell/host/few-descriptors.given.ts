// A host in a process that has hardly any files left to open: `node few-descriptors.given.ts ROOT [at once]`, under a low limit.
import { closeSync, openSync } from 'node:fs';
import { assignment, drive, givenPlace, stepRef } from './host.given.ts';

const [, , root, atOnce] = process.argv;
/** For one file; a process needs more. */
const SPARE = 1;

const files: number[] = [];
function fillUp(): void {
  try {
    for (;;) files.push(openSync('/dev/null', 'r'));
  } catch {
    for (const file of files.splice(0, SPARE)) closeSync(file);
  }
}

const useUp = (): NodeJS.Timeout => {
  fillUp();
  // Node opens and closes files of its own now and then.
  return setInterval(fillUp, 1);
};

const usedUpAtOnce = atOnce === undefined ? undefined : useUp();
const { host, offer, outcome, outcomes } = drive(givenPlace(root));
if (atOnce === undefined) {
  offer(assignment(stepRef('early'), 'true'));
  await outcome(stepRef('early'));
}
const usedUp = usedUpAtOnce ?? useUp();
const tasks = ['a', 'b', 'c'];
offer(...tasks.map((task) => assignment(stepRef(task), 'true')));
for (const task of tasks) {
  const ended = await outcome(stepRef(task));
  if (atOnce !== undefined) console.log(JSON.stringify(ended));
}
if (atOnce === undefined) console.log(outcomes().join('\n'));
clearInterval(usedUp);
for (const file of files) closeSync(file);
await host.close();
