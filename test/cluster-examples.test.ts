// The examples of a cluster call the program as it is: every option in them exists.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

const FOLDER = join(import.meta.dirname, '..', 'examples', 'cluster');
const COMMANDS = readFileSync(join(import.meta.dirname, '..', 'docs', 'reference', 'commands.md'), 'utf8');

/** The section of a command in the reference, which is made of the program. */
const sectionOf = (command: string): string => COMMANDS.split(/^## /m).find((part) => part.includes(`heddle ${command}`)) ?? '';

test('every option of every command in them is in the reference', () => {
  const texts = readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), 'utf8'));
  const calls = texts.flatMap((text) => [...text.matchAll(/heddle,? (serve|host),? (--.*)$/gm)]);
  expect(calls.length).toBeGreaterThanOrEqual(4);
  for (const [, command = '', rest = ''] of calls)
    for (const option of rest.match(/--[a-z-]+/g) ?? []) expect(sectionOf(command)).toContain(option);
});

test('the manifests are YAML of Kubernetes', () => {
  const documents = parseAllDocuments(readFileSync(join(FOLDER, 'kubernetes.yaml'), 'utf8'), { merge: true });
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const kinds = documents.map((document) => String(document.get('kind')));
  expect(kinds).toEqual(['Service', 'StatefulSet', 'StatefulSet']);
});
