import { writeBackRun } from '../../app/plan/write-back-run.ts';
import { planFromTasks } from '../../app/plan/read-sources.ts';
import type { ImportFormat } from '../../core/import/formats.ts';
import type { ImportedPlan } from '../../core/import/import-plan.ts';
import type { ImportNote, ImportError } from '../../core/import/outline/outline.ts';
import type { Change } from '../../core/import/write-back.ts';
import { EXIT, CommandFailure, type ExitCode } from '../terminal/exit-code.ts';
import { isTaken, paint, writeOutput, type Terminal } from '../terminal/terminal.ts';
import { firstOf, plural } from '../../core/view/text/count-text.ts';

export interface ImportFlags {
  readonly out: string | undefined;
  readonly force: boolean;
  readonly comments: boolean;
  readonly agent: string;
  readonly check: string | undefined;
  readonly tag: string | undefined;
  readonly only: readonly string[] | undefined;
  readonly open: boolean;
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
  const { agent, check, tag, out, json, only, open: isOpenOnly } = flags;
  const imported = planFromTasks({ format, path, agent, check, tag, selection: { only, isOpenOnly } });
  const { named } = imported;
  if (imported.type === 'refused') {
    if (!json) throw new CommandFailure(troubleText(imported.trouble));
    terminal.out(JSON.stringify({ ok: false, trouble: imported.trouble }, undefined, 2));
    return EXIT.wrong;
  }
  const text = `${heading(format, named)}${flags.comments ? commentsOf(imported.notes) : ''}${imported.text}`;
  if (out !== undefined && out !== '-' && isTaken(terminal, out) && !flags.force)
    throw new CommandFailure(`${out} is there already. Give --force to replace it, or another name.`);
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

function troubleText({ file, line, column, says }: ImportError): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return `${place} ${says}`;
}

type Flags = ImportFlags & { readonly run: string | undefined };

/** `heddle import … --write-back`: marks in the file that a plan was imported from how far its run is. */
export function writeBack(terminal: Terminal, { format, path, flags }: ImportCall<Flags>): ExitCode {
  if (path === '-') throw new CommandFailure('Give the path of the file that is to be changed instead of -.');
  const { far } = terminal;
  const write = far && ((file: string, text: string): void => far.writeFile(file, [text]));
  const { run, named, changes } = writeBackRun({ format, path, tag: flags.tag, run: flags.run, write });
  if (flags.json) terminal.out(JSON.stringify({ run, changes }, undefined, 2));
  else for (const line of linesOf(changes, { run, named })) terminal.out(line);
  return EXIT.done;
}

function linesOf(changes: readonly Change[], { run, named }: { run: string; named: string }): readonly string[] {
  const lines = changes.map(({ file, line, key, was, is }) => `${file}:${line} ${key}: ${shown(was)} is ${shown(is)}`);
  return [...lines, `${plural(changes.length, 'item')} of ${named} marked from ${run}.`];
}

const shown = (mark: string): string => (mark.length === 1 ? `[${mark}]` : mark);
