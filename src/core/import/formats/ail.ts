// ail: a pipeline of steps, some of them async. It becomes one task, whose steps are those of the pipeline: they have one
// sandbox and one conversation there, as they do here.

import type { SourceNode } from '../../plan/source/source-node.ts';
import { readYaml } from '../../plan/source/read-yaml.ts';
import { map, shortList, shortMap, type Yaml, type YamlEntry } from '../../plan/print/yaml.ts';
import { showDuration } from '../../plan/language/literals.ts';
import { STEPS_MAX } from '../../plan/language/task-shape.ts';
import { safeId } from '../outline/place-items.ts';
import { descriptionOf } from '../outline/safe-text.ts';
import { refusedImport, type ImportNote, type Read, type SourceText } from '../outline/outline.ts';
import { fieldOf, isTrue, itemsOf, mapsOf, numberOf, nodeTextAt, textOfNode } from '../outline/item-fields.ts';
import { lineFinder, type LineOf } from '../outline/text-lines.ts';
import { idFromWords } from '../outline/text-pieces.ts';
import { settleDrafts, type StepDraft, type WrittenDraft } from './ail-draft.ts';
import { readStep, type AilReading } from './ail-step.ts';
import { rewriteCondition, type AilNames, type Used } from './ail-values.ts';
import { AGENT_KINDS, ADAPTERS_WITH_COMMAND } from '../../plan/language/agent-kinds.ts';

const CAP_MAX = 32;
const ROUNDS_MAX = 100;
const TIMEOUT_MS_MAX = 30 * 86_400_000;

export function readAil({ path, text }: SourceText, agent: string): Read {
  const { reading: source, root } = readYaml(path, text);
  const wrong = source.diagnostics.find(({ severity }) => severity === 'error');
  if (wrong !== undefined || root === undefined) {
    const { line, column } = wrong?.position ?? { line: 1, column: 1 };
    return { type: 'refused', trouble: { file: path, line, column, says: wrong?.message ?? 'The file is empty.' } };
  }
  const notes: ImportNote[] = wholeNotes(root, path);
  const steps = writtenSteps(root, { path, notes, lineOf: lineFinder(source.text) });
  if (steps.length === 0)
    return refusedImport(path, 1, 'There are no steps in it; a pipeline of ail lists them under "pipeline:".');
  if (steps.length > STEPS_MAX)
    return refusedImport(path, 1, `It has ${steps.length} steps, and a task of a plan at most ${STEPS_MAX}.`);
  return writtenPlan({ path, root, steps, notes, agents: agentsFor(root, agent) });
}

interface Pipeline {
  readonly path: string;
  readonly root: SourceNode;
  readonly steps: readonly WrittenDraft[];
  readonly notes: ImportNote[];
  readonly agents: AilAgents;
}

function writtenPlan({ path, root, steps, notes, agents }: Pipeline): Read {
  const used: Used = { isPromptAsked: false, env: new Set() };
  const ids = idsOf(steps);
  const joins = new Set(
    steps.flatMap(({ node }, at) => (nodeTextAt(node, 'action') === 'join' ? [ids[at] ?? ''] : [])),
  );
  const named = new Map(steps.map(({ id }, at) => [id, ids[at] ?? ''] as const).toReversed());
  const drafts = steps.map((step, at): StepDraft => {
    const names: AilNames = { steps: named, joins, before: beforeOf(steps, ids, at) };
    const reading: AilReading = { path, notes, used, names, agentOf: agents.nameOf };
    return readStep(reading, { ...step, id: ids[at] ?? '' });
  });
  const title = nodeTextAt(fieldOf(root, 'meta'), 'name');
  const task: readonly YamlEntry[] = [
    ['description', descriptionOf(nodeTextAt(fieldOf(root, 'meta'), 'description') ?? title)],
    [
      'repeat',
      repeatOf(
        root,
        { steps: named, joins, before: ids.at(-1) },
        (says) => void notes.push({ file: path, line: undefined, says }),
      ),
    ],
  ];
  const defaults = fieldOf(root, 'defaults');
  const head = (): readonly YamlEntry[] => [
    ['heddle', 1],
    ['name', idFromWords(title ?? '') || 'pipeline'],
    ['max_parallel', capOf(numberOf(fieldOf(defaults, 'max_concurrency')))],
    ['timeout', timeoutOf(numberOf(fieldOf(defaults, 'timeout_seconds')))],
    ['agents', agents.entries()],
    ['agent', agents.usual],
    ['inputs', used.isPromptAsked ? map(['prompt', shortMap(['type', 'string'])]) : undefined],
    ['env', used.env.size === 0 ? undefined : shortList([...used.env])],
  ];
  return settleDrafts({ path, head, task, drafts, notes });
}

/** Unlike ids of tasks these may come in any number, so a twin gets a number. */
function idsOf(steps: readonly WrittenDraft[]): readonly string[] {
  const used = new Set<string>();
  return steps.map(({ id }, at) => {
    const wanted = (safeId(id) ?? `step-${at + 1}`).slice(0, 56);
    let free = wanted;
    for (let nth = 2; used.has(free.toLowerCase()); nth += 1) free = `${wanted}-${nth}`;
    used.add(free.toLowerCase());
    return free;
  });
}

function beforeOf(steps: readonly WrittenDraft[], ids: readonly string[], at: number): string | undefined {
  const before = steps.slice(0, at).findLastIndex(({ node }) => !isTrue(fieldOf(node, 'async')));
  return before === -1 ? undefined : ids[before];
}

/** Rounds are of a whole task, so only a pipeline that is one loop keeps its loop. */
function repeatOf(root: SourceNode, names: AilNames, say: (says: string) => void): YamlEntry[1] {
  const [only, ...others] = mapsOf(fieldOf(root, 'pipeline'));
  const loop = fieldOf(only, 'do_while');
  if (loop === undefined || others.length > 0) return undefined;
  const until = rewriteCondition(nodeTextAt(loop, 'exit_when') ?? '', names);
  const rounds = numberOf(fieldOf(loop, 'max_iterations')) ?? ROUNDS_MAX;
  if (until !== undefined)
    return shortMap(['until', until], ['max', Math.min(Math.max(Math.round(rounds), 1), ROUNDS_MAX)]);
  say('When the loop is to end was not understood, so its steps run once.');
  return undefined;
}

/** No cap, or one of 0, is none in ail; here it is the most that there can be. */
function capOf(concurrency: number | undefined): number | undefined {
  if (concurrency === undefined) return undefined;
  const whole = Math.round(concurrency);
  return whole < 1 || whole > CAP_MAX ? CAP_MAX : whole;
}

function timeoutOf(seconds: number | undefined): string | undefined {
  if (seconds === undefined || seconds < 1) return undefined;
  return showDuration(Math.min(Math.round(seconds) * 1000, TIMEOUT_MS_MAX));
}

function wholeNotes(root: SourceNode, path: string): ImportNote[] {
  const notes: ImportNote[] = [];
  const say = (says: string): void => void notes.push({ file: path, line: undefined, says });
  const from = nodeTextAt(root, 'FROM');
  if (from !== undefined) say(`It builds on ${from}, which was not read; import that file too, and put them together.`);
  const defaults = fieldOf(root, 'defaults');
  const left = ['tools', 'sampling'].filter((key) => fieldOf(defaults, key) !== undefined);
  const provider = fieldOf(defaults, 'provider');
  if (['base_url', 'auth_token', 'sampling'].some((key) => fieldOf(provider, key) !== undefined)) left.push('provider');
  if (left.length > 0) say(`Of its defaults these were not carried over: ${left.join(', ')}.`);
  return notes;
}

interface AilAgents {
  /** The agent of prompts that name none. */
  readonly usual: string;
  readonly nameOf: (runner: string | undefined, model: string | undefined) => string | undefined;
  /** The agents in use, to be declared; undefined when there are none. */
  readonly entries: () => Yaml | undefined;
}

interface AgentRequest {
  readonly use: string;
  readonly model: string | undefined;
}

function agentsFor(root: SourceNode, adapter: string): AilAgents {
  const defaults = fieldOf(root, 'defaults');
  const model = nodeTextAt(fieldOf(defaults, 'provider'), 'model') ?? nodeTextAt(defaults, 'model');
  const asked = new Map<string, AgentRequest>();
  const ask = (one: AgentRequest): string => {
    const name = nameFor(one);
    if (!asked.has(name)) asked.set(name, one);
    return name;
  };
  const usual = model === undefined ? adapter : ask({ use: adapter, model });
  return {
    usual,
    nameOf: (runner, own) => {
      const use = runner !== undefined && isAdapter(runner) ? runner : adapter;
      const name = own === undefined && use === adapter ? usual : ask({ use, model: own });
      return name === usual ? undefined : name;
    },
    entries: () => {
      if (asked.size === 0) return undefined;
      // Once one agent is declared, the others are no longer known by the name of their adapter.
      if (!asked.has(usual)) asked.set(usual, { use: adapter, model: undefined });
      return map(
        ...[...asked].map(([name, { use, model: own }]) => [name, shortMap(['use', use], ['model', own])] as const),
      );
    },
  };
}

const isAdapter = (runner: string): boolean => AGENT_KINDS.includes(runner) && !ADAPTERS_WITH_COMMAND.includes(runner);

function nameFor({ use, model }: AgentRequest): string {
  const words =
    model === undefined ? use : `${use}-${model.startsWith(`${use}-`) ? model.slice(use.length + 1) : model}`;
  return words.replace(/[^A-Za-z0-9_.-]+/g, '-').slice(0, 60);
}

interface WrittenInput {
  readonly path: string;
  readonly notes: ImportNote[];
  readonly lineOf: LineOf;
}

const HOOKS = ['run_before', 'run_after', 'override', 'disable'];

function writtenSteps(root: SourceNode, given: WrittenInput): readonly WrittenDraft[] {
  const pipeline = fieldOf(root, 'pipeline');
  const isLoopAlone = itemsOf(pipeline).length === 1;
  return mapsOf(pipeline).flatMap((node, at) => stepsOf(node, { ...given, isLoopAlone, at }));
}

function stepsOf(
  node: SourceNode,
  given: WrittenInput & { readonly isLoopAlone: boolean; readonly at: number },
): readonly WrittenDraft[] {
  const line = given.lineOf(node.start);
  const say = (says: string): void => void given.notes.push({ file: given.path, line, says });
  const hook = HOOKS.find((key) => fieldOf(node, key) !== undefined);
  if (hook !== undefined) {
    say(`${hook}: ${nodeTextAt(node, hook) ?? ''} changes a pipeline that this one builds on, and was left out.`);
    return [];
  }
  const id = nodeTextAt(node, 'id') ?? `step-${given.at + 1}`;
  const loop = fieldOf(node, 'do_while');
  if (loop === undefined) return withPrivate(node, { id, line });
  const inside = mapsOf(fieldOf(loop, 'steps')).map((step, nth): WrittenDraft => ({
    id: nodeTextAt(step, 'id') ?? `${id}-${nth + 1}`,
    line: given.lineOf(step.start),
    node: step,
  }));
  if (!given.isLoopAlone) say(`${id}: the steps of the loop run once; only a whole task can be repeated.`);
  if (inside.length === 0) say(`${id}: the loop has no steps of its own, and was left out.`);
  return inside;
}

/** Steps before and after an async step would have to be async too, so they are left out. */
function withPrivate(node: SourceNode, { id, line }: Pick<WrittenDraft, 'id' | 'line'>): readonly WrittenDraft[] {
  const own = { id, line, node };
  if (isTrue(fieldOf(node, 'async'))) return [own];
  const chain = (key: string): readonly WrittenDraft[] =>
    itemsOf(fieldOf(node, key)).flatMap((step, nth) => {
      const prompt = step.type === 'map' ? step : promptNode(step);
      return prompt === undefined ? [] : [{ id: `${id}_${key}_${nth + 1}`, line, node: prompt }];
    });
  return [...chain('before'), own, ...chain('then')];
}

/** A bare word is the path of a prompt. */
function promptNode(step: SourceNode): SourceNode | undefined {
  if (textOfNode(step) === undefined) return undefined;
  const { start, end } = step;
  return { type: 'map', start, end, flow: true, entries: [{ key: 'prompt', start, value: step }] };
}
