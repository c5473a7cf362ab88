import { describe, expect, test } from 'vitest';
import { buildNet } from '../../src/core/net/lay-net.ts';
import { readPnml } from '../../src/core/net/pnml/read-pnml.ts';
import { writePnml } from '../../src/core/net/pnml/write-pnml.ts';
import type { Net } from '../../src/core/net/net.ts';

import * as fc from 'fast-check';

const SEED = 20_240_118;

const anId = fc.string({
  unit: fc.constantFrom('a', 'b', '_', '.', ' ', '<', '&', '"', "'", ']', '>', '-', ':', 'é', '😀', '#'),
});

const aNet = (id: fc.Arbitrary<string>): fc.Arbitrary<Net> =>
  fc.integer({ min: 1, max: 6 }).chain((places) => {
    const arcs = fc.array(fc.tuple(fc.nat(places - 1), fc.constantFrom(1, 1, 2, 0x7ffffff)), { maxLength: 4 });
    return fc
      .record({
        places: fc.array(fc.record({ id, tokens: fc.nat(3), counted: fc.boolean() }), {
          minLength: places,
          maxLength: places,
        }),
        transitions: fc.array(fc.record({ id, takes: arcs, gives: arcs, reads: arcs }), { maxLength: 6 }),
      })
      .map((given) => {
        const builder = buildNet();
        for (const { id: name, tokens, counted } of given.places) builder.place({ id: name }, { tokens, counted });
        for (const { id: name, ...of } of given.transitions) builder.transition({ id: name }, of);
        return builder.build();
      });
  });

const structureOf = ({ takes, gives, reads, initial, counted }: Net) => ({ takes, gives, reads, initial, counted });

describe('laws of PNML', () => {
  test('reading a written net gives the same structure, whatever the ids', () => {
    fc.assert(
      fc.property(aNet(anId), (net) => {
        const again = readPnml(writePnml(net));
        expect(again.problems).toEqual([]);
        expect(again.net === undefined ? undefined : structureOf(again.net)).toEqual(structureOf(net));
      }),
      { numRuns: 3000, seed: SEED },
    );
  });

  test('ids that differ and are not empty come back as they were', () => {
    fc.assert(
      fc.property(aNet(anId), (net) => {
        const ids = [net.places, net.transitions].map((nodes) => nodes.map(({ id }) => id));
        fc.pre(ids.every((some) => new Set(some).size === some.length && !some.includes('')));
        expect(readPnml(writePnml(net)).net).toEqual(net);
      }),
      { numRuns: 2000, seed: SEED },
    );
  });

  test('no text makes reading throw; each gives a net or a placed problem', () => {
    const written = aNet(anId).map((net) => writePnml(net));
    const edits = fc.array(
      fc.record({ at: fc.nat(), length: fc.nat(9), insert: fc.string({ maxLength: 3, unit: 'binary' }) }),
      { minLength: 1, maxLength: 4 },
    );
    const signs = fc.string({
      unit: fc.constantFrom(...'<>/=&;"\'![]- ?ax\n', '<!--', '<pnml', '<![CDATA[', '&#', '<!DOCTYPE'),
    });
    const mutated = fc.tuple(written, edits).map(([text, changes]) =>
      changes.reduce((now, { at, length, insert }) => {
        const from = at % (now.length + 1);
        return now.slice(0, from) + insert + now.slice(from + length);
      }, text),
    );
    fc.assert(
      fc.property(fc.oneof(mutated, signs), (text) => {
        const { net, problems } = readPnml(text);
        expect(net === undefined).toBe(problems.length > 0);
        const lines = text.split('\n');
        for (const { line, column } of problems) {
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
          expect(Math.min(line, column)).toBeGreaterThan(0);
        }
      }),
      { numRuns: 5000, seed: SEED },
    );
  });
});
