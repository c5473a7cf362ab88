// Builds a tree of nodes from parser events, in one pass and without recursion.
//
// build-tree/T1. Time and memory are linear in the text; the limits bound the nodes that aliases and merge keys add.
// build-tree/T2. Every fault is reported and replaced by a harmless node, so that the rest can be read.

import {
  COLLECTION_STYLE,
  EVENT_ID,
  getScalarValue,
  SCALAR_STYLE,
  type AliasEvent,
  type Event,
  type MappingEvent,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import type { SourcePath } from '../diagnostic.ts';
import { aliasError, mergeEntries } from './merge-entries.ts';
import { ALIASES_MAX, EXPANDED_NODES_MAX } from './limits.ts';
import type { MapEntry, MapNode, SourceNode } from './source-node.ts';
import { reportFinding, type SourceReader } from './source-reader.ts';
import { readTag, scalarUnderTag } from './resolve-scalar.ts';
import { reportUnquotedTemplate, templateEnd } from './unquoted-template.ts';

/** An open collection. A map frame with a key waits for its value. */
interface OpenNode {
  readonly type: 'list' | 'map';
  readonly start: number;
  readonly flow: boolean;
  readonly anchor: string | undefined;
  readonly nodesBefore: number;
  /** Only a list has items, only a map has entries; the other is an empty list that all frames share. */
  readonly items: SourceNode[];
  readonly entries: MapEntry[];
  merges: SourceNode[] | undefined;
  key:
    | { readonly text: string; readonly start: number; readonly merge: boolean; readonly dropped: boolean }
    | undefined;
  height: number;
  /** A `{{` that YAML reads as a map whose key is a map. */
  template: boolean;
}

interface Anchored {
  readonly node: SourceNode;
  readonly height: number;
  readonly nodes: number;
}

interface TreeBuilding {
  readonly reading: SourceReader;
  readonly text: string;
  readonly frames: OpenNode[];
  readonly anchors: Map<string, Anchored>;
  root: SourceNode | undefined;
  documents: number;
  offset: number;
  nodes: number;
  aliases: number;
  added: number;
}

const NO_ITEMS: SourceNode[] = [];
const NO_ENTRIES: MapEntry[] = [];
const NOTHING: SourceNode = { type: 'scalar', start: 0, end: 0, value: null };

export function buildTree(reading: SourceReader, text: string, events: readonly Event[]): SourceNode | undefined {
  const building: TreeBuilding = {
    reading,
    text,
    frames: [],
    anchors: new Map(),
    root: undefined,
    documents: 0,
    offset: 0,
    nodes: 0,
    aliases: 0,
    added: 0,
  };
  for (const event of events) {
    takeEvent(building, event);
    if (building.documents > 1) {
      reportSeveralDocuments(building);
      break;
    }
  }
  return building.root;
}

function takeEvent(building: TreeBuilding, event: Event): void {
  switch (event.type) {
    case EVENT_ID.DOCUMENT:
      building.documents += 1;
      return;
    case EVENT_ID.SEQUENCE:
      return open(building, event, 'list');
    case EVENT_ID.MAPPING:
      return open(building, event, 'map');
    case EVENT_ID.SCALAR:
      return takeScalar(building, event);
    case EVENT_ID.ALIAS:
      return takeAlias(building, event);
    case EVENT_ID.POP:
      return close(building);
  }
}

function open(building: TreeBuilding, event: SequenceEvent | MappingEvent, type: 'list' | 'map'): void {
  readTag({ reading: building.reading, text: building.text, event, allowed: [type === 'map' ? 'map' : 'seq'] });
  building.nodes += 1;
  building.offset = Math.max(building.offset, event.start);
  building.frames.push({
    type,
    start: event.start,
    flow: event.style === COLLECTION_STYLE.FLOW,
    anchor: nameOfAnchor(building, event),
    nodesBefore: building.nodes - 1,
    items: type === 'list' ? [] : NO_ITEMS,
    entries: type === 'map' ? [] : NO_ENTRIES,
    merges: undefined,
    key: undefined,
    height: 0,
    template: type === 'map' && building.text.startsWith('{{', event.start),
  });
}

function close(building: TreeBuilding): void {
  const frame = building.frames.pop();
  if (frame === undefined) return;
  const node = closed(building, frame);
  const height = frame.height + 1;
  keepAnchor(building, frame.anchor, { node, height, nodes: building.nodes - frame.nodesBefore });
  attach(building, node, { height, plain: false });
}

function closed(building: TreeBuilding, frame: OpenNode): SourceNode {
  const { start, flow, items, entries } = frame;
  if (frame.template) {
    const end = templateEnd(building.text, start);
    building.offset = Math.max(building.offset, end);
    reportUnquotedTemplate(building.reading, start, pathOf(building));
    return { type: 'scalar', start, end, value: building.text.slice(start, end) };
  }
  const end = building.offset;
  if (frame.type === 'list') return { type: 'list', start, end, flow, items };
  const node: MapNode = { type: 'map', start, end, flow, entries };
  if (frame.merges === undefined) return node;
  const room = EXPANDED_NODES_MAX - building.added;
  const merged = mergeEntries(node, frame.merges, room);
  building.added += merged.added;
  if (merged.error !== undefined) reportAt(building, { offset: start, ...merged.error });
  return { ...node, entries: merged.entries };
}

function takeScalar(building: TreeBuilding, event: ScalarEvent): void {
  const tag = readTag({
    reading: building.reading,
    text: building.text,
    event,
    allowed: ['str', 'int', 'float', 'bool', 'null'],
  });
  const start = event.valueStart === -1 ? building.offset : event.valueStart;
  const end = event.valueStart === -1 ? building.offset : event.valueEnd;
  const plain = event.style === SCALAR_STYLE.PLAIN;
  const text = getScalarValue(building.text, event);
  const value = scalarUnderTag({ reading: building.reading, text, tag, plain, offset: start });
  building.nodes += 1;
  building.offset = Math.max(building.offset, end);
  const isKey = isKeyNext(building);
  // Keys are text as written, so `1:` and `yes:` need no quotes.
  const node: SourceNode = {
    type: 'scalar',
    start: visibleStart(building.text, event, start),
    end,
    value: isKey ? text : value,
  };
  keepAnchor(building, nameOfAnchor(building, event), { node, height: 1, nodes: 1 });
  attach(building, node, { height: 1, plain });
}

/** A quoted text begins at its quote and a block at its first word, where people look for them. */
function visibleStart(text: string, event: ScalarEvent, start: number): number {
  if (event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK) {
    const indent = text.slice(start, event.valueEnd).search(/\S/);
    return indent === -1 ? start : start + indent;
  }
  const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
  return quoted ? start - 1 : start;
}

function takeAlias(building: TreeBuilding, event: AliasEvent): void {
  const name = building.text.slice(event.anchorStart, event.anchorEnd);
  const offset = event.anchorStart - 1;
  building.offset = Math.max(building.offset, event.anchorEnd);
  building.aliases += 1;
  const anchored = building.anchors.get(name);
  if (anchored === undefined) {
    reportAt(building, {
      code: 'unknown-alias',
      offset,
      message: `The alias *${name} stands for nothing that is complete at this point.`,
      hint: `Mark a value before it with &${name}; a value cannot contain itself.`,
    });
    return attachUnknown(building, name, offset);
  }
  building.added += anchored.nodes;
  building.nodes += anchored.nodes;
  const { aliases, added } = building;
  const depth = building.frames.length + anchored.height;
  const error = aliasError({ aliases, added, nodes: anchored.nodes, depth });
  if (error !== undefined) reportAt(building, { offset, ...error });
  // Past a limit that was reported already, further aliases become empty nodes without another report.
  const isOver = building.aliases > ALIASES_MAX || building.added > EXPANDED_NODES_MAX;
  const node = error === undefined && !isOver ? anchored.node : { ...NOTHING, start: offset, end: event.anchorEnd };
  attach(building, node, { height: anchored.height, plain: false });
}

/** An unknown alias is replaced by text, which most keys accept; in a merge it adds nothing. */
function attachUnknown(building: TreeBuilding, name: string, offset: number): void {
  const frame = building.frames.at(-1);
  if (frame?.key?.merge === true) {
    frame.key = undefined;
    return;
  }
  const node: SourceNode = { type: 'scalar', start: offset, end: building.offset, value: `*${name}` };
  attach(building, node, { height: 1, plain: false });
}

function isKeyNext(building: TreeBuilding): boolean {
  const frame = building.frames.at(-1);
  return frame !== undefined && frame.type === 'map' && frame.key === undefined;
}

function attach(building: TreeBuilding, node: SourceNode, how: { height: number; plain: boolean }): void {
  const frame = building.frames.at(-1);
  if (frame === undefined) {
    building.root ??= node;
    return;
  }
  frame.height = Math.max(frame.height, how.height);
  if (frame.type === 'list') {
    frame.items.push(node);
  } else if (frame.key === undefined) {
    frame.key = keyFrom(building, node, how.plain);
  } else {
    const { text, start, merge, dropped } = frame.key;
    if (merge) (frame.merges ??= []).push(node);
    else if (!dropped) frame.entries.push({ key: text, start, value: node });
    frame.key = undefined;
  }
}

function keyFrom(building: TreeBuilding, node: SourceNode, plain: boolean): OpenNode['key'] {
  const frame = building.frames.at(-1);
  if (node.type === 'scalar') {
    const text = node.value === null ? '' : String(node.value);
    return { text, start: node.start, merge: plain && text === '<<', dropped: false };
  }
  if (frame?.template !== true) {
    reportAt(building, {
      code: 'yaml-syntax',
      offset: node.start,
      message: 'A key must be text, and here it is a list or a map.',
      hint: 'Put quotes around the key, or write it as one plain word.',
    });
  }
  return { text: building.text.slice(node.start, node.end), start: node.start, merge: false, dropped: true };
}

function nameOfAnchor(building: TreeBuilding, event: { anchorStart: number; anchorEnd: number }): string | undefined {
  return event.anchorStart === -1 ? undefined : building.text.slice(event.anchorStart, event.anchorEnd);
}

function keepAnchor(building: TreeBuilding, name: string | undefined, anchored: Anchored): void {
  if (name !== undefined) building.anchors.set(name, anchored);
}

function pathOf(building: TreeBuilding): SourcePath {
  return building.frames.map((frame) => (frame.type === 'list' ? frame.items.length : (frame.key?.text ?? '')));
}

function reportAt(
  building: TreeBuilding,
  finding: { code: string; offset: number; message: string; hint: string },
): void {
  reportFinding(building.reading, { ...finding, path: pathOf(building) });
}

function reportSeveralDocuments(building: TreeBuilding): void {
  const offset = building.text.indexOf('---', building.offset);
  reportFinding(building.reading, {
    code: 'several-documents',
    offset: offset === -1 ? building.offset : offset,
    message: 'The file holds more than one YAML document, and a plan is one document.',
    hint: 'Delete the line with --- or put the second document in a file of its own.',
    path: [],
  });
}
