import { findProject } from '../../app/project.ts';
import { splitTree, type SplitTree, type Survey, type Undescribed } from '../../app/plan/split-tree.ts';
import { PROMPT_TEMPLATE } from '../../core/split/part-prompt.ts';
import type { SplitLeaf } from '../../core/split/split-files.ts';
import { EXIT, CommandFailure, type ExitCode } from '../terminal/exit-code.ts';
import { paint, writeOutput, type Terminal } from '../terminal/terminal.ts';
import { printDiagnostics } from '../text/diagnostic-text.ts';
import { firstOf, plural } from '../../core/view/text/count-text.ts';

export interface SplitFlags {
  readonly goal: string | undefined;
  readonly only: readonly string[] | undefined;
  readonly minFiles: number;
  readonly maxFiles: number;
  readonly maxTokens: number;
  readonly cutCycles: boolean;
  readonly template: string | undefined;
  readonly printTemplate: boolean;
  readonly agent: string | undefined;
  readonly check: string | undefined;
  readonly describeWith: string | undefined;
  readonly out: string | undefined;
  readonly json: boolean;
}

const NAMED_MAX = 5;

/** `heddle split`: a code base as a plan of tasks that can run side by side. */
export async function split(terminal: Terminal, places: readonly string[], flags: SplitFlags): Promise<ExitCode> {
  if (flags.printTemplate) {
    terminal.out(PROMPT_TEMPLATE);
    return EXIT.done;
  }
  const { goal = '', template, agent, check, describeWith } = flags;
  if (goal.trim() === '') throw new CommandFailure('Give the goal: heddle split --goal "Add types" src/.');
  const made = await splitTree({
    goal,
    places,
    cwd: process.cwd(),
    endings: flags.only,
    bounds: { filesMin: flags.minFiles, filesMax: flags.maxFiles, tokensMax: flags.maxTokens },
    cutsCycles: flags.cutCycles,
    template,
    agent,
    check,
    describeWith,
    file: flags.out,
    project: findProject(),
  });
  if (made.type === 'wrong') return refuse(terminal, made);
  for (const each of made.undescribed) terminal.err(undescribedText(terminal, each));
  if (flags.out !== undefined || !flags.json) writeOutput(terminal, flags.out, [made.text]);
  if (flags.json) terminal.out(JSON.stringify(asData(made, flags), undefined, 2));
  else for (const line of summaryLines(terminal, made, flags)) terminal.err(line);
  return EXIT.done;
}

function undescribedText(terminal: Terminal, { agent, parts, message }: Undescribed): string {
  const why = message ?? 'it left them out';
  return `${paint(terminal, 'warn', 'warning')}: ${agent} did not describe ${plural(parts, 'part')} (${why}).`;
}

function refuse(terminal: Terminal, { diagnostics, file, text }: Extract<SplitTree, { type: 'wrong' }>): ExitCode {
  printDiagnostics(terminal, diagnostics, new Map([[file, text]]));
  terminal.err('The resulting plan is wrong and was not written. Change the template or the flags.');
  return EXIT.wrong;
}

type Made = Extract<SplitTree, { type: 'split' }>;

function summaryLines(
  terminal: Terminal,
  { made, surveyed, cuts }: Made,
  { out }: Pick<SplitFlags, 'out'>,
): readonly string[] {
  const { size, leaves, levels } = made;
  const counts = `${plural(size.files, 'file')}, about ${Math.ceil(size.tokens / 1000).toLocaleString('en')}k tokens`;
  const free = leaves.filter(({ needs }) => needs.length === 0).length;
  const place = out === undefined ? [] : [`The plan is in ${out}. Next: heddle check ${out}`];
  return [
    `${counts}: ${plural(leaves.length, 'task')} in ${plural(levels, 'level')}, ${free} can start at once.`,
    ...excessLines(terminal, leaves),
    ...cutLines(cuts.length),
    ...leftOutLines(surveyed),
    ...place,
  ];
}

function excessLines(terminal: Terminal, leaves: readonly SplitLeaf[]): readonly string[] {
  const large = leaves.filter(({ excess }) => excess !== undefined);
  const { shown, more } = firstOf(large, NAMED_MAX);
  const lines = shown.map(({ path, files, tokens, excess }) => {
    const why = excess === 'file' ? 'is one file' : `is ${files.length} files that import each other in a cycle`;
    return `${paint(terminal, 'warn', 'warning')}: ${path} is larger than asked for (${tokens} tokens) and ${why}.`;
  });
  const hint = large.some(({ excess }) => excess === 'cycle')
    ? ['--cut-cycles divides cycles too; some tasks then do not wait for the files that they import.']
    : [];
  return [...lines, ...(more === 0 ? [] : [`… and ${more} more that cannot be divided.`]), ...hint];
}

function cutLines(count: number): readonly string[] {
  if (count === 0) return [];
  return [`Cycles were cut at ${plural(count, 'import')}; no task waits for those. --json lists them.`];
}

function leftOutLines({ leftOut }: Survey): readonly string[] {
  if (leftOut.length === 0) return [];
  const { shown, more } = firstOf(leftOut, NAMED_MAX);
  const names = shown.map(({ path, why }) => `${path} (${why})`).join(', ');
  return [`Left out: ${names}${more === 0 ? '' : ` and ${more} more`}.`];
}

function asData({ made, surveyed, cuts, text }: Made, { goal }: SplitFlags): unknown {
  const { parts, leaves, levels, size } = made;
  return {
    goal,
    root: surveyed.root,
    ...size,
    levels,
    tasks: leaves.length,
    parts,
    cuts,
    leftOut: surveyed.leftOut,
    plan: text,
  };
}
