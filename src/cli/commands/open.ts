import { unresolvedText } from '../../core/protocol/sandbox-failure.ts';
import { chooseRun, openProject } from '../../app/open-project.ts';
import { foldRun, taskOf, type FoldedRun } from '../../app/fold-run.ts';
import { openManualCheckout, waitsForPerson, type ManualCheckout } from '../../app/git/manual-checkout.ts';
import { mustNotBeNested } from '../../app/project.ts';
import { Refused } from '../../app/refused.ts';
import { takeForeground, type ForegroundResult } from '../../app/local-parts.ts';
import { canAsk } from '../terminal/ask.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { listedWithin } from '../text/rows.ts';
import { resumeWith, type ResumeFlags } from './resume.ts';

export interface OpenFlags {
  readonly run: string | undefined;
  readonly command: string | undefined;
  readonly print: boolean;
}

/** `heddle open`: a plain checkout of a task's work, with the other side of an open conflict. */
export async function open(terminal: Terminal, task: string, flags: OpenFlags): Promise<ExitCode> {
  mustNotBeNested();
  const here = openProject('control');
  const record = chooseRun(here.store, flags.run);
  const place = await openManualCheckout(here, record, task);
  here.store.close();
  for (const line of wordsFor(terminal, place, { task, run: record.run })) terminal.err(line);
  const { folder, environment } = place.sandbox;
  const inside = { cwd: folder, environment: { ...process.env, ...environment } };
  if (flags.command !== undefined) return EXITS[await takeForeground(['/bin/sh', '-c', flags.command], inside)];
  if (flags.print || !canAsk(terminal)) {
    terminal.out(folder);
    return EXIT.done;
  }
  terminal.err(`A shell in ${folder}; leave it with exit.`);
  return EXITS[await takeForeground([process.env['SHELL'] ?? '/bin/sh'], inside)];
}

interface Named {
  readonly task: string;
  readonly run: string;
}

function wordsFor({ width }: Terminal, place: ManualCheckout, { task, run }: Named): readonly string[] {
  if (place.type === 'work')
    return [`This is the work of ${task}. What you change here is kept, and is not part of the run.`];
  const { paths, note } = place.written;
  const names = paths.map(({ path }) => path);
  return [
    `${task} conflicts in ${listedWithin(names, width)}. Both sides are in the files, with markers where they differ.`,
    ...(note === undefined ? [] : [`${note} lists what has no markers; decide that, and delete it.`]),
    `When all of it is resolved: heddle merge ${task} --run ${run}`,
  ];
}

const EXITS: Readonly<Record<ForegroundResult, ExitCode>> = {
  unstarted: EXIT.wrong,
  failed: EXIT.someFailed,
  done: EXIT.done,
};

/** `heddle merge`: takes a person's resolution of a conflict from `heddle open`, and resumes the run. */
export async function merge(terminal: Terminal, task: string, flags: ResumeFlags): Promise<ExitCode> {
  mustNotBeNested();
  const open = openProject('control');
  const record = chooseRun(open.store, flags.run);
  mustWait(foldRun(open.store, record), task);
  const place = await openManualCheckout(open, record, task);
  if (place.type !== 'conflict') throw new Refused({ code: 'no-conflict', task, others: [] });
  const kept = await place.keep();
  if (kept.type === 'failed') throw new Refused({ code: 'git', failure: kept.failure });
  if (kept.type === 'unresolved') {
    open.store.close();
    for (const reason of kept.reasons) terminal.err(paint(terminal, 'warn', unresolvedText(reason)));
    terminal.err(
      `The conflict is not resolved yet; your work is kept in ${place.sandbox.folder}. heddle open ${task} goes there.`,
    );
    return EXIT.waiting;
  }
  const exit = await resumeWith(terminal, open, {
    record,
    command: { type: 'merge', task, commit: kept.commit },
    flags,
  });
  // A shell whose current folder is removed breaks, so the folder stays until the run is cleaned up.
  if (!process.cwd().startsWith(place.sandbox.folder)) await place.sandbox.destroy();
  return exit;
}

function mustWait(folded: FoldedRun, path: string): void {
  const task = taskOf(folded, path);
  if (waitsForPerson(folded.state, task)) return;
  const waiting = folded.compiled.tasks.filter((each) => waitsForPerson(folded.state, each));
  const others = waiting.map((each) => each.task.path);
  throw new Refused({ code: 'no-conflict', task: path, others });
}
