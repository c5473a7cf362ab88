// Folds items that only make folders into the item after them. git keeps no empty folders, so as a task such an item has
// nothing to commit.
//
// fold-folders/F1. A folded item stays in the outline, so that the path of a task does not depend on it.
// fold-folders/F2. Whatever waits for a folded item waits for the item that does its work.

import type { Item } from './outline.ts';
import { paragraphs } from './text-pieces.ts';

const BEGINS = /^(?:create|make|add|set ?up)\b/i;
/** Folders, and after them nothing, or a path in them: "a directory service" is something else. */
const FOLDERS =
  /\b(?:director(?:y|ies)|folders?|(?:project|source) (?:structure|layout|skeleton))(?:\s+(?:structure|layout|tree))?(?:[.:]?\s*$|\s+(?:for|in|under|per|at|called|named)\b|:?\s+[`'"]?[\w.-]*\/)/i;
/** `mkdir -p src`, or "Create folders src and test". */
const NAMED =
  /^(?:mkdir\b|(?:create|make) (?:the )?(?:folders?|director(?:y|ies)) [\w./-]+(?:(?:,? and |, )[\w./-]+)*\.?$)/i;
/** More than folders is asked for. */
const MORE = /\b(?:with|containing|that|which|tests?|implement|write|install|initiali[sz]e|config\w*|files?)\b/i;
const TITLE_LENGTH_MAX = 200;

export function foldFolders(items: readonly Item[]): readonly Item[] {
  const into = new Map<string, Item>();
  for (const siblings of listsIn(items)) findFolded(siblings, into);
  return into.size === 0 ? items : items.map((item) => rewritten(item, into));
}

const listsIn = (items: readonly Item[]): readonly (readonly Item[])[] => [
  items,
  ...items.flatMap((item) => listsIn(item.items)),
];

function findFolded(siblings: readonly Item[], into: Map<string, Item>): void {
  siblings.forEach((item, at) => {
    if (!makesOnlyFolders(item)) return;
    const next = firstWorkIn(siblings.slice(at + 1));
    const isAfter = next?.work.type === 'prompt' && !item.needs.includes(next.key) && !item.after.includes(next.key);
    if (next !== undefined && isAfter) into.set(item.key, next);
  });
}

/** The first item that a prompt is written for; one with open items in it is a subplan. */
function firstWorkIn(items: readonly Item[]): Item | undefined {
  const first = items.find((each) => each.state === 'open' && !makesOnlyFolders(each));
  return first?.items.some(({ state }) => state === 'open') === true ? firstWorkIn(first.items) : first;
}

function makesOnlyFolders({ work, state, items, files }: Item): boolean {
  if (work.type !== 'prompt' || state !== 'open' || items.length > 0) return false;
  const [title = ''] = work.prompt.split('\n\n');
  const isShort = title.length <= TITLE_LENGTH_MAX && files.every((file) => !/\.\w+$/.test(file));
  return isShort && (NAMED.test(title) || (BEGINS.test(title) && FOLDERS.test(title) && !MORE.test(title)));
}

function rewritten(item: Item, into: ReadonlyMap<string, Item>): Item {
  const through = (keys: readonly string[]): readonly string[] =>
    [...new Set(keys.map((key) => into.get(key)?.key ?? key))].filter((key) => !isWithin(item, key));
  const target = into.get(item.key);
  const children = item.items.map((each) => rewritten(each, into));
  if (target !== undefined) return { ...item, state: 'folded', foldedInto: target.key, items: children };
  const own = [...into].filter(([, each]) => each.key === item.key).map(([key]) => key);
  return { ...item, needs: through(item.needs), after: through(item.after), items: children, folds: own };
}

const isWithin = ({ key, items }: Item, sought: string): boolean =>
  key === sought || items.some((each) => isWithin(each, sought));

/** The prompt of an item, after the folders that it makes first. */
export function withFolded(prompt: string, folded: readonly Item[]): string {
  const titles = folded.map(({ work }) => (work.type === 'prompt' ? (work.prompt.split('\n\n')[0] ?? '') : ''));
  return paragraphs(...titles.map((title) => `First: ${title}`), prompt);
}
