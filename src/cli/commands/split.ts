import { parsePlan, type Parsed } from '../../core/plan/build/parse.ts';
import type { Layers, SettingsText } from '../../core/plan/settings/setting-layers.ts';
import { cutCycles, type CutFiles } from '../../core/split/cut-cycles.ts';
import { askDescriptions, readDescriptions } from '../../core/split/ask-descriptions.ts';
import { PROMPT_TEMPLATE } from '../../core/split/part-prompt.ts';
import { splitPlan } from '../../core/split/split-plan.ts';
import { split, type SplitLeaf, type Split } from '../../core/split/split-files.ts';
import { EXIT, type ExitCode, Failure } from '../terminal/exit-code.ts';
import { projectFile, userFile } from '../../app/plan/find-settings.ts';
import { hasErrors } from '../../app/plan/load-plan.ts';
import { readText, readTextIfThere } from '../../app/plan/read-file.ts';
import { findProject } from '../../app/project.ts';
import { printDiagnostics } from '../text/diagnostic-text.ts';
import { firstOf, plural } from '../text/rows.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { askAgentHere } from '../../app/agent-parts.ts';
import { surveyHere, type Survey } from '../../app/survey-parts.ts';
import { writeOutput } from '../terminal/write-output.ts';

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
const AGENT_DEFAULT = 'claude';

/** `heddle split`: a code base as a plan whose tasks can run side by side. */
export async function splitTree(terminal: Terminal, places: readonly string[], flags: SplitFlags): Promise<ExitCode> {
  if (flags.printTemplate) {
    terminal.out(PROMPT_TEMPLATE);
    return EXIT.done;
  }
  const { goal = '' } = flags;
  if (goal.trim() === '') throw new Failure('Say what is to be done: heddle split --goal "Add types" src/.');
  const surveyed = surveyFor(places, flags);
  const bounds = { filesMin: flags.minFiles, filesMax: flags.maxFiles, tokensMax: flags.maxTokens };
  const { files, cuts } = flags.cutCycles ? cutCycles(surveyed.files, bounds) : { files: surveyed.files, cuts: [] };
  const made = split(files, bounds);
  const text = await planText(terminal, made, { ...flags, goal });
  const file = flags.out ?? 'plan.yaml';
  const parsed = parsePlan(text, { file, layers: layersFor(flags) });
  if (hasErrors(parsed.diagnostics)) return refuse(terminal, parsed, { file, text });
  if (flags.out !== undefined || !flags.json) writeOutput(terminal, flags.out, [text]);
  if (flags.json) terminal.out(JSON.stringify(asData({ flags, surveyed, made, cuts, text }), undefined, 2));
  else for (const line of summaryLines(terminal, { made, surveyed, flags, cuts })) terminal.err(line);
  return EXIT.done;
}

function surveyFor(places: readonly string[], { minFiles, maxFiles, only }: SplitFlags): Survey {
  if (minFiles > maxFiles)
    throw new Failure(
      `--min-files (${minFiles}) is more than --max-files (${maxFiles}). Lower it, or raise the other.`,
    );
  const surveyed = surveyHere(places);
  if (surveyed.type === 'failed') throw new Failure(surveyed.message);
  const files = surveyed.files.filter(({ path }) => hasEnding(path, only));
  if (files.length > 0) return { ...surveyed, files };
  const where = places.join(', ');
  const ending = only === undefined ? '' : ` and ends in ${only.join(' or ')}`;
  throw new Failure(
    `There is nothing to split in ${where}: no file that is text${ending} and that git does not ignore.`,
  );
}

/** `ts`, `.ts` and `ts,tsx` all say what is meant. */
function hasEnding(path: string, only: readonly string[] | undefined): boolean {
  if (only === undefined) return true;
  const endings = only.flatMap((word) => word.split(',')).filter((word) => word !== '');
  return endings.some((ending) => path.endsWith(ending.startsWith('.') ? ending : `.${ending}`));
}

async function planText(
  terminal: Terminal,
  made: Split,
  flags: SplitFlags & { readonly goal: string },
): Promise<string> {
  const order = {
    goal: flags.goal,
    template: flags.template === undefined ? PROMPT_TEMPLATE : readText(flags.template),
    agent: flags.agent ?? (hasAgent(layersFor(flags)) ? undefined : AGENT_DEFAULT),
    check: flags.check,
    descriptions: new Map<string, string>(),
  };
  // Written once before anybody is asked, since a wrong template should cost nothing.
  const plain = splitPlan(made, order);
  if (plain.type === 'failed')
    throw new Failure(`The template ${flags.template ?? ''} does not work: ${plain.message}. See --print-template.`);
  if (flags.describeWith === undefined) return plain.text;
  const descriptions = await describe(terminal, made, { goal: flags.goal, agent: flags.describeWith });
  const described = splitPlan(made, { ...order, descriptions });
  return described.type === 'written' ? described.text : plain.text;
}

/** Descriptions are never required: what an agent does not give is left as it is, and said. */
async function describe(
  terminal: Terminal,
  made: Split,
  { goal, agent }: { readonly goal: string; readonly agent: string },
): Promise<ReadonlyMap<string, string>> {
  const descriptions = new Map<string, string>();
  const { home } = findProject();
  for (const turn of askDescriptions(goal, made.parts)) {
    const tried = await askAgentHere(agent, { home, prompt: turn.prompt });
    if (tried === undefined) throw new Failure(`There is no agent ${agent} to ask. See heddle agents.`);
    const { verdict } = tried;
    const answer = verdict.type === 'finished' ? (verdict.result.response ?? '') : '';
    const read = readDescriptions(dataIn(answer), turn);
    for (const [path, said] of read) descriptions.set(path, said);
    if (read.size === turn.parts.length) continue;
    const why = verdict.type === 'finished' ? 'it left them out' : verdict.message;
    const missing = plural(turn.parts.length - read.size, 'part');
    terminal.err(`${paint(terminal, 'warn', 'warning')}: ${agent} did not describe ${missing} (${why}).`);
    if (verdict.type !== 'finished') break;
  }
  return descriptions;
}

/** What is between the outermost braces of an answer, which may have words and fences around them. */
function dataIn(answer: string): unknown {
  try {
    return JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
  } catch {
    // An answer that is no JSON describes nothing, which is said of every answer that does not.
    return undefined;
  }
}

function layersFor({ out }: SplitFlags): Layers {
  return { project: settingsAt(projectFile(out ?? '-')), user: settingsAt(userFile()) };
}

function settingsAt(file: string | undefined): SettingsText | undefined {
  const text = file === undefined ? undefined : readTextIfThere(file);
  return file === undefined || text === undefined ? undefined : { file, text };
}

function hasAgent(layers: Layers): boolean {
  const { plan } = parsePlan('heddle: 1\ntasks: { a: { run: make } }\n', { file: 'plan.yaml', layers });
  return plan?.settings.agent !== undefined;
}

function refuse(
  terminal: Terminal,
  parsed: Parsed,
  { file, text }: { readonly file: string; readonly text: string },
): ExitCode {
  const errors = parsed.diagnostics.filter(({ severity }) => severity === 'error');
  printDiagnostics(terminal, errors, new Map([[file, text]]));
  terminal.err('The plan that came of it is wrong, and was not written. Mend the template or the flags.');
  return EXIT.wrong;
}

interface Shown {
  readonly made: Split;
  readonly surveyed: Survey;
  readonly flags: SplitFlags;
  readonly cuts: CutFiles['cuts'];
}

function summaryLines(terminal: Terminal, { made, surveyed, flags, cuts }: Shown): readonly string[] {
  const { size, leaves, levels } = made;
  const counts = `${plural(size.files, 'file')}, about ${Math.ceil(size.tokens / 1000).toLocaleString('en')}k tokens`;
  const free = leaves.filter(({ needs }) => needs.length === 0).length;
  const place = flags.out === undefined ? [] : [`The plan is in ${flags.out}. Next: heddle check ${flags.out}`];
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
    ? ['With --cut-cycles, cycles are divided too; some tasks then do not wait for what they import.']
    : [];
  return [...lines, ...(more === 0 ? [] : [`… and ${more} more that cannot be divided.`]), ...hint];
}

function cutLines(count: number): readonly string[] {
  if (count === 0) return [];
  return [`Circles were cut at ${plural(count, 'import')}, for which nobody waits; --json lists them.`];
}

function leftOutLines({ leftOut }: Survey): readonly string[] {
  if (leftOut.length === 0) return [];
  const { shown, more } = firstOf(leftOut, NAMED_MAX);
  const names = shown.map(({ path, why }) => `${path} (${why})`).join(', ');
  return [`Left out: ${names}${more === 0 ? '' : ` and ${more} more`}.`];
}

function asData({ made, surveyed, flags, cuts, text }: Shown & { readonly text: string }): unknown {
  const { parts, leaves, levels, size } = made;
  return {
    goal: flags.goal,
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
