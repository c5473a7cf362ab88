import { existsSync, writeFileSync } from 'node:fs';
import { chooseRun } from '../../app/choose-run.ts';
import { foldRun } from '../../app/fold-run.ts';
import { CLOCK } from '../../app/local-parts.ts';
import { openProject } from '../../app/open-project.ts';
import { readSources } from '../../app/plan/read-sources.ts';
import { type ImportFormat, WRITTEN_BACK } from '../../core/import/formats.ts';
import { importPlan, type ImportedPlan, readFormat } from '../../core/import/import-plan.ts';
import type { ImportNote, ImportError } from '../../core/import/outline/outline.ts';
import { writeBack, type Change, type RunProgress, type WrittenBack } from '../../core/import/write-back.ts';
import { statusOf } from '../../core/view/run/status.ts';
import type { TaskStatus } from '../../core/view/run/task-tree.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { Failure } from '../failure.ts';
import { paint, type Terminal } from '../terminal.ts';
import { firstOf, plural } from '../text/rows.ts';
import { writeOutput } from '../write-output.ts';

export interface ImportFlags {
  readonly out: string | undefined;
  readonly force: boolean;
  readonly comments: boolean;
  readonly agent: string;
  readonly check: string | undefined;
  readonly tag: string | undefined;
  readonly json: boolean;
}

export interface ImportCall<Flags> {
  readonly format: ImportFormat;
  readonly path: string;
  readonly flags: Flags;
}

const NOTES_SHOWN_MAX = 40;

/** `heddle import`: a plan of another tool's file. */
export function importFile(terminal: Terminal, { format, path, flags }: ImportCall<ImportFlags>): ExitCode {
  const { agent, check, tag, out, json } = flags;
  const { sources, named } = readSources(format, path);
  const imported = importPlan(format, sources, { path: named, agent, check, tag });
  if (imported.type === 'refused') {
    if (!json) throw new Failure(troubleText(imported.trouble));
    terminal.out(JSON.stringify({ ok: false, trouble: imported.trouble }, undefined, 2));
    return EXIT.wrong;
  }
  const text = `${heading(format, named)}${flags.comments ? commentsOf(imported.notes) : ''}${imported.text}`;
  if (out !== undefined && out !== '-' && existsSync(out) && !flags.force)
    throw new Failure(`${out} is there already. Give --force to replace it, or another name.`);
  if (!json || out !== undefined) writeOutput(terminal, out, [text]);
  if (json) terminal.out(JSON.stringify(asData(imported, text), undefined, 2));
  else sayNotes(terminal, imported, out);
  return EXIT.done;
}

const heading = (format: ImportFormat, path: string): string =>
  `# Made by heddle import ${format} of ${path.replace(/[\r\n]/g, ' ')}.\n`;

const commentsOf = (notes: readonly ImportNote[]): string =>
  notes.map((note) => `# ${oneLine(noteText(note))}\n`).join('');

const asData = ({ tasks, done, notes }: ImportedPlan, plan: string) => ({ ok: true, tasks, done, notes, plan });

function sayNotes(terminal: Terminal, { tasks, notes }: ImportedPlan, out: string | undefined): void {
  const { shown, more } = firstOf(notes, NOTES_SHOWN_MAX);
  for (const note of shown) terminal.err(`${paint(terminal, 'warn', 'note:')} ${noteText(note)}`);
  if (more > 0) terminal.err(`and ${plural(more, 'more note')}; --json gives all of them.`);
  if (out !== undefined && out !== '-')
    terminal.err(`${plural(tasks, 'task')} in ${out}. Look at it with heddle check ${out}.`);
}

const noteText = ({ file, line, says }: ImportNote): string =>
  `${file}${line === undefined ? '' : `:${line}`} ${oneLine(says)}`;

const oneLine = (words: string): string => words.replace(/\s+/g, ' ');

export function troubleText({ file, line, column, says }: ImportError): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return `${place} ${says}`;
}

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
  const open = openProject('read');
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
