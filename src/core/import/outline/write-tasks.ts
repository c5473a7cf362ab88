// Writes the items of an outline as tasks of a plan.
// Items that a person did not select stay in the outline, so that the path of a task
// does not depend on the selection.

import { foldFolders, withFolded } from './fold-folders.ts';
import type { ImportNote, ImportOutline, Item } from './outline.ts';
import { yamlList, map, shortList, type Yaml, type YamlEntry } from '../../plan/print/yaml.ts';
import { showDuration } from '../../plan/language/literals.ts';
import { idFromWords, labelled, paragraphs, countedText } from './text-pieces.ts';
import { isInPlan, needsOf, type ItemNeeds } from './item-needs.ts';
import { placeItems, safeId, type ItemTree, type PlacedItem } from './place-items.ts';
import { cleanImported, descriptionOf, MARKUP, promptOf } from './safe-text.ts';
import { itemRoles, type ItemRoles } from './item-roles.ts';

interface WrittenTasks {
  /** Undefined when nothing is left to do. */
  readonly tasks: Yaml | undefined;
  readonly count: number;
  readonly done: number;
  /** Items that are left for later on purpose, or with one that is. */
  readonly putOff: number;
  readonly notes: readonly ImportNote[];
  /** Words of the selection that nothing is called. */
  readonly unknown: readonly string[];
  readonly tree: ItemTree;
}

interface TaskWriting {
  readonly roles: ItemRoles;
  readonly needs: ItemNeeds;
  readonly tree: ItemTree;
  readonly notes: ImportNote[];
}

const ESTIMATE_MS_MIN = 1000;
const ESTIMATE_MS_MAX = 30 * 86_400_000;
const NAMED_MAX = 12;
/** Characters. */
const AROUND_LENGTH_MAX = 4000;

export function writeTasks(outline: ImportOutline, selection: ItemSelection = EVERYTHING): WrittenTasks {
  const tree = placeItems(foldFolders(outline.items));
  const { isLeftOut, unknown } = selectItems(tree, selection);
  const roles = itemRoles(tree, isLeftOut);
  const needs = needsOf(tree, roles);
  const writing: TaskWriting = { roles, needs, tree, notes: [] };
  const roots = tree.roots.filter((placed) => isInPlan(roles, placed));
  const tasks = roots.length === 0 ? undefined : map(...roots.map((placed) => writeTask(writing, placed)));
  const done = tree.all.filter(
    (placed) =>
      roles.of(placed) === 'done' &&
      placed.item.work.type !== 'group' &&
      placed.item.state !== 'folded' &&
      !(isLeftOut(placed) && placed.item.state === 'open'),
  );
  return {
    tasks,
    count: tree.all.filter((placed) => roles.of(placed) === 'task').length,
    done: done.length,
    putOff: tree.all.filter((placed) => roles.of(placed) === 'put-off').length,
    notes: [
      ...doneNotes(done),
      ...selectionNotes(tree, roles, isLeftOut),
      ...foldedNotes(tree),
      ...putOffNotes(tree, roles),
      ...outline.notes,
      ...tree.notes,
      ...roles.notes,
      ...needs.notes,
      ...writing.notes,
    ],
    unknown,
    tree,
  };
}

function writeTask(writing: TaskWriting, placed: PlacedItem): YamlEntry {
  const { item, id } = placed;
  const isSubplan = writing.roles.of(placed) === 'subplan';
  const needed = writing.needs.of(placed).map((other) => (other.parent === placed.parent ? other.id : other.path));
  const needs = needed.length === 0 ? undefined : shortList(needed);
  const description = descriptionOf(item.description);
  if (isSubplan) {
    const inside = placed.children.filter((child) => isInPlan(writing.roles, child));
    const tasks = map(...inside.map((child) => writeTask(writing, child)));
    return [id, map(['description', description], ['needs', needs], ['tasks', tasks])];
  }
  return [id, map(['description', description], ['needs', needs], ...leafEntries(writing, placed))];
}

function leafEntries(writing: TaskWriting, placed: PlacedItem): readonly YamlEntry[] {
  const { item } = placed;
  const work = workEntry(writing, placed);
  if (item.work.type === 'gate') return [work];
  const files = item.files.map(cleanImported).filter((file) => file.trim() !== '' && !file.includes('\n'));
  const estimateMs = item.estimateMs;
  const isUsual = estimateMs !== undefined && estimateMs >= ESTIMATE_MS_MIN && estimateMs <= ESTIMATE_MS_MAX;
  return [
    ['estimate', isUsual ? showDuration(Math.round(estimateMs)) : undefined],
    ['files', files.length === 0 ? undefined : shortList(files)],
    ['check', commandOf(item.check)],
    work,
  ];
}

/** A command is a template too, so text from outside is escaped. */
function commandOf(check: string | undefined): string | undefined {
  const command = check === undefined ? '' : cleanImported(check).trim();
  return command === '' || MARKUP.test(command) ? undefined : command;
}

function workEntry(writing: TaskWriting, placed: PlacedItem): YamlEntry {
  const { work, place, key } = placed.item;
  const fallback = `Do ${placed.path}.`;
  const around = work.type === 'gate' ? '' : wordsAround(placed);
  const say = (words: string): string => {
    const { text, cut } = promptOf(paragraphs(words, around), fallback);
    if (cut !== undefined) writing.notes.push({ ...place, says: `${key}: ${cut}.` });
    return text;
  };
  switch (work.type) {
    case 'prompt':
      return ['prompt', say(withFolded(work.prompt, foldedOf(writing, placed)))];
    case 'gate':
      return ['gate', say(work.question)];
    case 'steps':
      return [
        'steps',
        yamlList(work.steps.map((step) => map(['id', safeId(step.id) ?? 'step'], ['prompt', say(step.prompt)]))),
      ];
    case 'group':
      return ['prompt', fallback];
  }
}

/** The prompt of a task includes the titles of its parents, which give its purpose. */
function wordsAround(placed: PlacedItem): string {
  const parts: string[] = [];
  for (let above = placed.parent; above !== undefined; above = above.parent)
    if (above.item.work.type === 'prompt') parts.push(above.item.work.prompt);
  const words = parts.join('\n\n');
  const shown = words.length <= AROUND_LENGTH_MAX ? words : `${words.slice(0, AROUND_LENGTH_MAX)} …`;
  return labelled('It is one part of this, and other parts are done by others', shown) ?? '';
}

const foldedOf = ({ tree }: TaskWriting, { item }: PlacedItem): readonly Item[] =>
  (item.folds ?? []).flatMap((key) => tree.byKey.get(key)?.item ?? []);

function foldedNotes(tree: ItemTree): readonly ImportNote[] {
  return tree.all.flatMap(({ item }) =>
    item.foldedInto === undefined
      ? []
      : [{ ...item.place, says: `${item.key} only makes folders, so the task of ${item.foldedInto} does it.` }],
  );
}

const isOpenItem = ({ item }: PlacedItem): boolean => item.state === 'open' && item.work.type !== 'group';

function selectionNotes(
  tree: ItemTree,
  roles: ItemRoles,
  isLeftOut: (placed: PlacedItem) => boolean,
): readonly ImportNote[] {
  const left = tree.all.filter((placed) => isOpenItem(placed) && isLeftOut(placed) && roles.of(placed) === 'done');
  const [first] = left;
  if (first === undefined) return [];
  return [
    { ...first.item.place, line: undefined, says: `${countedText(left.length, 'item')} not selected, left out.` },
  ];
}

function doneNotes(done: readonly PlacedItem[]): readonly ImportNote[] {
  const first = done[0];
  if (first === undefined) return [];
  const says = `${countedText(done.length, 'item')} done already, left out: ${named(done)}.`;
  return [{ file: first.item.place.file, line: undefined, says }];
}

function putOffNotes(tree: ItemTree, roles: ItemRoles): readonly ImportNote[] {
  const own = tree.all.filter((placed) => placed.item.state === 'put-off' && roles.of(placed) === 'put-off');
  const first = own[0];
  if (first === undefined) return [];
  const says = `${countedText(own.length, 'item')} put off on purpose, left out: ${named(own)}.`;
  return [{ file: first.item.place.file, line: undefined, says }];
}

function named(items: readonly PlacedItem[]): string {
  const keys = items.slice(0, NAMED_MAX).map(({ item }) => item.key);
  return items.length <= NAMED_MAX ? keys.join(', ') : `${keys.join(', ')} and ${items.length - NAMED_MAX} more`;
}

export interface ItemSelection {
  /** Keys, ids, headings, task paths or line numbers, each with the items below it. Undefined selects everything. */
  readonly only: readonly string[] | undefined;
  /** Leaves out items that somebody has begun. */
  readonly isOpenOnly: boolean;
}

const EVERYTHING: ItemSelection = { only: undefined, isOpenOnly: false };

interface SelectedItems {
  readonly isLeftOut: (placed: PlacedItem) => boolean;
  /** Words of the selection that nothing is called. */
  readonly unknown: readonly string[];
}

function selectItems(tree: ItemTree, { only, isOpenOnly }: ItemSelection): SelectedItems {
  const words = (only ?? []).flatMap((word) => word.split(',')).filter((word) => word.trim() !== '');
  const isNamed = (placed: PlacedItem): boolean =>
    words.some((word) => isCalled(placed, word)) || (placed.parent !== undefined && isNamed(placed.parent));
  return {
    isLeftOut: (placed) => (words.length > 0 && !isNamed(placed)) || (isOpenOnly && placed.item.isBegun === true),
    unknown: words.filter((word) => !tree.all.some((placed) => isCalled(placed, word))),
  };
}

function isCalled({ item, id, path }: PlacedItem, word: string): boolean {
  const wanted = word.trim().toLowerCase();
  // Items of a check list have lines for keys, and issues have numbers behind a sign.
  const key = item.key.toLowerCase().replace(/^(?:#|(?:heading in )?line )/, '');
  const names = [item.key, key, id, item.id, path, item.description ?? ''];
  return names.some((name) => name.toLowerCase() === wanted) || idFromWords(wanted) === id.toLowerCase();
}
