// The pages of the reference that are made from the program itself, and the JSON Schema of plans.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { planJsonSchemaText } from '../../src/core/plan/language/plan-json-schema.ts';
import { apiPages } from './api-pages.ts';
import { commandsPage } from './commands-page.ts';
import { keysPage } from './keys-page.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'docs', 'reference');

/** Outdated pages: by file, the content that each should have. */
export function stalePages(): ReadonlyMap<string, string> {
  const made: readonly (readonly [string, string])[] = [
    [join(folder, 'commands.md'), commandsPage()],
    [join(folder, 'keys.md'), keysPage()],
    [join(root, 'schema', 'plan.schema.json'), planJsonSchemaText()],
    ...apiPages(),
  ];
  return new Map(made.filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text));
}
