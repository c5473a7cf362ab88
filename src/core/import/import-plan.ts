// Converts another tool's file into a plan.
//
// import-plan/E1. Never throws, whatever the text: the result is a plan, or one sentence with the reason and the line.
// import-plan/E2. An imported plan has no diagnostic worse than a warning.
// import-plan/E3. Everything that could not be converted is in the notes.

import { parsePlan } from '../plan/build/parse.ts';
import { map, shortMap, writeYaml, type YamlEntry } from '../plan/print/yaml.ts';
import { readAil } from './formats/ail.ts';
import { cleanImported, MARKUP } from './outline/safe-text.ts';
import { writeTasks, type ItemSelection } from './outline/write-tasks.ts';
import { readBeads } from './formats/beads.ts';
import { readBrunch } from './formats/brunch.ts';
import { readGithub } from './formats/github.ts';
import { readMarkdown } from './formats/markdown.ts';
import { readSpecKit } from './formats/spec-kit.ts';
import { readTaskMaster } from './formats/task-master.ts';
import type { ImportFormat } from './formats.ts';
import { countedText } from './outline/text-pieces.ts';
import { readGsd } from './formats/gsd.ts';
import {
  refusedImport,
  type ImportNote,
  type ImportOutline,
  type ImportRefusal,
  type Read,
  type SourceText,
  type ReadyPlan,
} from './outline/outline.ts';

export interface ImportOptions {
  /** The path that the user named; the sources may lie below it. */
  readonly path: string;
  /** An adapter that needs no command. */
  readonly agent: string;
  /** Checks the merged tree. */
  readonly check: string | undefined;
  /** Of Task Master. */
  readonly tag: string | undefined;
  /** Everything by default. */
  readonly selection?: ItemSelection;
}

export interface ImportedPlan {
  readonly type: 'imported';
  readonly text: string;
  /** Tasks that do something themselves. */
  readonly tasks: number;
  readonly done: number;
  readonly notes: readonly ImportNote[];
}

export type Imported = ImportedPlan | ImportRefusal;

export function importPlan(format: ImportFormat, sources: readonly SourceText[], options: ImportOptions): Imported {
  const read = readFormat(format, sources, options);
  switch (read.type) {
    case 'refused':
      return read;
    case 'written':
      return checked(options, { text: textOf(withCheck(read, options)), tasks: 1, done: 0, notes: read.notes });
    case 'outline':
      return planOf(read, options);
  }
}

export function readFormat(format: ImportFormat, sources: readonly SourceText[], options: ImportOptions): Read {
  const [first = { path: options.path, text: '' }] = sources;
  switch (format) {
    case 'spec-kit':
      return readSpecKit(first);
    case 'task-master':
      return readTaskMaster(first, options.tag);
    case 'beads':
      return readBeads(first);
    case 'gsd':
      return readGsd(sources, options.path);
    case 'brunch':
      return readBrunch(first);
    case 'ail':
      return readAil(first, options.agent);
    case 'markdown':
      return readMarkdown(first);
    case 'github':
      return readGithub(first);
  }
}

function planOf(outline: ImportOutline, options: ImportOptions): Imported {
  const { tasks, count, done, putOff, notes, unknown } = writeTasks(outline, options.selection);
  if (unknown.length > 0)
    return refusedImport(options.path, undefined, `Nothing in it is called ${unknown.join(' or ')}.`);
  if (tasks === undefined) {
    const says =
      done > 0 && putOff === 0
        ? `Everything in it is done (${countedText(done, 'item')}), so there is nothing left to plan.`
        : 'Everything in it is done, put off or not selected, so there is nothing left to plan.';
    return { type: 'refused', trouble: { file: options.path, line: undefined, column: undefined, says } };
  }
  const entries: readonly YamlEntry[] = [
    ['heddle', 1],
    ['name', outline.name],
    ['agent', options.agent],
    ['merge', mergeOf(options)],
    ['tasks', tasks],
  ];
  return checked(options, { text: textOf(entries), tasks: count, done, notes });
}

const textOf = (entries: readonly YamlEntry[]): string => writeYaml(map(...entries));

const withCheck = ({ entries }: ReadyPlan, options: ImportOptions): readonly YamlEntry[] =>
  entries.flatMap((entry) => (entry[0] === 'tasks' ? [['merge', mergeOf(options)] as const, entry] : [entry]));

function mergeOf({ check }: ImportOptions): YamlEntry[1] {
  const command = check === undefined ? '' : cleanImported(check).trim();
  return command === '' || MARKUP.test(command) ? undefined : shortMap(['check', command]);
}

/** The final check: a plan with errors is never returned. */
function checked(options: ImportOptions, plan: Omit<ImportedPlan, 'type'>): Imported {
  const { diagnostics } = parsePlan(plan.text, { file: options.path });
  const wrong = diagnostics.find(({ severity }) => severity === 'error');
  if (wrong === undefined) return { type: 'imported', ...plan };
  const says = `The plan that came of it would be wrong: ${wrong.message}`;
  return { type: 'refused', trouble: { file: options.path, line: undefined, column: undefined, says } };
}
