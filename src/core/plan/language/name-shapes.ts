// Names in plans: task and step ids become branches and folders, other names are only looked up.

import { ID_LENGTH_MAX, idErrorOf } from '../safe-id.ts';
import { lineAt, reportFinding } from '../source/source-reader.ts';
import type { SourceReader } from '../source/source-reader.ts';
import { entryOf } from '../source/source-node.ts';
import type { SourceNode } from '../source/source-node.ts';
import { quoteShort } from './shape.ts';

/** Like ids, and dots too: `gpt-5.1`. */
export const NAME_PATTERN = '^[A-Za-z0-9_][A-Za-z0-9_.-]*$';
/** Names that templates and expressions can use after a dot. */
export const IDENTIFIER_PATTERN = '^[A-Za-z_][A-Za-z0-9_]*$';

const NAME = new RegExp(NAME_PATTERN);
const IDENTIFIER = new RegExp(IDENTIFIER_PATTERN);

export function checkId(id: string, offset: number, reading: SourceReader): void {
  const error = idErrorOf(id);
  if (error === undefined) return;
  reportFinding(reading, {
    code: 'unsafe-id',
    offset,
    message: `The id ${quoteShort(id)} cannot be a branch and folder name: ${error}.`,
    hint: suggestionFor(id),
  });
}

function suggestionFor(id: string): string {
  const safe = id
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/\.lock$/i, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, ID_LENGTH_MAX);
  const isUsable = idErrorOf(safe) === undefined;
  return isUsable ? `Call it ${safe}.` : 'Use letters, digits, _ and -, beginning with a letter.';
}

export function checkName(name: string, offset: number, reading: SourceReader): void {
  reportUnless(NAME.test(name) && name.length <= ID_LENGTH_MAX, {
    reading,
    offset,
    name,
    hint: `Use at most ${ID_LENGTH_MAX} letters, digits, _ . and -, beginning with a letter.`,
  });
}

export function checkIdentifier(name: string, offset: number, reading: SourceReader): void {
  reportUnless(IDENTIFIER.test(name) && name.length <= ID_LENGTH_MAX, {
    reading,
    offset,
    name,
    hint: 'Use letters, digits and _, beginning with a letter, so that templates can name it.',
  });
}

function reportUnless(
  isRight: boolean,
  given: { readonly reading: SourceReader; readonly offset: number; readonly name: string; readonly hint: string },
): void {
  if (isRight) return;
  reportFinding(given.reading, {
    code: 'invalid-name',
    offset: given.offset,
    message: `${quoteShort(given.name)} cannot be used as a name here.`,
    hint: given.hint,
  });
}

/** Siblings that differ only in case are one folder on many file systems. */
export function reportCaseTwins(node: SourceNode, names: readonly string[], reading: SourceReader): void {
  const byFold = new Map<string, string>();
  for (const name of names) {
    const twin = byFold.get(name.toLowerCase());
    if (twin === undefined) {
      byFold.set(name.toLowerCase(), name);
    } else if (twin !== name) {
      reportTwin({ node, reading, name, twin });
    }
  }
}

function reportTwin(given: { node: SourceNode; reading: SourceReader; name: string; twin: string }): void {
  const { node, reading, name, twin } = given;
  const offsetOfKey = (key: string) => (node.type === 'map' ? entryOf(node, key)?.start : undefined) ?? node.start;
  reportFinding(reading, {
    code: 'case-twins',
    offset: offsetOfKey(name),
    message: `The ids ${twin} (line ${lineAt(reading, offsetOfKey(twin))}) and ${name} differ only in case, and are one folder on some systems.`,
    hint: 'Rename one of them.',
    path: [...reading.path, name],
  });
}
