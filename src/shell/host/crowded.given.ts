// A host in a process that has hardly any files left to open: `node crowded.given.ts ROOT [at once]`, under a low limit.
import { closeSync, openSync } from 'node:fs';
import { assignment, drive, givenPlace, step } from './host.given.ts';

const [, , root, atOnce] = process.argv;
/** What one more file in the attempt's folder needs, but not one more process. */
const SPARE = 2;

function openAll(): readonly number[] {
  const files: number[] = [];
  try {
    for (;;) files.push(openSync('/dev/null', 'r'));
  } catch {
    return files;
  }
}

const { host, offer, outcome, outcomes } = drive(givenPlace(root));
if (atOnce === undefined) {
  offer(assignment(step('early'), 'true'));
  await outcome(step('early'));
}
const files = openAll();
for (const file of files.slice(0, SPARE)) closeSync(file);
const tasks = ['a', 'b', 'c'];
offer(...tasks.map((task) => assignment(step(task), 'true')));
for (const task of tasks) {
  const ended = await outcome(step(task));
  if (atOnce !== undefined) console.log(JSON.stringify(ended));
}
if (atOnce === undefined) console.log(outcomes().join('\n'));
for (const file of files.slice(SPARE)) closeSync(file);
await host.close();
