// How the nodes and edges of the plan look at one position of the log.
import { formatMoney } from '../../src/core/view/chart/format.ts';
import type { Picture, PictureEdge } from '../../src/core/view/draw/picture.ts';
import { GROUP_SIGNS, GROUP_WORDS, GROUPS, type TaskGroup, type TaskRow } from '../model/task-rows.ts';
import { progressOf } from '../model/why-text.ts';
import type { EdgeLook, NodeLook } from './scene-look.ts';

export interface LookInput {
  /** The whole picture, unfolded. */
  readonly whole: Picture;
  readonly rows: readonly TaskRow[];
  /** The row of a task, by its path. */
  readonly rowAt: (path: string) => TaskRow | undefined;
  /** Paths of tasks on the longest path to the end. */
  readonly chain: readonly string[];
  readonly selected: string | undefined;
  /** Whether the search finds a task; undefined without a search. */
  readonly finds: ((row: TaskRow) => boolean) | undefined;
}

export interface PlanLooks {
  readonly lookOf: (node: string) => NodeLook;
  readonly edgeLook: (edge: PictureEdge) => EdgeLook;
}

export const PLAIN_LOOK: NodeLook = {
  group: 'waiting',
  foot: '',
  share: undefined,
  isCritical: false,
  isDim: false,
  isSelected: false,
  tokens: 0,
  hasFired: false,
};

/** The tasks of a subplan together. */
interface Mix {
  readonly counts: Record<TaskGroup, number>;
  total: number;
  usd: number;
  isFound: boolean;
  isCritical: boolean;
  isSelected: boolean;
}

const ENDED: ReadonlySet<TaskGroup> = new Set(['done', 'failed', 'cancelled', 'skipped']);

export function planLooks(input: LookInput): PlanLooks {
  const { whole, rows, rowAt, chain, selected, finds } = input;
  const around = ancestorsIn(whole);
  const critical = new Set(chain);
  const looks = new Map<string, NodeLook>();
  const standing = (row: TaskRow): Added => ({
    row,
    isFound: finds?.(row) ?? true,
    isCritical: critical.has(row.path) && !ENDED.has(row.group),
    isSelected: row.path === selected,
  });
  const ofTask = (row: TaskRow): NodeLook => {
    const { isFound, isCritical, isSelected } = standing(row);
    const plain = ofRow(row);
    return isFound && !isCritical && !isSelected ? plain : { ...plain, isCritical, isDim: !isFound, isSelected };
  };
  const mixes = whole.groups.length === 0 ? undefined : mixesOf(rows.map(standing), around);
  const make = (node: string): NodeLook => {
    const mix = mixes?.get(node);
    if (mix !== undefined) return ofMix(mix);
    const row = rowAt(node);
    return row === undefined ? PLAIN_LOOK : ofTask(row);
  };
  const links = criticalLinks(chain, around);
  // Only what is in sight is asked for: a look is made when it is drawn, once.
  const lookOf = (node: string): NodeLook => {
    const look = looks.get(node) ?? make(node);
    looks.set(node, look);
    return look;
  };
  return {
    lookOf,
    edgeLook: ({ from, to }) => {
      const isOver = ENDED.has(lookOf(from).group);
      if (!isOver && links.size > 0 && links.has(linkOf(from, to))) return 'critical';
      return !isOver && lookOf(to).group === 'waiting' ? 'holds' : 'plain';
    },
  };
}

/** Most rows are as they were, and so are their looks. */
const looksOfRows = new WeakMap<TaskRow, NodeLook>();

function ofRow(row: TaskRow): NodeLook {
  const known = looksOfRows.get(row);
  if (known !== undefined) return known;
  const made = makeLook(row);
  looksOfRows.set(row, made);
  return made;
}

function makeLook(row: TaskRow): NodeLook {
  const money = row.usd > 0 ? ` · ${formatMoney(row.usd)}` : '';
  return {
    ...PLAIN_LOOK,
    group: row.group,
    foot: `${GROUP_SIGNS[row.group]} ${row.isPaused ? 'paused' : GROUP_WORDS[row.group]}${money}`,
    share: row.group === 'running' ? progressOf(row) : undefined,
  };
}

interface Added {
  readonly row: TaskRow;
  readonly isFound: boolean;
  readonly isCritical: boolean;
  readonly isSelected: boolean;
}

function mixesOf(rows: readonly Added[], around: Ancestors): ReadonlyMap<string, Mix> {
  const mixes = new Map<string, Mix>();
  for (const added of rows) for (const group of around(added.row.path)) addTo(mixes, group, added);
  return mixes;
}

function addTo(mixes: Map<string, Mix>, group: string, { row, isFound, isCritical, isSelected }: Added): void {
  const known = mixes.get(group) ?? emptyMix();
  known.counts[row.group] += 1;
  known.total += 1;
  known.usd += row.usd;
  known.isFound ||= isFound;
  known.isCritical ||= isCritical;
  known.isSelected ||= isSelected;
  mixes.set(group, known);
}

const emptyMix = (): Mix => ({
  counts: { asks: 0, running: 0, failed: 0, waiting: 0, done: 0, cancelled: 0, skipped: 0 },
  total: 0,
  usd: 0,
  isFound: false,
  isCritical: false,
  isSelected: false,
});

/** A subplan looks like the most urgent of its tasks; it waits while none has begun. */
function ofMix({ counts, total, usd, isFound, isCritical, isSelected }: Mix): NodeLook {
  const over = counts.done + counts.failed + counts.cancelled + counts.skipped;
  const group = GROUPS.find((each) => counts[each] > 0 && each !== 'waiting') ?? 'waiting';
  const isBegun = over > 0 && over < total && (group === 'done' || group === 'skipped');
  const urgent = isBegun ? 'running' : group;
  const signs = GROUPS.filter(
    (each) => counts[each] > 0 && (each === 'asks' || each === 'running' || each === 'failed'),
  )
    .map((each) => `${GROUP_SIGNS[each]}${counts[each]}`)
    .join(' ');
  const parts = [`${over} of ${total}`, signs, usd > 0 ? formatMoney(usd) : ''];
  return {
    ...PLAIN_LOOK,
    group: urgent,
    foot: parts.filter((part) => part !== '').join(' · '),
    share: over / Math.max(1, total),
    isCritical,
    isDim: !isFound,
    isSelected,
  };
}

type Ancestors = (id: string) => readonly string[];

const ancestors = new WeakMap<Picture, Ancestors>();

/** The subplans around a task or a subplan, innermost first. A picture never changes, so each way is found once. */
function ancestorsIn(picture: Picture): Ancestors {
  const known = ancestors.get(picture);
  if (known !== undefined) return known;
  const parents = new Map([...picture.groups, ...picture.nodes].map(({ id, group }) => [id, group]));
  const ways = new Map<string, readonly string[]>();
  const around: Ancestors = (id) => {
    const found = ways.get(id);
    if (found !== undefined) return found;
    const parent = parents.get(id);
    const way = parent === undefined ? [] : [parent, ...around(parent)];
    ways.set(id, way);
    return way;
  };
  ancestors.set(picture, around);
  return around;
}

const linkOf = (from: string, to: string): string => JSON.stringify([from, to]);

/** Edges between two tasks of the chain, or between the subplans around them. */
function criticalLinks(chain: readonly string[], around: Ancestors): ReadonlySet<string> {
  const links = new Set<string>();
  chain.forEach((from, index) => {
    const to = chain[index + 1];
    if (to === undefined) return;
    for (const one of [from, ...around(from)]) for (const other of [to, ...around(to)]) links.add(linkOf(one, other));
  });
  return links;
}
