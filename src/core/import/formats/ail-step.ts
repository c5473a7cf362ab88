// One step of ail as a draft of a step of a plan.

import type { SourceNode } from '../../plan/source/source-node.ts';
import { cleanImported, fitted } from '../outline/safe-text.ts';
import type { ImportNote } from '../outline/outline.ts';
import {
  dataOf,
  fieldOf,
  isTrue,
  itemsOf,
  mapsOf,
  numberOf,
  nodeTextAt,
  textOfNode,
  textsOfNode,
} from '../outline/item-fields.ts';
import type { StepDraft, AilRule, WrittenDraft } from './ail-draft.ts';
import { rewriteCondition, rewriteTemplate, type AilNames, type Used } from './ail-values.ts';

export interface AilReading {
  readonly path: string;
  readonly notes: ImportNote[];
  readonly used: Used;
  readonly names: AilNames;
  /** The agent of the plan for a runner and a model of ail; undefined is the usual one. */
  readonly agentOf: (runner: string | undefined, model: string | undefined) => string | undefined;
}

const ATTEMPTS_MAX = 20;
const LEFT_OUT = ['tools', 'system_prompt', 'append_system_prompt', 'sampling', 'input_schema', 'before', 'then'];
const RULES: ReadonlyMap<string, AilRule> = new Map<string, AilRule>([
  ['continue', 'continue'],
  ['abort_pipeline', 'abort'],
  ['pause_for_human', 'gate'],
  ['retry', 'retry'],
]);

export function readStep(reading: AilReading, written: WrittenDraft): StepDraft {
  const { node, id, line } = written;
  const say = (says: string): void => void reading.notes.push({ file: reading.path, line, says: `${id}: ${says}.` });
  const left = LEFT_OUT.filter((key) => fieldOf(node, key) !== undefined);
  if (left.length > 0) say(`not carried over: ${left.join(', ')}`);
  const { work, onResult } = workOf(reading, node, say);
  const retries = numberOf(fieldOf(node, 'max_retries'));
  const isAsync = isTrue(fieldOf(node, 'async'));
  const schema = fieldOf(node, 'output_schema');
  return {
    id,
    line,
    work,
    async: isAsync,
    needs: needsOf(reading, node, say),
    when: whenOf(reading, node, say),
    agent: reading.agentOf(nodeTextAt(node, 'runner'), nodeTextAt(node, 'model')),
    // By default ail starts a new conversation, and an async step forks the previous one.
    resume: isAsync && fieldOf(node, 'resume') === undefined ? undefined : isTrue(fieldOf(node, 'resume')),
    attempts: retries === undefined ? undefined : Math.min(Math.max(Math.round(retries) + 1, 1), ATTEMPTS_MAX),
    onError: onErrorOf(node, work.type, say),
    onResult: [...onResult, ...rulesOf(node, say)],
    output: schema?.type === 'map' ? dataOf(schema) : undefined,
  };
}

type ReportLine = (says: string) => void;
type Worked = Pick<StepDraft, 'work' | 'onResult'>;

function workOf(reading: AilReading, node: SourceNode, say: ReportLine): Worked {
  const action = nodeTextAt(node, 'action');
  const shell = nodeTextAt(fieldOf(node, 'context'), 'shell');
  if (action === 'join') return { work: { type: 'join' }, onResult: [] };
  if (action === 'pause_for_human' || action === 'modify_output') {
    const message = nodeTextAt(node, 'message');
    say(`a person is asked to let it go on${message === undefined ? '' : `; the words "${message}" are not shown`}`);
    return { work: { type: 'run', run: ':', words: ':' }, onResult: [{ when: 'true', rule: 'gate' }] };
  }
  // A command is imported unchanged or not at all.
  if (shell !== undefined && fitted(shell).cut === undefined) {
    const { text } = rewritten(reading, shell, say);
    return { work: { type: 'run', run: text, words: cleanImported(shell) }, onResult: [] };
  }
  const { text: words, cut } = fitted(cleanImported(promptWords(node, say)));
  if (cut !== undefined) say(cut);
  const { text } = rewritten(reading, words, say);
  return { work: { type: 'prompt', prompt: text, words }, onResult: [] };
}

function rewritten(reading: AilReading, words: string, say: ReportLine): { readonly text: string } {
  const { text, unknown } = rewriteTemplate(cleanImported(words), reading.names, reading.used);
  if (unknown.length > 0)
    say(`these values mean nothing in a plan and stand as words: ${[...new Set(unknown)].join(', ')}`);
  return { text };
}

const IS_FILE = /^(?:\.{1,2}\/|~\/|\/)\S+$/;

/** The prompt of a step. Prompt files are not opened: the agent has them in its sandbox. */
function promptWords(node: SourceNode, say: ReportLine): string {
  const prompt = nodeTextAt(node, 'prompt');
  const skill = nodeTextAt(node, 'skill');
  const inner = nodeTextAt(node, 'pipeline');
  const each = fieldOf(node, 'for_each');
  const shell = nodeTextAt(fieldOf(node, 'context'), 'shell');
  if (shell !== undefined) return promptInstead(say, `Run this command and say what it came to: ${shell}`);
  if (prompt !== undefined && !IS_FILE.test(prompt.trim())) return prompt;
  if (prompt !== undefined) return promptInstead(say, `Follow the instructions in ${prompt.trim()}.`);
  if (skill !== undefined) return promptInstead(say, `Use the skill ${skill}.`);
  if (inner !== undefined) return promptInstead(say, `Carry out the pipeline in ${inner}, step by step.`);
  if (each !== undefined) {
    const steps = mapsOf(fieldOf(each, 'steps')).map(
      (step, at) => `${at + 1}. ${nodeTextAt(step, 'prompt') ?? nodeTextAt(fieldOf(step, 'context'), 'shell') ?? ''}`,
    );
    return promptInstead(
      say,
      `For each of these items, one after the other:\n${nodeTextAt(each, 'over') ?? ''}\n\n${steps.join('\n')}`,
    );
  }
  return promptInstead(say, `Do ${nodeTextAt(node, 'id') ?? 'this step'}.`);
}

function promptInstead(say: ReportLine, prompt: string): string {
  say(`it became the prompt "${prompt.replace(/\s+/g, ' ').slice(0, 80)}"`);
  return prompt;
}

function needsOf({ names }: AilReading, node: SourceNode, say: ReportLine): readonly string[] {
  return [...new Set(textsOfNode(fieldOf(node, 'depends_on')))].flatMap((written) => {
    const id = names.steps.get(written);
    if (id === undefined) say(`it depends on ${written}, which is not in the file; it does not wait for it`);
    return id ?? [];
  });
}

function whenOf({ names }: AilReading, node: SourceNode, say: ReportLine): string | undefined {
  if (isTrue(fieldOf(node, 'disabled'))) return 'false';
  const condition = textOfNode(fieldOf(node, 'condition'));
  if (condition === undefined) return undefined;
  const when = rewriteCondition(condition, names);
  if (when === undefined) say(`its condition (${condition}) was not carried over, so it always runs`);
  return when === 'true' ? undefined : when;
}

function onErrorOf(node: SourceNode, type: StepDraft['work']['type'], say: ReportLine): string | undefined {
  const written = nodeTextAt(node, 'on_error');
  if (type === 'join') return written === 'wait_for_all' ? written : undefined;
  // In ail a command has a result, whatever its exit code.
  if (written === undefined) return type === 'run' ? 'continue' : undefined;
  const rule = RULES.get(written);
  if (rule === undefined) say(`on_error: ${written} was not carried over`);
  return rule === 'abort' ? undefined : rule;
}

interface AilBranch {
  readonly test: string | undefined;
  readonly action: string;
}

function rulesOf(node: SourceNode, say: ReportLine): StepDraft['onResult'] {
  const written = fieldOf(node, 'on_result');
  const branches = written?.type === 'map' ? twoBranches(written) : itemsOf(written).map(branchOf);
  return branches.flatMap(({ test, action }) => {
    const rule = RULES.get(action);
    if (test === undefined || rule === undefined) say(`a branch of on_result (${action}) was not carried over`);
    return test === undefined || rule === undefined ? [] : [{ when: test, rule }];
  });
}

function twoBranches(node: SourceNode): readonly AilBranch[] {
  const test = testOf(node);
  const action = (key: string): string => nodeTextAt(fieldOf(node, key), 'action') ?? 'continue';
  return [
    { test, action: action('if_true') },
    { test: test === undefined ? undefined : 'true', action: action('if_false') },
  ];
}

const branchOf = (node: SourceNode): AilBranch => ({
  test: testOf(node),
  action: nodeTextAt(node, 'action') ?? 'continue',
});

function testOf(node: SourceNode): string | undefined {
  const contains = nodeTextAt(node, 'contains');
  const starts = nodeTextAt(node, 'starts_with');
  const code = nodeTextAt(node, 'exit_code');
  const field = nodeTextAt(node, 'field');
  const equals = fieldOf(node, 'equals');
  if (fieldOf(node, 'always') !== undefined) return 'true';
  if (contains !== undefined) return `result.response.contains(${JSON.stringify(contains)})`;
  if (starts !== undefined) return `result.response.startsWith(${JSON.stringify(starts)})`;
  if (code !== undefined) return code === 'any' ? 'result.exit_code != 0' : `result.exit_code == ${Number(code) || 0}`;
  if (field === undefined || equals?.type !== 'scalar' || !/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(field))
    return undefined;
  return `result.output.${field} == ${JSON.stringify(equals.value)}`;
}
