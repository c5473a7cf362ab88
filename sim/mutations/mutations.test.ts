import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { placesOf, readProgram } from './mutation.ts';
import { MUTATIONS } from './mutations.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('the planted faults', () => {
  // When the code has changed, change the text of the fault with it and write the table again.
  test('can each still be planted, in one place', () => {
    const program = readProgram(root);
    const lost = MUTATIONS.filter((mutation) => placesOf(mutation, program).length !== 1);
    expect(lost.map(({ fault }) => fault)).toEqual([]);
  });

  test('stand in the table, each noticed by an invariant', () => {
    const table = readFileSync(join(root, 'docs/reference/mutations.md'), 'utf8');
    const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Fault'));
    expect(rows.map((row) => row.split(' | ')[0]?.slice(2))).toEqual(MUTATIONS.map(({ fault }) => fault));
    expect(table).not.toContain('**nobody**');
  });
});
