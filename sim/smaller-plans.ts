// Plans with one thing less, as text. Some of them are wrong, because another part refers to the removed one; the caller
// checks them.
import { dump, load } from 'js-yaml';

type Tree = null | boolean | number | string | Tree[] | { [key: string]: Tree };

/** Where something stands in a tree: keys and positions from the root. */
type Path = readonly (string | number)[];

/** What every plan needs. */
const KEPT = new Set(['heddle', 'name', 'sandbox', 'tasks', 'inputs', 'agents', 'timeout']);

export function* smallerPlans(text: string): Generator<string> {
  const tree = treeOf(text);
  for (const path of pathsIn(tree, [])) {
    const smaller = treeOf(text);
    if (!removeAt(smaller, path)) continue;
    tidy(smaller);
    yield dump(smaller);
  }
}

const treeOf = (text: string): Tree => {
  const loaded: unknown = load(text);
  // What the YAML reader gives is made of exactly these.
  return loaded as Tree;
};

/** Tasks and steps before what they are made of, so that large parts go first. */
function pathsIn(tree: Tree, at: Path): readonly Path[] {
  if (tree === null || typeof tree !== 'object') return [];
  const entries: readonly (readonly [string | number, Tree])[] = Array.isArray(tree)
    ? tree.map((value, index) => [index, value] as const)
    : Object.entries(tree);
  if (at[0] === 'sandbox') return [];
  const own = entries.map(([key]) => [...at, key]).filter((path) => path.length > 1 || !KEPT.has(String(path[0])));
  return [...own, ...entries.flatMap(([key, value]) => pathsIn(value, [...at, key]))];
}

function removeAt(tree: Tree, path: Path): boolean {
  const last = path.at(-1);
  let around: Tree | undefined = tree;
  for (const key of path.slice(0, -1)) around = childOf(around, key);
  if (around === undefined || around === null || typeof around !== 'object' || last === undefined) return false;
  if (Array.isArray(around)) around.splice(Number(last), 1);
  else delete around[last];
  return true;
}

function childOf(tree: Tree | undefined, key: string | number): Tree | undefined {
  if (tree === undefined || tree === null || typeof tree !== 'object') return undefined;
  return Array.isArray(tree) ? tree[Number(key)] : tree[key];
}

/** Leaves out needs of what is not there any more. */
function tidy(tree: Tree): void {
  if (tree === null || typeof tree !== 'object') return;
  if (Array.isArray(tree)) return tree.forEach(tidy);
  const { tasks, steps } = tree;
  if (isObject(tasks)) for (const task of Object.values(tasks)) dropNeeds(task, new Set(Object.keys(tasks)));
  if (Array.isArray(steps)) {
    const ids = new Set(
      steps.flatMap((step) => (isObject(step) && typeof step['id'] === 'string' ? [step['id']] : [])),
    );
    for (const step of steps) dropNeeds(step, ids);
  }
  for (const value of Object.values(tree)) tidy(value);
}

const isObject = (tree: Tree | undefined): tree is { [key: string]: Tree } =>
  typeof tree === 'object' && tree !== null && !Array.isArray(tree);

function dropNeeds(tree: Tree, known: ReadonlySet<string>): void {
  if (!isObject(tree) || tree['needs'] === undefined) return;
  const { needs } = tree;
  const lists = Array.isArray(needs) ? [needs] : isObject(needs) ? Object.values(needs).filter(Array.isArray) : [];
  for (const list of lists) {
    const left = list.filter((name) => known.has(String(name)));
    list.splice(0, list.length, ...left);
    if (left.length === 0) delete tree['needs'];
  }
}
