// brunch: `plan.yaml`, with epics that hold slices.

import type { MapNode, SourceNode } from '../../plan/source/source-node.ts';
import { readYaml } from '../../plan/source/read-yaml.ts';
import {
  plainItem,
  refusedImport,
  type Item,
  type ItemWork,
  type ImportNote,
  type Read,
  type SourceText,
} from '../outline/outline.ts';
import { fieldOf, mapsOf, nodeTextAt, textsOfNode } from '../outline/item-fields.ts';
import { lineFinder, type LineOf } from '../outline/text-lines.ts';
import { idFromWords } from '../outline/text-pieces.ts';

interface BrunchReading {
  readonly path: string;
  readonly lineOf: LineOf;
  readonly notes: ImportNote[];
}

const KNOWN_OF_SLICE: ReadonlySet<string> = new Set(
  'id epic_id definition summary title depends_on verification writes'.split(' '),
);

export function readBrunch({ path, text }: SourceText): Read {
  const { reading: source, root } = readYaml(path, text);
  const wrong = source.diagnostics.find(({ severity }) => severity === 'error');
  if (wrong !== undefined || root === undefined) {
    const { line, column } = wrong?.position ?? { line: 1, column: 1 };
    return { type: 'refused', trouble: { file: path, line, column, says: wrong?.message ?? 'The file is empty.' } };
  }
  const slices = mapsOf(fieldOf(root, 'slices'));
  if (slices.length === 0)
    return refusedImport(path, 1, 'There are no slices in it; a plan of brunch has epics and slices.');
  const reading: BrunchReading = { path, lineOf: lineFinder(source.text), notes: [] };
  const epics = mapsOf(fieldOf(root, 'epics'));
  const known = new Set(epics.flatMap((epic) => nodeTextAt(epic, 'id') ?? []));
  const groups = epics.map((epic) => groupOf(reading, epic, slices));
  const alone = slices.filter((slice) => !known.has(nodeTextAt(slice, 'epic_id') ?? ''));
  for (const slice of alone) sayAlone(reading, slice);
  const items = [
    ...groups.filter(({ items: inside }) => inside.length > 0),
    ...alone.map((one) => taskOf(reading, one)),
  ];
  const name = idFromWords(nodeTextAt(root, 'name') ?? path.split(/[/\\]/).at(-2) ?? '') || 'brunch';
  return { type: 'outline', name, items, notes: reading.notes };
}

/** Slices, and at the end what proves them together. */
function groupOf(reading: BrunchReading, epic: MapNode, slices: readonly MapNode[]): Item {
  const id = nodeTextAt(epic, 'id') ?? '';
  const own = slices.filter((slice) => nodeTextAt(slice, 'epic_id') === id).map((slice) => taskOf(reading, slice));
  const targets = targetsOf(epic);
  const place = { file: reading.path, line: reading.lineOf(epic.start) };
  const summary = nodeTextAt(epic, 'summary') ?? id;
  const proof = plainItem({
    key: `verification of ${id}`,
    id: 'verify',
    place,
    needs: own.map(({ key }) => key),
    work: {
      type: 'prompt',
      prompt: `All parts of "${summary}" are merged. Verify them together: ${targets.join(', ')}. Write what is missing of that, run it, and mend what it finds.`,
    },
    files: filesOf(epic),
  });
  return plainItem({
    key: id,
    id,
    place,
    needs: textsOfNode(fieldOf(epic, 'depends_on')),
    description: summary,
    work: { type: 'group' },
    items: own.length === 0 || targets.length === 0 ? own : [...own, proof],
  });
}

function taskOf(reading: BrunchReading, slice: MapNode): Item {
  const line = reading.lineOf(slice.start);
  const key = nodeTextAt(slice, 'id') ?? `line-${line}`;
  const definition =
    nodeTextAt(slice, 'definition') ?? nodeTextAt(slice, 'summary') ?? nodeTextAt(slice, 'title') ?? key;
  const unknown = slice.entries.map((entry) => entry.key).filter((name) => !KNOWN_OF_SLICE.has(name));
  if (unknown.length > 0)
    reading.notes.push({ file: reading.path, line, says: `${key}: not carried over: ${unknown.join(', ')}.` });
  return plainItem({
    key,
    id: key,
    place: { file: reading.path, line },
    needs: textsOfNode(fieldOf(slice, 'depends_on')),
    work: workOf(definition, targetsOf(slice)),
    files: [...textsOfNode(fieldOf(slice, 'writes')), ...filesOf(slice)],
  });
}

/** Tests first and code after, by one agent in one sandbox, as brunch has it. */
function workOf(definition: string, targets: readonly string[]): ItemWork {
  if (targets.length === 0) return { type: 'prompt', prompt: definition };
  const proof = targets.join(', ');
  return {
    type: 'steps',
    steps: [
      {
        id: 'tests',
        prompt: `Write the tests (${proof}) for this, and no code yet; they should fail:\n\n${definition}`,
      },
      {
        id: 'code',
        prompt: `Write the code, and let these tests pass without changing them: ${proof}\n\n${definition}`,
      },
    ],
  };
}

const targetsOf = (node: SourceNode): readonly string[] =>
  mapsOf(fieldOf(node, 'verification')).flatMap((one) => {
    const target = nodeTextAt(one, 'target');
    return target === undefined ? [] : [`${nodeTextAt(one, 'kind') ?? 'test'} ${target}`];
  });

/** Tests are written too. A target that is a sentence is no file. */
const filesOf = (node: SourceNode): readonly string[] =>
  mapsOf(fieldOf(node, 'verification')).flatMap((one) => {
    const target = nodeTextAt(one, 'target') ?? '';
    return /^[\w./@+-]+\.\w+$/.test(target) ? [target] : [];
  });

function sayAlone({ notes, path, lineOf }: BrunchReading, slice: MapNode): void {
  const named = nodeTextAt(slice, 'epic_id');
  const why = named === undefined ? 'names no epic' : `names the epic ${named}, which is not in the file`;
  notes.push({
    file: path,
    line: lineOf(slice.start),
    says: `${nodeTextAt(slice, 'id') ?? 'A slice'} ${why}; it stands alone.`,
  });
}
