import { expect, test } from 'vitest';
import { checkEngines } from './engines.ts';

const from24 = (version: string) => Number(version.split('.')[0]) >= 24;

test('a launcher and a package that accept the same Nodes are content', () => {
  expect(checkEngines('{\n"engines": { "node": ">=24" }}', from24)).toEqual([]);
  expect(checkEngines('{\n"engines": { "node": ">=24 <25 || >=25.0" }}', from24)).toEqual([]);
});

test('the first Node that they differ about is named', () => {
  const differ = (range: string) => checkEngines(`{\n"engines": { "node": "${range}" }}`, from24);
  expect(differ('>=24.16 <25 || >=26.1')).toMatchObject([{ line: 2, says: expect.stringContaining('Node 24.0.0') }]);
  expect(differ('>=20')).toMatchObject([{ says: expect.stringContaining('Node 20.0.0') }]);
});
