// Reads values from the tree of another tool's file. A field that is absent or of another type counts as absent.

import { cleanImported } from './safe-text.ts';
import { entryOf, type MapNode, type SourceNode } from '../../plan/source/source-node.ts';

export function fieldOf(node: SourceNode | undefined, key: string): SourceNode | undefined {
  return node?.type === 'map' ? entryOf(node, key)?.value : undefined;
}

/** A text, or a number as a text; undefined when it is empty. */
export function textOfNode(node: SourceNode | undefined): string | undefined {
  if (node?.type !== 'scalar' || node.value === null || typeof node.value === 'boolean') return undefined;
  const text = cleanImported(String(node.value));
  return text.trim() === '' ? undefined : text;
}

export const nodeTextAt = (node: SourceNode | undefined, key: string): string | undefined =>
  textOfNode(fieldOf(node, key));

export const numberOf = (node: SourceNode | undefined): number | undefined =>
  node?.type === 'scalar' && typeof node.value === 'number' && Number.isFinite(node.value) ? node.value : undefined;

export const isTrue = (node: SourceNode | undefined): boolean => node?.type === 'scalar' && node.value === true;

export const itemsOf = (node: SourceNode | undefined): readonly SourceNode[] =>
  node?.type === 'list' ? node.items : [];

export const mapsOf = (node: SourceNode | undefined): readonly MapNode[] =>
  itemsOf(node).filter((item) => item.type === 'map');

/** The texts of a list, or of one text that stands alone. */
export function textsOfNode(node: SourceNode | undefined): readonly string[] {
  if (node?.type === 'list') return node.items.flatMap((item) => textOfNode(item) ?? []);
  return textOfNode(node) === undefined ? [] : [textOfNode(node) ?? ''];
}

/** Plain data, without places. */
export function dataOf(node: SourceNode): unknown {
  if (node.type === 'scalar') return node.value;
  if (node.type === 'list') return node.items.map(dataOf);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, dataOf(value)]));
}
