// Collects the nodes and arcs of a PNML text in reading order, not yet joined: an arc may come before its nodes, and a
// page may refer to a node of another page. Unknown elements are skipped.

import { attributeOf } from './xml-cursor.ts';
import type { XmlElement, XmlVisitor } from './xml-cursor.ts';

export interface Node {
  readonly id: string;
  readonly type: 'place' | 'transition';
  /** For a reference to a node of its type: the id of that node. */
  readonly ref: string | undefined;
  readonly offset: number;
  /** Its number among the places or among the transitions of the file. */
  readonly index: number;
  name: string;
  tokens: number;
  isCounted: boolean;
}

export interface CollectedArc {
  readonly source: string;
  readonly target: string;
  readonly offset: number;
  weight: number;
  /** `kind`: the arc is a reading. `mark`: it is one of the pair of arcs that our own writer makes of a reading. */
  reading: 'none' | 'kind' | 'mark';
}

export interface ProblemAtOffset {
  readonly message: string;
  readonly offset: number;
}

export interface CollectedPnml {
  readonly places: Node[];
  readonly transitions: Node[];
  readonly references: Node[];
  readonly arcs: CollectedArc[];
  readonly problems: ProblemAtOffset[];
  nets: number;
  /** The offset of the first module; undefined without one. */
  module: number | undefined;
  /** Whether instances or ports of modules were met, and refused. */
  isModular: boolean;
}

/**
 * The role of an element, by the role of its parent and by its name. Unknown elements are skipped with their content.
 */
const ROLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  document: { pnml: 'pnml' },
  pnml: { net: 'net', module: 'module' },
  // A module around a whole net is read as that net; a definition that no instance uses adds nothing to one.
  module: { net: 'net', ports: 'ports' },
  ports: { port: 'modular' },
  net: contentOfPage(),
  page: contentOfPage(),
  place: {
    name: 'name',
    initialMarking: 'marking',
    capacity: 'capacity',
    hlinitialMarking: 'coloured',
    toolspecific: 'tool',
  },
  transition: { name: 'name', condition: 'coloured' },
  arc: { inscription: 'inscription', type: 'kind', arctype: 'kind', hlinscription: 'coloured', toolspecific: 'tool' },
  name: textOfLabel(),
  marking: textOfLabel(),
  capacity: textOfLabel(),
  inscription: textOfLabel(),
  kind: textOfLabel(),
  tool: { counted: 'counted', reading: 'reading' },
};

function contentOfPage(): Readonly<Record<string, string>> {
  return {
    page: 'page',
    place: 'place',
    transition: 'transition',
    arc: 'arc',
    referencePlace: 'reference',
    referenceTransition: 'reference',
    instance: 'modular',
    module: 'definition',
  };
}

function textOfLabel(): Readonly<Record<string, string>> {
  return { text: 'text', value: 'text' };
}

/** Net types that are place/transition nets with plain tokens, under any name. */
const PLAIN_NET = /ptnet|p\/t|place.?transition|pnmlcoremodel|epnml/i;
/** The most that a place or an arc may count. */
const COUNT_MAX = 0x7fffffff;
const PROBLEMS_MAX = 100;

interface PnmlCollecting {
  readonly collected: CollectedPnml;
  readonly roles: string[];
  readonly offsets: number[];
  namespace: string;
  /** The node or arc that is being read. */
  node: Node | undefined;
  arc: CollectedArc | undefined;
  text: string;
}

export function collectPnml(collected: CollectedPnml): XmlVisitor {
  const collecting: PnmlCollecting = {
    collected,
    roles: ['document'],
    offsets: [0],
    namespace: '',
    node: undefined,
    arc: undefined,
    text: '',
  };
  return {
    open: (element) => openElement(collecting, element),
    text: (text) => {
      if (collecting.roles.at(-1) === 'text') collecting.text += text;
    },
    close: () => closeElement(collecting),
  };
}

export function reportProblem(collected: CollectedPnml, offset: number, message: string): void {
  if (collected.problems.length < PROBLEMS_MAX) collected.problems.push({ offset, message });
}

function openElement(collecting: PnmlCollecting, element: XmlElement): void {
  const parent = collecting.roles.at(-1) ?? 'other';
  if (parent === 'document') collecting.namespace = element.namespace;
  const isOurs = element.namespace === collecting.namespace;
  const role = (isOurs ? ownEntry(ROLES[parent], element.name) : undefined) ?? 'other';
  collecting.roles.push(role);
  collecting.offsets.push(element.offset);
  begin(collecting, role, element);
}

function begin(collecting: PnmlCollecting, role: string, element: XmlElement): void {
  const { collected } = collecting;
  if (collecting.roles.length === 2 && role === 'other') {
    reportProblem(
      collected,
      element.offset,
      `The root element is <${element.name}>, so this is not PNML, which begins with <pnml>.`,
    );
  }
  if (role === 'net') beginNet(collected, element);
  if (role === 'module' || role === 'definition') collected.module ??= element.offset;
  if (role === 'place' || role === 'transition' || role === 'reference')
    collecting.node = beginNode(collected, element);
  if (role === 'arc') collecting.arc = beginArc(collected, element);
  if (role === 'coloured') refuseColours(collected, element);
  if (role === 'modular') refuseModules(collected, element);
  // Older tools write the kind of an arc as an attribute of the label, not as its text.
  if (role === 'kind' && collecting.arc !== undefined) readKind(collecting, attributeOf(element, 'value') ?? '');
  if (role === 'tool' && attributeOf(element, 'tool') !== 'Heddle')
    collecting.roles[collecting.roles.length - 1] = 'other';
  if (role === 'counted' && collecting.node !== undefined) collecting.node.isCounted = true;
  if (role === 'reading' && collecting.arc !== undefined) collecting.arc.reading = 'mark';
}

function beginNet(collected: CollectedPnml, element: XmlElement): void {
  const { offset } = element;
  collected.nets += 1;
  const type = attributeOf(element, 'type') ?? '';
  if (type !== '' && !PLAIN_NET.test(type)) {
    reportProblem(collected, offset, `The net is of type "${type}"; only place/transition nets can be read.`);
  }
  if (collected.nets === 2)
    reportProblem(collected, offset, 'The file holds more than one net; keep one net to a file.');
}

function beginNode(collected: CollectedPnml, element: XmlElement): Node {
  const { name, offset } = element;
  const id = attributeOf(element, 'id');
  if (id === undefined) reportProblem(collected, offset, `This ${name} has no id.`);
  const isPlace = name === 'place' || name === 'referencePlace';
  const isReference = name === 'referencePlace' || name === 'referenceTransition';
  const ref = attributeOf(element, 'ref');
  if (isReference && ref === undefined)
    reportProblem(collected, offset, `This ${name} does not say what it refers to.`);
  const siblings = isReference ? collected.references : isPlace ? collected.places : collected.transitions;
  const node: Node = {
    id: id ?? `#${offset}`,
    type: isPlace ? 'place' : 'transition',
    ref: isReference ? (ref ?? '') : undefined,
    offset,
    index: siblings.length,
    // Most tools write these two as labels; one writes them as attributes.
    name: attributeOf(element, 'name') ?? '',
    tokens: countOf(collected, { text: attributeOf(element, 'initialMarking') ?? '', offset, empty: 0 }),
    isCounted: false,
  };
  siblings.push(node);
  return node;
}

function beginArc(collected: CollectedPnml, element: XmlElement): CollectedArc {
  const { offset } = element;
  const [source, target] = [attributeOf(element, 'source'), attributeOf(element, 'target')];
  const arc: CollectedArc = { source: source ?? '', target: target ?? '', offset, weight: 1, reading: 'none' };
  if (source === undefined || target === undefined)
    reportProblem(collected, offset, 'An arc must have a source and a target.');
  else collected.arcs.push(arc);
  arc.weight = weightOf(collected, attributeOf(element, 'weight') ?? '', offset);
  applyKind(collected, arc, attributeOf(element, 'type') ?? '');
  return arc;
}

function refuseColours(collected: CollectedPnml, { name, offset }: XmlElement): void {
  reportProblem(collected, offset, `<${name}> belongs to high-level nets; only place/transition nets can be read.`);
}

/** One sentence for the whole file, however many instances it has. */
export function refuseModules(collected: CollectedPnml, { name, offset }: Pick<XmlElement, 'name' | 'offset'>): void {
  if (collected.isModular) return;
  collected.isModular = true;
  reportProblem(
    collected,
    offset,
    `<${name}> belongs to modular PNML, of which only whole nets are read; let the tool that wrote the file flatten it to one net.`,
  );
}

function closeElement(collecting: PnmlCollecting): void {
  const role = collecting.roles.pop();
  const offset = collecting.offsets.pop() ?? 0;
  if (role === 'text' || role === 'other') return;
  const text = collecting.text;
  collecting.text = '';
  if (role === 'place' || role === 'transition' || role === 'reference') collecting.node = undefined;
  if (role === 'arc') collecting.arc = undefined;
  const { node, arc, collected } = collecting;
  // White space with a line break in it is a pretty-printer's; other white space is part of the name.
  if (role === 'name' && node !== undefined) node.name = text.replace(/^\s*\n\s*/, '').replace(/\s*\n\s*$/, '');
  if (role === 'marking' && node !== undefined) node.tokens = countOf(collected, { text, offset, empty: 0 });
  if (role === 'capacity') readCapacity(collected, text, offset);
  if (role === 'inscription' && arc !== undefined) arc.weight = weightOf(collected, text, offset);
  if (role === 'kind') readKind(collecting, text);
}

function weightOf(collected: CollectedPnml, text: string, offset: number): number {
  const weight = countOf(collected, { text, offset, empty: 1 });
  if (weight > 0) return weight;
  reportProblem(collected, offset, 'An arc must have a weight of at least 1.');
  return 1;
}

/** A plain net has no bounded places; one tool writes 0 for "no bound". */
function readCapacity(collected: CollectedPnml, text: string, offset: number): void {
  const capacity = countOf(collected, { text, offset, empty: 0 });
  if (capacity > 0)
    reportProblem(collected, offset, `A capacity of ${capacity} cannot be honoured; add a complement place instead.`);
}

function readKind({ arc, collected }: PnmlCollecting, kind: string): void {
  if (arc !== undefined) applyKind(collected, arc, kind);
}

function applyKind(collected: CollectedPnml, arc: CollectedArc, kind: string): void {
  const word = kind.trim().toLowerCase();
  if (word === '' || word === 'normal' || word === 'ordinary') return;
  if (word === 'read' || word === 'test' || word === 'bidirectional') arc.reading = 'kind';
  else
    reportProblem(
      collected,
      arc.offset,
      `An arc of kind "${word}" cannot be honoured; only normal and reading arcs can.`,
    );
}

/** Some tools name the colour of plain tokens before the count: "Default,2". */
function countOf(
  collected: CollectedPnml,
  { text, offset, empty }: { text: string; offset: number; empty: number },
): number {
  const trimmed = text.trim();
  if (trimmed === '') return empty;
  const digits = /^(?:[A-Za-z_]\w*\s*,\s*)?\+?(\d+)$/.exec(trimmed)?.[1];
  const count = digits === undefined ? Number.NaN : Number(digits);
  if (count <= COUNT_MAX) return count;
  reportProblem(collected, offset, `"${trimmed.slice(0, 40)}" is not a whole number from 0 to ${COUNT_MAX}.`);
  return empty;
}

function ownEntry(entries: Readonly<Record<string, string>> | undefined, name: string): string | undefined {
  return entries !== undefined && Object.hasOwn(entries, name) ? entries[name] : undefined;
}
