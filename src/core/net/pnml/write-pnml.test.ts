import { describe, expect, test } from 'vitest';
import { buildNet } from '../lay-net.ts';
import { readPnml } from './read-pnml.ts';
import { writePnml } from './write-pnml.ts';

describe('writing a net as PNML', () => {
  test('markings, weights, readings as pairs, counted places', () => {
    const builder = buildNet();
    const pool = builder.place({ id: 'pool:coder' }, { tokens: 2, counted: true });
    const done = builder.place({ id: 'a.done' });
    builder.transition({ id: 'start a' }, { takes: [[pool, 2]], gives: [done], reads: [done] });
    expect(writePnml(builder.build())).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
      <net id="net" type="http://www.pnml.org/version-2009/grammar/ptnet">
      <page id="page">
      <place id="p.pool_3a_coder"><name><text>pool:coder</text></name><initialMarking><text>2</text></initialMarking><toolspecific tool="Heddle" version="1"><counted/></toolspecific></place>
      <place id="p.a.done"><name><text>a.done</text></name></place>
      <transition id="t.start_20_a"><name><text>start a</text></name></transition>
      <arc id="a.0" source="p.pool_3a_coder" target="t.start_20_a"><inscription><text>2</text></inscription></arc>
      <arc id="a.1" source="t.start_20_a" target="p.a.done"/>
      <arc id="a.2" source="p.a.done" target="t.start_20_a"><toolspecific tool="Heddle" version="1"><reading/></toolspecific></arc>
      <arc id="a.3" source="t.start_20_a" target="p.a.done"><toolspecific tool="Heddle" version="1"><reading/></toolspecific></arc>
      </page>
      </net>
      </pnml>
      "
    `);
  });

  test('awkward ids survive, twins stay apart', () => {
    const ids = [
      '',
      'a',
      'a',
      '_61_',
      ' a ',
      'é<&>"\'',
      '😀',
      'a\nb\tc\r',
      'a__1',
      ']]>',
      '--',
      'constructor',
      '__proto__',
    ];
    const builder = buildNet();
    for (const id of ids) builder.place({ id });
    const text = writePnml(builder.build());
    const { net, problems } = readPnml(text);
    expect(problems).toEqual([]);
    expect(net?.places.length).toBe(ids.length);
    expect(net?.places.slice(3, 7).map(({ id }) => id)).toEqual(ids.slice(3, 7));
    expect(new Set(text.match(/place id="[^"]*"/g)).size).toBe(ids.length);
  });

  test('a character that XML forbids is written as an unknown character', () => {
    const builder = buildNet();
    builder.place({ id: 'a\u0000b\ud800' });
    expect(readPnml(writePnml(builder.build())).net?.places[0]?.id).toBe('a\ufffdb\ufffd');
  });

  test('a long net is written in chunks', () => {
    const builder = buildNet();
    for (let index = 0; index < 3000; index += 1) builder.place({ id: `place ${index}` }, { tokens: index });
    const net = builder.build();
    expect(readPnml(writePnml(net)).net).toEqual(net);
  });
});
