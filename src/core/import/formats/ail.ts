// ail: a pipeline of steps, some of them async. It becomes one task, whose steps are those of the pipeline: they have one
// sandbox and one conversation there, as they do here.

import type { SourceNode } from '../../plan/source/source-node.ts';
import { readYaml } from '../../plan/source/read-yaml.ts';
import { map, shortList, shortMap, type YamlEntry } from '../../plan/print/yaml.ts';
import { showDuration } from '../../plan/language/literals.ts';
import { STEPS_MAX } from '../../plan/language/task-shape.ts';
import { safeId } from '../outline/place-items.ts';
import { descriptionOf } from '../outline/safe-text.ts';
import { refused, type ImportNote, type Read, type SourceText } from '../outline/outline.ts';
import { fieldOf, isTrue, mapsOf, numberOf, textAt } from '../outline/item-fields.ts';
import { lineFinder } from '../outline/line-finder.ts';
import { idFromWords } from '../outline/text-pieces.ts';
import { agentsFor, type AilAgents } from './ail-agents.ts';
import type { StepDraft, WrittenDraft } from './ail-draft.ts';
import { readStep, type AilReading } from './ail-step.ts';
import { settleDrafts } from './ail-settle-drafts.ts';
import { rewriteCondition, type AilNames, type Used } from './ail-values.ts';
import { writtenSteps } from './ail-written-steps.ts';

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
    return refused(path, 1, 'There are no steps in it; a pipeline of ail lists them under "pipeline:".');
  if (steps.length > STEPS_MAX)
    return refused(path, 1, `It has ${steps.length} steps, and a task of a plan at most ${STEPS_MAX}.`);
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
  const joins = new Set(steps.flatMap(({ node }, at) => (textAt(node, 'action') === 'join' ? [ids[at] ?? ''] : [])));
  const named = new Map(steps.map(({ id }, at) => [id, ids[at] ?? ''] as const).toReversed());
  const drafts = steps.map((step, at): StepDraft => {
    const names: AilNames = { steps: named, joins, before: beforeOf(steps, ids, at) };
    const reading: AilReading = { path, notes, used, names, agentOf: agents.nameOf };
    return readStep(reading, { ...step, id: ids[at] ?? '' });
  });
  const title = textAt(fieldOf(root, 'meta'), 'name');
  const task: readonly YamlEntry[] = [
    ['description', descriptionOf(textAt(fieldOf(root, 'meta'), 'description') ?? title)],
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
  const until = rewriteCondition(textAt(loop, 'exit_when') ?? '', names);
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
  const from = textAt(root, 'FROM');
  if (from !== undefined) say(`It builds on ${from}, which was not read; import that file too, and put them together.`);
  const defaults = fieldOf(root, 'defaults');
  const left = ['tools', 'sampling'].filter((key) => fieldOf(defaults, key) !== undefined);
  const provider = fieldOf(defaults, 'provider');
  if (['base_url', 'auth_token', 'sampling'].some((key) => fieldOf(provider, key) !== undefined)) left.push('provider');
  if (left.length > 0) say(`Of its defaults these were not carried over: ${left.join(', ')}.`);
  return notes;
}
