import { writeFileSync } from 'node:fs';
import { WRITTEN_BACK } from '../../core/import/formats.ts';
import { readFormat } from '../../core/import/import-plan.ts';
import { writeBack, type Change, type RunProgress, type WrittenBack } from '../../core/import/write-back.ts';
import { statusOf } from '../../core/view/run/status.ts';
import type { TaskStatus } from '../../core/view/run/task-tree.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { Failure } from '../../app/failure.ts';
import { plural } from '../text/rows.ts';
import { chooseRun } from '../../app/choose-run.ts';
import { foldRun } from '../../app/fold-run.ts';
import { openHere } from '../../app/open-project.ts';
import type { Terminal } from '../terminal.ts';
import { CLOCK } from '../../app/local-parts.ts';
import { troubleText, type ImportCall, type ImportFlags } from './import-file.ts';
import { readSources } from '../../app/plan/read-sources.ts';

type Flags = ImportFlags & { readonly run: string | undefined };

/** `heddle import … --write-back`: how far a run has come, said in the file that its plan was made of. */
export function writeBackRun(terminal: Terminal, { format, path, flags }: ImportCall<Flags>): ExitCode {
  if (!WRITTEN_BACK.includes(format))
    throw new Failure(`A file of ${format} has no place for that; --write-back is for ${WRITTEN_BACK.join(', ')}.`);
  if (path === '-') throw new Failure('Give the path of the file that is to be changed instead of -.');
  const { sources, named } = readSources(format, path);
  const outline = readFormat(format, sources, { path: named, agent: flags.agent, check: undefined, tag: flags.tag });
  if (outline.type === 'refused') throw new Failure(troubleText(outline.trouble));
  if (outline.type === 'written') throw new Failure(`${named} has no place for that.`);
  const { run, progress } = progressOf(flags.run);
  const written = writeBack({ format, outline, sources }, progress);
  if (written.known === 0)
    throw new Failure(`No task of ${run} is in ${named}. Was the plan of that run imported from this file?`);
  writeChanged(written);
  if (flags.json) terminal.out(JSON.stringify({ run, changes: written.changes }, undefined, 2));
  else for (const line of linesOf(written.changes, { run, named })) terminal.out(line);
  return EXIT.done;
}

function progressOf(named: string | undefined): { readonly run: string; readonly progress: RunProgress } {
  const open = openHere('read');
  const record = chooseRun(open.store, named);
  const { state } = foldRun(open.store, record);
  const now = Math.max(CLOCK.now(), state.run.now);
  const { tasks } = statusOf(state, { now, given: { inputs: state.run.inputs, env: {} } });
  open.store.close();
  const states = new Map(withInside(tasks).map(({ task, state: stands }) => [task, stands]));
  const of: RunProgress['of'] = (path) => {
    const stands = states.get(path);
    if (stands === undefined) return undefined;
    return stands === 'completed' ? 'done' : stands === 'running' ? 'begun' : 'neither';
  };
  return { run: record.run, progress: { of } };
}

const withInside = (tasks: readonly TaskStatus[]): readonly TaskStatus[] =>
  tasks.flatMap((task) => [task, ...withInside(task.children)]);

function writeChanged({ sources, changes }: WrittenBack): void {
  const files = new Set(changes.map(({ file }) => file));
  for (const { path, text } of sources) {
    if (!files.has(path)) continue;
    try {
      writeFileSync(path, text);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Failure(`${path} could not be written: ${why}. Change its permissions and try again.`, { cause });
    }
  }
}

function linesOf(changes: readonly Change[], { run, named }: { run: string; named: string }): readonly string[] {
  const lines = changes.map(({ file, line, key, was, is }) => `${file}:${line} ${key}: ${shown(was)} is ${shown(is)}`);
  return [...lines, `${plural(changes.length, 'item')} of ${named} marked, as ${run} stands.`];
}

const shown = (mark: string): string => (mark.length === 1 ? `[${mark}]` : mark);
