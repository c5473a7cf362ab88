// The report of what is published shows a change of any type that programs can see.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSurface, type Surface } from '../../tools/reference/api-surface.ts';

function surfaceOf(files: Readonly<Record<string, string>>): Surface {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-surface-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return readSurface(folder, 'entry.d.ts');
}

const names = (declared: Surface['exported']): readonly string[] => declared.map(({ name, file }) => `${file} ${name}`);

const FILES = {
  'entry.d.ts':
    "export { run, type Order } from './parts/run.ts';\nexport type { Deep as Renamed } from './parts/deep.ts';\n",
  'parts/run.d.ts': [
    "import type { Middle } from './middle.ts';",
    "import type { Unused } from './deep.ts';",
    'interface Hidden { readonly key: Middle }',
    'export interface Order extends Hidden { readonly Unused: string }',
    '/** Runs it. */',
    'export declare const run: (Unused: Order) => Promise<import("./deep.ts").Lazy>;',
  ].join('\n'),
  'parts/middle.d.ts': "export { Deep as Middle } from './deep.ts';\n",
  'parts/deep.d.ts': [
    'export type Deep = { readonly a: number };',
    'export type Unused = 1;',
    'export interface Lazy { readonly deep: Deep }',
  ].join('\n'),
};

test('the surface is what an entry exports, under the names of the entry', () => {
  const { exported } = surfaceOf(FILES);
  expect(names(exported)).toEqual(['parts/run.ts run', 'parts/run.ts Order', 'parts/deep.ts Renamed']);
  expect(exported[0]).toMatchObject({ kind: 'value', about: 'Runs it.' });
});

test('the surface has every type that its declarations lead to, and names of properties lead nowhere', () => {
  expect(names(surfaceOf(FILES).reached)).toEqual(['parts/deep.ts Lazy', 'parts/run.ts Hidden']);
});

test('a change of a type that is not exported itself changes the surface', () => {
  const changed = {
    ...FILES,
    'parts/run.d.ts': FILES['parts/run.d.ts'].replace('readonly key: Middle', 'readonly key: string'),
  };
  expect(surfaceOf(changed)).not.toEqual(surfaceOf(FILES));
});
