// The steps of a pipeline in the order in which they run: what comes before and after a step is a step of its own.

import type { SourceNode } from '../../plan/source/source-node.ts';
import type { ImportNote } from '../outline/outline.ts';
import { fieldOf, isTrue, itemsOf, mapsOf, textAt, textOf } from '../outline/item-fields.ts';
import type { LineOf } from '../outline/line-finder.ts';
import type { WrittenDraft } from './ail-draft.ts';

interface WrittenInput {
  readonly path: string;
  readonly notes: ImportNote[];
  readonly lineOf: LineOf;
}

const HOOKS = ['run_before', 'run_after', 'override', 'disable'];

export function writtenSteps(root: SourceNode, given: WrittenInput): readonly WrittenDraft[] {
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
    say(`${hook}: ${textAt(node, hook) ?? ''} changes a pipeline that this one builds on, and was left out.`);
    return [];
  }
  const id = textAt(node, 'id') ?? `step-${given.at + 1}`;
  const loop = fieldOf(node, 'do_while');
  if (loop === undefined) return withPrivate(node, { id, line });
  const inside = mapsOf(fieldOf(loop, 'steps')).map((step, nth): WrittenDraft => ({
    id: textAt(step, 'id') ?? `${id}-${nth + 1}`,
    line: given.lineOf(step.start),
    node: step,
  }));
  if (!given.isLoopAlone) say(`${id}: the steps of the loop run once; only a whole task can be repeated.`);
  if (inside.length === 0) say(`${id}: the loop has no steps of its own, and was left out.`);
  return inside;
}

/** What an async step has before and after it would have to be async too, and is left out. */
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
  if (textOf(step) === undefined) return undefined;
  const { start, end } = step;
  return { type: 'map', start, end, flow: true, entries: [{ key: 'prompt', start, value: step }] };
}
