// A split as the text of a plan: a subplan for each branch, a task for each leaf.

import { map, shortList, shortMap, writeYaml } from '../plan/print/yaml.ts';
import type { Yaml, YamlEntry } from '../plan/print/yaml.ts';
import { promptFor } from './part-prompt.ts';
import { partSizeOf } from './split-files.ts';
import type { SplitLeaf, SplitPart, Split } from './split-files.ts';

export interface SplitPlanOptions {
  readonly goal: string;
  readonly template: string;
  /** Undefined when a settings file names one. */
  readonly agent: string | undefined;
  /** Checks the merged tree. */
  readonly check: string | undefined;
  /** By path: the description of a part by an agent. */
  readonly descriptions: ReadonlyMap<string, string>;
}

export type SplitPlan =
  | { readonly type: 'written'; readonly text: string }
  | { readonly type: 'failed'; readonly message: string };

export function splitPlan({ parts, leaves }: Split, order: SplitPlanOptions): SplitPlan {
  const prompts = new Map<SplitLeaf, string>();
  for (const leaf of leaves) {
    const description = order.descriptions.get(leaf.path);
    const prompted = promptFor({ template: order.template, goal: order.goal, leaf, description });
    if (prompted.type === 'failed') return prompted;
    prompts.set(leaf, prompted.text);
  }
  const text = writeYaml(
    map(
      ['heddle', 1],
      ['name', nameFor(order.goal)],
      ['agent', order.agent],
      ['merge', order.check === undefined ? undefined : shortMap(['check', order.check])],
      ['tasks', writeParts(parts, { prompts, descriptions: order.descriptions })],
    ),
  );
  return { type: 'written', text };
}

interface WrittenSplit {
  readonly prompts: ReadonlyMap<SplitLeaf, string>;
  readonly descriptions: ReadonlyMap<string, string>;
}

function writeParts(parts: readonly SplitPart[], written: WrittenSplit): Yaml {
  return map(
    ...parts.map((part): YamlEntry => {
      const description = written.descriptions.get(part.path) ?? describe(part);
      if (part.type === 'branch')
        return [part.id, map(['description', description], ['tasks', writeParts(part.children, written)])];
      return [
        part.id,
        map(
          ['description', description],
          ['needs', part.needs.length === 0 ? undefined : shortList(part.needs.map((need) => nameOfNeed(part, need)))],
          ['files', shortList(part.ownsFolder ? [`${asGlob(part.folder)}/**`] : part.files.map(asGlob))],
          ['prompt', written.prompts.get(part)],
        ),
      ];
    }),
  );
}

/** A sibling by its id, others from the root: ids of the root are used nowhere else, so that finds nothing but them. */
function nameOfNeed({ parent }: SplitPart, need: string): string {
  const isSibling = parent !== undefined && need.startsWith(`${parent}.`);
  const rest = isSibling ? need.slice(parent.length + 1) : need;
  return rest.includes('.') ? need : rest;
}

function describe(part: SplitPart): string {
  const { files, tokens } = partSizeOf(part);
  const size = `${files} ${files === 1 ? 'file' : 'files'}, about ${Math.ceil(tokens / 1000)}k tokens`;
  return part.folder === '' ? size : `${part.folder}: ${size}`;
}

/** A path as the glob that means it and nothing else. */
const asGlob = (path: string): string => path.replace(/[\\*?[\]{}()!]/g, (sign) => `\\${sign}`);

const NAME_LENGTH_MAX = 48;

/** The first words of the goal's first line. */
function nameFor(goal: string): string {
  const [line = ''] = goal.trim().split('\n');
  let name = '';
  for (const word of line.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (name.length + word.length >= NAME_LENGTH_MAX) break;
    name += name === '' ? word : `-${word}`;
  }
  return name === '' ? 'split' : name;
}
