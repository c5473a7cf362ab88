// Lists the schema files that a plan refers to, so that the caller can read them before the plan is parsed.

import { entryOf } from './source-node.ts';
import type { SourceNode } from './source-node.ts';
import { readYaml } from './read-yaml.ts';

/** Every `output: { $ref: … }` that names a file, as written, each once, in the order of the text. */
export function schemaRefs(text: string): readonly string[] {
  const { root } = readYaml('', text);
  const refs = new Set<string>();
  const seen = new Set<SourceNode>();
  const visit = (node: SourceNode): void => {
    // An alias makes one node occur at many places; visiting it once is enough.
    if (node.type === 'scalar' || seen.has(node)) return;
    seen.add(node);
    if (node.type === 'list') {
      node.items.forEach(visit);
      return;
    }
    for (const { key, value } of node.entries) {
      const ref = key === 'output' ? fileRefOf(value) : undefined;
      if (ref !== undefined) refs.add(ref);
      visit(value);
    }
  };
  if (root !== undefined) visit(root);
  return [...refs];
}

function fileRefOf(node: SourceNode): string | undefined {
  if (node.type !== 'map' || node.entries.length !== 1) return undefined;
  const ref = entryOf(node, '$ref')?.value;
  const file = ref?.type === 'scalar' ? ref.value : undefined;
  return typeof file === 'string' && !file.startsWith('#') ? file : undefined;
}
