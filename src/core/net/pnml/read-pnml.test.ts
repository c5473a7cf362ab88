import { describe, expect, test } from 'vitest';
import type { Net } from '../net.ts';
import { forEachArc } from '../walk-arcs.ts';
import { readPnml } from './read-pnml.ts';

/** A net in one line a transition: `t: 2*a + b -> c`, readings after a question mark. */
function drawn(net: Net | undefined): readonly string[] {
  if (net === undefined) return ['no net'];
  const list = (arcs: Net['takes'], transition: number): string => {
    const parts: string[] = [];
    forEachArc(arcs, transition, (place, weight) =>
      parts.push(`${weight === 1 ? '' : `${weight}*`}${net.places[place]?.id}`),
    );
    return parts.join(' + ');
  };
  const marking = net.places.map(({ id }, place) => `${id}=${net.initial[place]}`).join(' ');
  const transitions = net.transitions.map(({ id }, index) => {
    const reads = list(net.reads, index);
    return `${id}: ${list(net.takes, index)}${reads === '' ? '' : ` ? ${reads}`} -> ${list(net.gives, index)}`;
  });
  return [marking, ...transitions];
}

const inNet = (content: string): string => `<pnml><net id="n" type="ptnet"><page id="g">${content}</page></net></pnml>`;

const problemsOf = (text: string): readonly string[] =>
  readPnml(text).problems.map(({ message, line, column }) => `${line}:${column} ${message}`);

describe('files as tools write them', () => {
  test('the standard: namespace, page, labels as text, graphics passed over', () => {
    const { net, problems } = readPnml(`<?xml version="1.0" encoding="UTF-8"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
  <net id="n1" type="http://www.pnml.org/version-2009/grammar/ptnet">
    <name><text>A net</text></name>
    <page id="top">
      <place id="p1"><name><text>free</text><graphics><offset x="1" y="2"/></graphics></name>
        <initialMarking><text>
          3
        </text></initialMarking></place>
      <place id="p2"/>
      <transition id="t1"><name><text>
        start
      </text></name></transition>
      <arc id="a1" source="p1" target="t1"><inscription><text>2</text></inscription></arc>
      <arc id="a2" source="t1" target="p2"/>
    </page>
  </net>
</pnml>`);
    expect(problems).toEqual([]);
    expect(drawn(net)).toEqual(['free=3 p2=0', 'start: 2*free -> p2']);
  });

  test('a process miner: core model, final markings that name places, arc types as text', () => {
    const { net } = readPnml(`<pnml><net id="net1" type="http://www.pnml.org/version-2009/grammar/pnmlcoremodel">
      <page id="n0"><place id="source"><name><text>source</text></name><initialMarking><text>1</text></initialMarking></place>
      <place id="sink"><name><text>sink</text></name></place>
      <transition id="x"><name><text>A+complete</text></name>
        <toolspecific tool="ProM" version="6.4" activity="$invisible$" localNodeID="8f"/></transition>
      <arc id="1" source="source" target="x"><arctype><text>normal</text></arctype></arc>
      <arc id="2" source="x" target="sink"><inscription><text>1</text></inscription></arc></page>
      <finalmarkings><marking><place idref="sink"><text>1</text></place></marking></finalmarkings></net></pnml>`);
    expect(drawn(net)).toEqual(['source=1 sink=0', 'A+complete: source -> sink']);
  });

  test('a classroom simulator: values, a colour before the count, unbounded capacity, nodes straight in the net', () => {
    const { net, problems } = readPnml(`<?xml version="1.0" encoding="ISO-8859-1"?><pnml>
<net id="Net-One" type="P/T net"><token id="Default" enabled="true" red="0"/>
<place id="P0"><name><value>P0</value></name><initialMarking><value>Default,2</value></initialMarking>
<capacity><value>0</value></capacity></place>
<transition id="T0"><name><value>T0</value></name><timed><value>false</value></timed></transition>
<arc id="P0 to T0" source="P0" target="T0"><inscription><value>Default,2</value></inscription><type value="normal"/></arc>
</net></pnml>`);
    expect(problems).toEqual([]);
    expect(drawn(net)).toEqual(['P0=2', 'T0: 2*P0 -> ']);
  });

  test('a workflow designer: tool-specific parts with anything in them', () => {
    const { net } =
      readPnml(`<pnml><!-- made - by hand --><net type="http://www.informatik.hu-berlin.de/top/pntd/ptNetb" id="noID">
      <place id="p1"><name><text>in</text></name><initialMarking><text>1</text></initialMarking></place>
      <transition id="t1"><name><text>do</text></name><toolspecific tool="WoPeD" version="1.0">
        <trigger id="" type="200"/><place id="p1"/><arc source="nobody" target="nothing"/></toolspecific></transition>
      <arc id="a1" source="p1" target="t1"><inscription><text>1</text></inscription><toolspecific tool="WoPeD" version="1.0">
        <probability>1.0</probability><displayProbabilityOn>false</displayProbabilityOn></toolspecific></arc></net></pnml>`);
    expect(drawn(net)).toEqual(['in=1', 'do: in -> ']);
  });

  test('instances and ports of modules are refused in one sentence, and so is a file whose nodes are all in modules', () => {
    const module = '<module id="m"><place id="p"/><interface><importPlace id="i"/></interface></module>';
    const instance = '<instance id="x" ref="m"/>';
    for (const text of [
      `<pnml>${module}<net id="n"><page id="g">${instance}${instance}</page></net></pnml>`,
      inNet(module + instance),
      `<pnml><net id="n">${instance}</net></pnml>`,
      '<pnml><module><ports><port id="x"><input id="in"/></port></ports><net id="n"><place id="p"/></net></module></pnml>',
      `<pnml>${module}</pnml>`,
      inNet(`<page id="g">${module}</page>`),
      `<pnml>${module}<net id="n"><page id="g"/></net></pnml>`,
    ]) {
      const { net, problems } = readPnml(text);
      expect(net).toBeUndefined();
      expect(problems).toHaveLength(1);
      expect(problems[0]?.message).toContain('modular PNML');
    }
  });

  test('a module around a whole net is read as that net, and a module without an instance adds nothing', () => {
    const definition = '<module id="m"><place id="q"/><interface><exportPlace id="e" ref="q"/></interface></module>';
    const nodes = '<place id="p"/><transition id="t"/><arc id="a" source="p" target="t"/>';
    for (const text of [
      `<pnml><module id="m"><ports/><net id="n">${nodes}</net></module></pnml>`,
      `<pnml>${definition}<net id="n">${nodes}</net></pnml>`,
      `<pnml><net id="n">${definition}<page id="g">${definition}${nodes}</page></net></pnml>`,
    ])
      expect(drawn(readPnml(text).net)).toEqual(['p=0', 't: p -> ']);
  });

  test('pages inside pages, arcs before nodes, references across pages and through references', () => {
    const { net, problems } = readPnml(`<pnml><net id="n"><page id="a"><arc id="x" source="r2" target="s"/>
      <referencePlace id="r2" ref="r1"/><page id="b"><referencePlace id="r1" ref="p"/></page>
      <referenceTransition id="s" ref="t"/></page>
      <page id="c"><place id="p"/><page id="d"><transition id="t"/><arc id="y" source="t" target="p"/></page></page></net></pnml>`);
    expect(problems).toEqual([]);
    expect(drawn(net)).toEqual(['p=0', 't: p -> p']);
  });

  test('a prefix for the namespace, single quotes, CDATA, references, a byte order mark, a DOCTYPE', () => {
    const { net, problems } =
      readPnml(`\ufeff<!DOCTYPE pnml SYSTEM "x>y.dtd" [ <!-- ] > --> <!ATTLIST net id CDATA "]"> ]>
      <x:pnml xmlns:x='urn:p' xmlns:y="urn:q"><x:net id='n' type=''><y:place id="other"/>
      <x:place id='p &amp; q'><x:name><x:text><![CDATA[<a> & ]]>b &#x41;&#66;&lt;</x:text></x:name></x:place>
      <x:transition id="t"/><x:arc id="a" source="p &#38; q" target="t"/></x:net></x:pnml>\n<!-- the end -->\n`);
    expect(problems).toEqual([]);
    expect(drawn(net)).toEqual(['<a> & b AB<=0', 't: <a> & b AB< -> ']);
  });

  test('reading arcs by their type, whichever way they are drawn; several arcs of a pair add up', () => {
    const arcs = `<arc id="1" source="p" target="t"/><arc id="2" source="p" target="t"/>
      <arc id="3" source="q" target="t"><type value="test"/></arc><arc id="4" source="t" target="r" type="read" weight="2"/>`;
    const { net } = readPnml(
      inNet(`<place id="p"/><place id="q"/><place id="r" initialMarking="4"/><transition id="t"/>${arcs}`),
    );
    expect(drawn(net)).toEqual(['p=0 q=0 r=4', 't: 2*p ? q + 2*r -> ']);
  });

  test("names that are not a node's own give way to ids, and all stay different", () => {
    const named = (id: string, name: string): string => `<place id="${id}"><name><text>${name}</text></name></place>`;
    const { net } = readPnml(inNet(named('a', 'tau') + named('b', 'tau') + named('c', 'a') + named('d', '')));
    expect(net?.places.map(({ id }) => id)).toEqual(["a'", 'b', 'a', 'd']);
  });
});

describe('unsupported features are refused with messages, all at once', () => {
  test('arcs that no plain net has', () => {
    const arc = (kind: string): string => `<arc id="a" source="p" target="t"><type value="${kind}"/></arc>`;
    expect(problemsOf(inNet(`<place id="p"/><transition id="t"/>\n${arc('inhibitor')}\n ${arc('reset')}`))).toEqual([
      '2:1 An arc of kind "inhibitor" cannot be honoured; only normal and reading arcs can.',
      '3:2 An arc of kind "reset" cannot be honoured; only normal and reading arcs can.',
    ]);
  });

  test('high-level nets, other types, other documents, no net, two nets', () => {
    expect(
      problemsOf('<pnml>\n<net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet"/></pnml>'),
    ).toEqual([
      '2:1 The net is of type "http://www.pnml.org/version-2009/grammar/symmetricnet"; only place/transition nets can be read.',
    ]);
    expect(problemsOf(inNet('<place id="p"><hlinitialMarking/></place>'))[0]).toContain(
      '<hlinitialMarking> belongs to',
    );
    expect(problemsOf('<sbml/>')).toEqual([
      '1:1 The root element is <sbml>, so this is not PNML, which begins with <pnml>.',
    ]);
    expect(problemsOf('<pnml/>')).toEqual(['1:1 The file holds no <net>.']);
    expect(problemsOf('<pnml><net/><net/></pnml>')).toEqual([
      '1:13 The file holds more than one net; keep one net to a file.',
    ]);
  });

  test('numbers that are none, capacities, weights of nought', () => {
    const marked = (text: string): string =>
      inNet(`<place id="p"><initialMarking><text>${text}</text></initialMarking></place>`);
    for (const text of ['-1', '1.5', 'x', '1e3', '2147483648', 'Red,1,Blue,2']) {
      expect(problemsOf(marked(text))[0]).toContain(`"${text}" is not a whole number from 0 to 2147483647.`);
    }
    expect(problemsOf(inNet('<place id="p"><capacity><text>3</text></capacity></place>'))[0]).toContain(
      'capacity of 3',
    );
    expect(
      problemsOf(inNet('<place id="p"/><transition id="t"/><arc source="p" target="t" weight="0"/>'))[0],
    ).toContain('at least 1');
  });

  test('ids and ends that do not fit together', () => {
    const text = inNet(`<place id="p"/><place id="p"/><place/><transition id="t"/><referencePlace id="r" ref="t"/>
<referenceTransition id="s"/>
<arc id="1" source="p"/>`);
    expect(problemsOf(text).map((problem) => problem.replace(/^\d+:\d+ /, ''))).toEqual([
      'This place has no id.',
      'This referenceTransition does not say what it refers to.',
      'An arc must have a source and a target.',
    ]);
    const later = inNet(`<place id="p"/><place id="p"/><transition id="t"/><referencePlace id="r" ref="t"/>
<referencePlace id="x" ref="y"/><referencePlace id="y" ref="x"/>
<arc source="p" target="q"/>
<arc source="p" target="p"/><arc source="t" target="t"/>`);
    expect(problemsOf(later)).toEqual([
      '1:60 The id "p" is used twice.',
      '1:95 The reference "r" leads to no place or transition of its kind.',
      '2:1 The reference "x" leads to no place or transition of its kind.',
      '2:33 The reference "y" leads to no place or transition of its kind.',
      '3:1 An arc names "q", which is no place and no transition.',
      '4:1 An arc joins two places, p and p.',
      '4:29 An arc joins two transitions, t and t.',
    ]);
  });

  test('a file with no end of mistakes tells the first hundred', () => {
    expect(problemsOf(inNet('<place/>'.repeat(500))).length).toBe(100);
  });
});
