import { describe, expect, test } from 'vitest';
import { askDescriptions, readDescriptions } from './part-prompt.ts';
import { BOUNDS_DEFAULT } from './source-file.ts';
import { splitFiles } from './split-files.ts';
import { givenProjectFiles } from './tree.given.ts';

describe('describing parts', () => {
  test('every part is asked about once, in turns of a bounded size, with the goal', () => {
    const { parts, leaves } = splitFiles(givenProjectFiles(2_000), BOUNDS_DEFAULT);
    const turns = askDescriptions('Port it.', parts);
    const asked = turns.flatMap((turn) => turn.parts.map(({ path }) => path));
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked).toEqual(expect.arrayContaining(leaves.map(({ path }) => path)));
    for (const { prompt, parts: own } of turns) {
      expect(own.length).toBeLessThanOrEqual(60);
      expect(prompt).toContain('Port it.');
      for (const { path } of own) expect(prompt).toContain(`\n- ${path}: `);
    }
  });

  test('of an answer only texts about parts that were asked about are taken, on one line', () => {
    const [turn] = askDescriptions('x', splitFiles([{ path: 'a.ts', tokens: 1, imports: [] }], BOUNDS_DEFAULT).parts);
    if (turn === undefined) throw new Error('one part is one turn');
    expect(turn.prompt).toContain('- a: a.ts');
    expect([...readDescriptions({ a: ' The\n heart ', b: 'no' }, turn)]).toEqual([['a', 'The heart']]);
    expect(readDescriptions({ a: 'x'.repeat(900) }, turn).get('a')).toHaveLength(200);
    for (const nothing of [undefined, null, 'a', [], { a: 3 }, { a: ' ' }])
      expect(readDescriptions(nothing, turn).size).toBe(0);
  });
});
