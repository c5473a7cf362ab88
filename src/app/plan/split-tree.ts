// Splits a code base into a plan of tasks that can run side by side: survey, division, prompts, descriptions.
import { parsePlan } from '../../core/plan/build/parse.ts';
import type { Diagnostic } from '../../core/plan/diagnostic.ts';
import { askDescriptions, PROMPT_TEMPLATE, readDescriptions } from '../../core/split/part-prompt.ts';
import { cutCycles, type CutFiles } from '../../core/split/cut-cycles.ts';
import type { SplitBounds } from '../../core/split/source-file.ts';
import { splitFiles, type Split } from '../../core/split/split-files.ts';
import { splitPlan } from '../../core/split/split-plan.ts';
import { survey, type Surveyed } from '../../shell/survey/survey.ts';
import { agentNames, askAgentHere } from '../agent-parts.ts';
import type { Project } from '../project.ts';
import { Refused } from '../refused.ts';
import { hasAgent, hasErrors, settingsLayers } from './load-plan.ts';
import { readText } from './read-file.ts';

export interface SplitTreeRequest {
  /** The job, for every part. */
  readonly goal: string;
  /** Folders or files, from `cwd`. */
  readonly places: readonly string[];
  readonly cwd: string;
  /** Only files with one of these endings; undefined is every file. */
  readonly endings: readonly string[] | undefined;
  readonly bounds: SplitBounds;
  /** Divides cycles of imports that are too large for one task. */
  readonly cutsCycles: boolean;
  /** A file with a Liquid template of the prompts; undefined is the built-in one. */
  readonly template: string | undefined;
  /** Undefined is the agent of the settings, else the usual one. */
  readonly agent: string | undefined;
  /** The check of merged trees. */
  readonly check: string | undefined;
  /** An agent that names and describes the parts. */
  readonly describeWith: string | undefined;
  /** The file that the plan is for; its settings apply. */
  readonly file: string | undefined;
  /** For the prices of the agent that describes. */
  readonly project: Project;
}

export type Survey = Extract<Surveyed, { type: 'surveyed' }>;

/** The parts of a code base as a plan. */
export type SplitTree =
  | {
      readonly type: 'split';
      /** The plan. */
      readonly text: string;
      readonly made: Split;
      readonly surveyed: Survey;
      /** Imports that no task waits for, because they were in a cycle that was cut. */
      readonly cuts: CutFiles['cuts'];
      readonly undescribed: readonly Undescribed[];
    }
  /** The template or the flags make a plan that is wrong. */
  | {
      readonly type: 'wrong';
      readonly diagnostics: readonly Diagnostic[];
      readonly file: string;
      readonly text: string;
    };

/** Parts that the agent did not describe, and its error when there was one. */
export interface Undescribed {
  readonly agent: string;
  readonly parts: number;
  readonly message: string | undefined;
}

const AGENT_DEFAULT = 'claude';

export async function splitTree(request: SplitTreeRequest): Promise<SplitTree> {
  const surveyed = surveyFor(request);
  const { files, cuts } = request.cutsCycles
    ? cutCycles(surveyed.files, request.bounds)
    : { files: surveyed.files, cuts: [] };
  const made = splitFiles(files, request.bounds);
  const { text, undescribed } = await planText(made, request);
  const file = request.file ?? 'plan.yaml';
  const { diagnostics } = parsePlan(text, { file, layers: settingsLayers(request.file ?? '-') });
  if (!hasErrors(diagnostics)) return { type: 'split', text, made, surveyed, cuts, undescribed };
  return { type: 'wrong', diagnostics: diagnostics.filter(({ severity }) => severity === 'error'), file, text };
}

function surveyFor({ places, cwd, bounds, endings }: SplitTreeRequest): Survey {
  if (bounds.filesMin > bounds.filesMax)
    throw new Refused({ code: 'split-bounds', filesMin: bounds.filesMin, filesMax: bounds.filesMax });
  const keeps = (path: string): boolean => endings !== undefined && hasEnding(path, endings);
  const surveyed = survey(places, cwd, { keeps });
  if (surveyed.type === 'refused') throw new Refused(surveyed.refusal);
  const files = surveyed.files.filter(({ path }) => hasEnding(path, endings));
  if (files.length > 0) return { ...surveyed, files };
  throw new Refused({ code: 'nothing-to-split', places, endings });
}

/** `ts`, `.ts` and `ts,tsx` are all accepted. */
function hasEnding(path: string, given: readonly string[] | undefined): boolean {
  if (given === undefined) return true;
  const endings = given.flatMap((word) => word.split(',')).filter((word) => word !== '');
  return endings.some((ending) => path.endsWith(ending.startsWith('.') ? ending : `.${ending}`));
}

interface PlanWritten {
  readonly text: string;
  readonly undescribed: readonly Undescribed[];
}

async function planText(made: Split, request: SplitTreeRequest): Promise<PlanWritten> {
  const { goal, template, check, describeWith } = request;
  const writing = {
    goal,
    template: template === undefined ? PROMPT_TEMPLATE : readText(template),
    agent: request.agent ?? (hasAgent(settingsLayers(request.file ?? '-')) ? undefined : AGENT_DEFAULT),
    check,
    descriptions: new Map<string, string>(),
  };
  // Written once before an agent is asked, because a wrong template should cost nothing.
  const plain = splitPlan(made, writing);
  if (plain.type === 'failed') throw new Refused({ code: 'template', file: template ?? '', message: plain.message });
  if (describeWith === undefined) return { text: plain.text, undescribed: [] };
  const { descriptions, undescribed } = await describe(made, request, describeWith);
  const described = splitPlan(made, { ...writing, descriptions });
  return { text: described.type === 'written' ? described.text : plain.text, undescribed };
}

interface Described {
  readonly descriptions: ReadonlyMap<string, string>;
  readonly undescribed: readonly Undescribed[];
}

/** Descriptions are never required: a part that the agent leaves out keeps the text it has. */
async function describe(made: Split, { goal, project }: SplitTreeRequest, agent: string): Promise<Described> {
  const descriptions = new Map<string, string>();
  const undescribed: Undescribed[] = [];
  for (const turn of askDescriptions(goal, made.parts)) {
    const tried = await askAgentHere(agent, { home: project.home, prompt: turn.prompt });
    if (tried === undefined) throw new Refused({ code: 'agent-unknown', agent, known: await agentNames() });
    const { verdict } = tried;
    const answer = verdict.type === 'finished' ? (verdict.result.response ?? '') : '';
    const read = readDescriptions(dataIn(answer), turn);
    for (const [path, description] of read) descriptions.set(path, description);
    if (read.size === turn.parts.length) continue;
    const message = verdict.type === 'finished' ? undefined : verdict.message;
    undescribed.push({ agent, parts: turn.parts.length - read.size, message });
    if (verdict.type !== 'finished') break;
  }
  return { descriptions, undescribed };
}

/** The JSON between the outermost braces of an answer, which may have prose and fences around it. */
function dataIn(answer: string): unknown {
  try {
    return JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
  } catch {
    // An answer without JSON describes nothing; the caller reports the parts.
    return undefined;
  }
}
