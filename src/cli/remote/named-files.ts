// The files that a command line names, by the definition of its command and not by their look, and their contents for a
// server.
//
// named-files/N1. Nothing is sent but what the command line names, what a plan refers to as its schemas, and the parts of
//     a task list.
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PLAN_NAMES } from '../../app/plan/load-plan.ts';
import { readFileBytes } from '../../app/plan/read-file.ts';
import { filesBelow } from '../../app/plan/read-sources.ts';
import type { SentFile } from '../../core/protocol/remote-command.ts';
import { KINDS, placeholderOf } from '../argv/complete.ts';
import type { AnyCommand } from '../argv/command-tree.ts';
import { OF_REPOSITORY, OUTPUT_OPTIONS, SERVER_OPTIONS, WRITE_BACK_OPTIONS } from '../argv/remote-rules.ts';

export interface NamedFile {
  readonly name: string;
  /** A plan has its schemas beside it. A word may be the name of a run as well as a file. */
  readonly kind: 'plan' | 'file' | 'perhaps';
}

export interface NamedFiles {
  readonly inputs: readonly NamedFile[];
  readonly outputs: readonly string[];
}

const KIND_OF: ReadonlyMap<string, NamedFile['kind']> = new Map([
  ['plans', 'plan'],
  ['files', 'file'],
  ['runs and plans', 'perhaps'],
]);

export function namedFiles(command: AnyCommand): NamedFiles {
  const given = command.opts();
  const options = command.options
    .filter(({ long }) => !SERVER_OPTIONS.has(long ?? ''))
    .map((option) => ({
      of: option,
      isOutput: OUTPUT_OPTIONS.has(option.long ?? ''),
      words: textsIn(given[option.attributeName()]),
    }));
  const words = command.registeredArguments.map((argument, at) => ({
    of: argument,
    isOutput: false,
    words: argument.variadic ? command.args.slice(at) : command.args.slice(at, at + 1),
  }));
  const inputs: NamedFile[] = [];
  const outputs: string[] = [];
  for (const { of, isOutput, words: each } of [...words, ...options]) {
    const placeholder = placeholderOf(of, command);
    const kind = OF_REPOSITORY.has(placeholder) ? undefined : KIND_OF.get(KINDS.get(placeholder) ?? '');
    if (isOutput) outputs.push(...each);
    else if (kind !== undefined) inputs.push(...orUsual(kind, each).map((name) => ({ name, kind })));
  }
  // Where a word may be anything, this one is standard input.
  if (command.args.includes('-') && !inputs.some(({ name }) => name === '-')) inputs.push({ name: '-', kind: 'file' });
  const isWrittenBack = command.options.some(
    (option) => WRITE_BACK_OPTIONS.has(option.long ?? '') && given[option.attributeName()] === true,
  );
  return { inputs, outputs: isWrittenBack ? [...outputs, ...inputs.flatMap(partsOf)] : outputs };
}

/** The plan that is meant where none is named. */
function orUsual(kind: NamedFile['kind'], words: readonly string[]): readonly string[] {
  if (kind === 'file' || words.some((word) => word === '-' || existsSync(word))) return words;
  if (kind === 'plan' && words.length > 0) return words;
  const usual = PLAN_NAMES.find((name) => existsSync(name));
  return usual === undefined ? words : [...words, usual];
}

const textsIn = (value: unknown): readonly string[] =>
  [value].flat().filter((each): each is string => typeof each === 'string');

/** Refuses what cannot be read, as the command itself would here. */
export async function filesToSend(inputs: readonly NamedFile[]): Promise<readonly SentFile[]> {
  const contents = new Map<string, Uint8Array>();
  for (const input of inputs)
    for (const name of partsOf(input)) if (!contents.has(name)) contents.set(name, readFileBytes(name));
  for (const { name } of inputs.filter(({ kind }) => kind !== 'file'))
    for (const schema of await schemasOf(name, contents.get(name))) contents.set(schema, readFileBytes(schema));
  return [...contents].map(([name, bytes]) => ({ name, base64: Buffer.from(bytes).toString('base64') }));
}

function partsOf({ name, kind }: NamedFile): readonly string[] {
  if (name === '-') return [name];
  const stat = statSync(name, { throwIfNoEntry: false });
  if (kind === 'perhaps') return stat?.isFile() === true ? [name] : [];
  return kind === 'file' ? filesBelow(name) : [name];
}

async function schemasOf(plan: string, content: Uint8Array | undefined): Promise<readonly string[]> {
  const text = content === undefined ? '' : Buffer.from(content).toString('utf8');
  // Most plans refer to none, and the parser takes a while to load.
  if (!text.includes('$ref')) return [];
  const { schemaRefs } = await import('../../core/plan/source/schema-refs.ts');
  const folder = plan === '-' ? '.' : dirname(plan);
  return schemaRefs(text)
    .map((ref) => join(folder, ref))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
