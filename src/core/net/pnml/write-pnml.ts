// A net as PNML (ISO 15909-2), a place/transition net that any tool reads.
//
// write-pnml/Q1. The XML id of a node is made from its id alone, so it stays the same when other nodes come and go; the
//   id as it is stands in <name>.
// write-pnml/Q2. A reading is written as an arc there and an arc back, which means the same to every tool. A
//   tool-specific mark lets our own reader find the reading again, and the places whose tokens are only counted.

import { at } from '../../assert.ts';
import { forEachArc } from '../walk-arcs.ts';
import { isXmlCharacter } from './xml-cursor.ts';
import type { Named, Net } from '../net.ts';

const NAMESPACE = 'http://www.pnml.org/version-2009/grammar/pnml';
const NET_TYPE = 'http://www.pnml.org/version-2009/grammar/ptnet';
const PIECES_OF_CHUNK = 512;

export function writePnml(net: Net): string {
  return [...pnmlChunks(net)].join('');
}

/** The same text in chunks; that of a very large net is longer than a string can be. */
export function* pnmlChunks(net: Net): Generator<string> {
  let pieces: string[] = [];
  for (const piece of pnmlPieces(net)) {
    if (pieces.push(piece) < PIECES_OF_CHUNK) continue;
    yield pieces.join('');
    pieces = [];
  }
  yield pieces.join('');
}

function* pnmlPieces(net: Net): Generator<string> {
  const places = xmlIds('p', net.places);
  const transitions = xmlIds('t', net.transitions);
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<pnml xmlns="${NAMESPACE}">\n`;
  yield `<net id="net" type="${NET_TYPE}">\n<page id="page">\n`;
  for (const [index, place] of net.places.entries()) {
    yield `<place id="${places[index]}">${nameOf(place)}${markingOf(net, index)}</place>\n`;
  }
  for (const [index, transition] of net.transitions.entries()) {
    yield `<transition id="${transitions[index]}">${nameOf(transition)}</transition>\n`;
  }
  yield* arcPieces(net, { places, transitions });
  yield '</page>\n</net>\n</pnml>\n';
}

interface XmlIds {
  readonly places: readonly string[];
  readonly transitions: readonly string[];
}

/** One piece a transition: all its arcs. */
function* arcPieces(net: Net, { places, transitions }: XmlIds): Generator<string> {
  let arcs = 0;
  for (const [index, id] of transitions.entries()) {
    let piece = '';
    const write = (source: string | undefined, target: string | undefined, label: string): void => {
      const end = label === '' ? '/>' : `>${label}</arc>`;
      piece += `<arc id="a.${arcs}" source="${source}" target="${target}"${end}\n`;
      arcs += 1;
    };
    forEachArc(net.takes, index, (place, weight) => write(places[place], id, inscription(weight)));
    forEachArc(net.gives, index, (place, weight) => write(id, places[place], inscription(weight)));
    forEachArc(net.reads, index, (place, weight) => {
      const label = `${inscription(weight)}${ourMark('reading')}`;
      write(places[place], id, label);
      write(id, places[place], label);
    });
    yield piece;
  }
}

function nameOf({ id }: Named): string {
  return `<name><text>${escapeText(id)}</text></name>`;
}

function markingOf(net: Net, place: number): string {
  const tokens = at(net.initial, place);
  const marking = tokens === 0 ? '' : `<initialMarking><text>${tokens}</text></initialMarking>`;
  return net.counted[place] === 1 ? `${marking}${ourMark('counted')}` : marking;
}

function inscription(weight: number): string {
  return weight === 1 ? '' : `<inscription><text>${weight}</text></inscription>`;
}

function ourMark(mark: 'counted' | 'reading'): string {
  return `<toolspecific tool="Heddle" version="1"><${mark}/></toolspecific>`;
}

/** Different ids give different XML ids, for "_" itself is escaped; a net with twins gets them numbered. */
function xmlIds(kind: 'p' | 't', nodes: readonly Named[]): readonly string[] {
  const seen = new Map<string, number>();
  return nodes.map(({ id }) => {
    const nth = seen.get(id) ?? 0;
    seen.set(id, nth + 1);
    const safe = id.replaceAll(/[^A-Za-z0-9.-]/gu, (sign) => `_${sign.codePointAt(0)?.toString(16)}_`);
    return nth === 0 ? `${kind}.${safe}` : `${kind}.${safe}__${nth}`;
  });
}

/** Characters that XML cannot hold become the replacement character. */
function escapeText(text: string): string {
  if (!/[^ !#-%'-;=?-~]/.test(text)) return text;
  return Array.from(text, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    if (!isXmlCharacter(code)) return '\ufffd';
    if (code < 0x20 || '<>&"'.includes(sign)) return `&#${code};`;
    return sign;
  }).join('');
}
