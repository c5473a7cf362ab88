// The examples of a cluster call the program as it is: every option in them exists.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, '..', 'examples', 'cluster');
const COMMANDS = readFileSync(join(import.meta.dirname, '..', 'docs', 'reference', 'commands.md'), 'utf8');

/** The section of a command in the reference, which is made of the program. */
const sectionOf = (command: string): string =>
  COMMANDS.split(/^## /m).find((part) => part.includes(`heddle ${command}`)) ?? '';

test('every option of every command in them is in the reference', () => {
  const texts = readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), 'utf8'));
  const calls = texts.flatMap((text) => [...text.matchAll(/heddle,? (serve|host),? (--.*)$/gm)]);
  expect(calls.length).toBeGreaterThanOrEqual(4);
  for (const [, command = '', rest = ''] of calls)
    for (const option of rest.match(/--[a-z-]+/g) ?? []) expect(sectionOf(command)).toContain(option);
});

test('the manifests are YAML of Kubernetes', () => {
  const documents = loadAll(readFileSync(join(FOLDER, 'kubernetes.yaml'), 'utf8'));
  const kinds = documents.map((document) => (document instanceof Object && 'kind' in document ? document.kind : ''));
  expect(kinds).toEqual(['Service', 'StatefulSet', 'StatefulSet']);
});
