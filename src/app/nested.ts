// A step may not start a run: a plan could then start itself for ever, each time with more agents. Nor may a step stop,
// skip or answer anything: an agent that approves its own gate has no gate.
import { TAGS } from '../shell/exec/tagged-processes.ts';
import { Refused } from './refusal.ts';

export function mustNotBeNested(): void {
  const run = process.env[TAGS.run];
  if (run === undefined || run === '') return;
  const step = [process.env[TAGS.task], process.env[TAGS.step]].filter((part) => part !== undefined).join('/');
  throw new Refused({ code: 'nested', run, step, variable: TAGS.run });
}
