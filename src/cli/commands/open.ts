import { canAsk } from '../ask.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { openPlaceOfPerson, type PlaceOfPerson } from '../../app/git/place-of-person.ts';
import { listed } from '../text/rows.ts';
import { chooseRun } from '../../app/choose-run.ts';
import { openHere } from '../../app/open-project.ts';
import { runInForeground, type ForegroundOptions } from '../../shell/exec/run-in-foreground.ts';
import { mustNotBeNested } from '../../app/nested.ts';
import type { Terminal } from '../terminal.ts';

export interface OpenFlags {
  readonly run: string | undefined;
  readonly command: string | undefined;
  readonly print: boolean;
}

/** `heddle open`: a plain checkout of a task's work, with the other side of a conflict that waits for a person. */
export async function open(terminal: Terminal, task: string, flags: OpenFlags): Promise<ExitCode> {
  mustNotBeNested();
  const here = openHere('control');
  const record = chooseRun(here.store, flags.run);
  const place = await openPlaceOfPerson(here, record, task);
  here.store.close();
  for (const line of wordsFor(terminal, place, { task, run: record.run })) terminal.err(line);
  const { folder, environment } = place.sandbox;
  const inside = { cwd: folder, environment: { ...process.env, ...environment } };
  if (flags.command !== undefined) return await start(['/bin/sh', '-c', flags.command], inside);
  if (flags.print || !canAsk(terminal)) {
    terminal.out(folder);
    return EXIT.done;
  }
  terminal.err(`A shell in ${folder}; leave it with exit.`);
  return await start([process.env['SHELL'] ?? '/bin/sh'], inside);
}

interface Named {
  readonly task: string;
  readonly run: string;
}

function wordsFor({ width }: Terminal, place: PlaceOfPerson, { task, run }: Named): readonly string[] {
  if (place.type === 'work')
    return [`This is the work of ${task} to look at. What you change here is kept, and is not part of the run.`];
  const { paths, note } = place.laid;
  const names = paths.map(({ path }) => path);
  return [
    `${task} conflicts in ${listed(names, width)}. Both sides are in the files, with markers where they differ.`,
    ...(note === undefined ? [] : [`${note} lists what has no markers; decide that, and delete it.`]),
    `When all of it is resolved: heddle merge ${task} --run ${run}`,
  ];
}

async function start(argv: readonly string[], options: ForegroundOptions): Promise<ExitCode> {
  const end = await runInForeground(argv, options);
  if (end.type === 'unstarted') return EXIT.wrong;
  return end.type === 'exited' && end.code === 0 ? EXIT.done : EXIT.someFailed;
}
