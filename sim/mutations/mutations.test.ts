import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MUTATIONS } from './mutations.ts';

const root = new URL('../../', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8');

describe('the planted faults', () => {
  // When the code has changed, change the text of the fault with it and write the table anew.
  test('can each still be planted, in one place', () => {
    const lost = MUTATIONS.filter(({ file, text }) => textOf(file).split(text).length !== 2);
    expect(lost.map(({ fault, file }) => `${file}: ${fault}`)).toEqual([]);
  });

  test('stand in the table, each noticed by an invariant', () => {
    const table = textOf('docs/reference/mutations.md');
    const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Fault'));
    expect(rows.map((row) => row.split(' | ')[0]?.slice(2))).toEqual(MUTATIONS.map(({ fault }) => fault));
    expect(table).not.toContain('**nobody**');
  });
});
