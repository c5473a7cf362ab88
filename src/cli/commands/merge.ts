import { EXIT, type ExitCode } from '../exit-code.ts';
import { Failure } from '../../app/failure.ts';
import { openPlaceOfPerson, waitsForPerson } from '../../app/git/place-of-person.ts';
import { chooseRun } from '../../app/choose-run.ts';
import { foldRun, taskOf, type FoldedRun } from '../../app/fold-run.ts';
import { openHere } from '../../app/open-project.ts';
import { mustNotBeNested } from '../../app/nested.ts';
import { paint, type Terminal } from '../terminal.ts';
import { goOnWith, type ResumeFlags } from './resume.ts';

/** `heddle merge`: takes what a person made of a conflict in `heddle open`, and lets the run go on with it. */
export async function merge(terminal: Terminal, task: string, flags: ResumeFlags): Promise<ExitCode> {
  mustNotBeNested();
  const open = openHere('control');
  const record = chooseRun(open.store, flags.run);
  mustWait(foldRun(open.store, record), task);
  const place = await openPlaceOfPerson(open, record, task);
  if (place.type !== 'conflict') throw new Failure(`${task} has no conflict that waits for a person.`);
  const kept = await place.keep();
  if (kept.type === 'failed') throw new Failure(kept.message);
  if (kept.type === 'unresolved') {
    open.store.close();
    for (const line of kept.says) terminal.err(paint(terminal, 'warn', line));
    terminal.err(
      `It is not resolved yet, and is kept as it is in ${place.sandbox.folder}. heddle open ${task} goes there.`,
    );
    return EXIT.waiting;
  }
  const exit = await goOnWith(terminal, open, {
    record,
    command: { type: 'merge', task, commit: kept.commit },
    flags,
  });
  // Whoever stands in it would lose the ground; it goes when the run is tidied up.
  if (!process.cwd().startsWith(place.sandbox.folder)) await place.sandbox.destroy();
  return exit;
}

function mustWait(folded: FoldedRun, path: string): void {
  const task = taskOf(folded, path);
  if (waitsForPerson(folded.state, task)) return;
  const waiting = folded.compiled.tasks.filter((each) => waitsForPerson(folded.state, each));
  const others = waiting.map((each) => each.task.path);
  const hint = others.length === 0 ? 'Nothing in this run does.' : `These do: ${others.join(', ')}.`;
  throw new Failure(`${path} has no conflict that waits for a person. ${hint}`);
}
