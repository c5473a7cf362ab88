// Gives the findings about the whole plan their positions in the text. Invalid parts were replaced by placeholders;
// findings that may concern only placeholders are left out until the author has fixed the rest.

import { checkPlan } from '../check/check-plan.ts';
import { AGENT_KINDS } from '../language/agent-kinds.ts';
import { nearest } from '../language/nearest-name.ts';
import { nodeAt, offsetOf, type SourceNode } from '../source/source-node.ts';
import { reportFinding, type SourceReader } from '../source/source-reader.ts';
import { writtenPlace } from './written-place.ts';
import type { Diagnostic, SourcePath } from '../diagnostic.ts';
import type { PlanFinding } from '../check/plan-finding.ts';
import type { Plan } from '../plan.ts';
import type { OuterLayer, PlacedFinding } from '../settings/setting-layers.ts';

interface CheckedPlan {
  readonly plan: Plan;
  readonly reading: SourceReader;
  readonly root: SourceNode;
  readonly layers: { readonly commandLine: OuterLayer; readonly project: OuterLayer; readonly user: OuterLayer };
}

export function checkBuilt(given: CheckedPlan): void {
  const { plan, reading, root } = given;
  if (plan.tasks.length === 0) return;
  const broken = brokenParts(reading.diagnostics, root);
  const said = new Set<string>();
  checkPlan(plan, (finding) => {
    if (mayBeFalse(finding, broken)) return;
    const isPool = ABOUT_POOLS.has(finding.code) && finding.path[0] === 'tasks';
    const path = isPool ? placeOfPool(root, finding.path) : writtenPlace(root, taskOf(finding.path), finding.path);
    // What a task declares for all of its steps is reported once, at the task.
    const key = `${finding.code}\n${keyOf(path)}`;
    const isShared = isPool || path.includes('escalate');
    if (isShared && said.has(key)) return;
    if (isShared) said.add(key);
    const placed = { ...finding, path, hint: hintFor(finding, given) };
    if (!isSetting(path) || !reportOutside(placed, given))
      reportFinding(reading, { ...placed, offset: offsetOf(root, path) });
  });
}

const isSetting = ([key, part]: SourcePath): boolean =>
  key === 'agent' || key === 'budget' || (key === 'merge' && part === 'check');

/** A setting of the whole plan may come from outside and is reported there; the nearest layer that sets it counts. */
function reportOutside(finding: PlacedFinding, { root, layers }: CheckedPlan): boolean {
  if (layers.commandLine.reportAt(finding)) return true;
  if (nodeAt(root, finding.path) !== undefined) return false;
  return layers.project.reportAt(finding) || layers.user.reportAt(finding);
}

const ABOUT_POOLS: ReadonlySet<string> = new Set(['unknown-pool', 'pool-demand']);

/** A plan without declared agents may name an adapter, so an adapter was meant. */
function hintFor(finding: PlanFinding, { plan, root }: { readonly plan: Plan; readonly root: SourceNode }): string {
  if (finding.code !== 'unknown-agent' || plan.agents.length > 0) return finding.hint;
  const node = nodeAt(root, finding.path);
  const meant = node?.type === 'scalar' ? nearest(String(node.value), AGENT_KINDS) : undefined;
  return meant === undefined ? `Name one of ${AGENT_KINDS.join(', ')}, or declare agents.` : `Did you mean ${meant}?`;
}

interface BrokenPlaces {
  readonly isAny: boolean;
  /** Keys of the places with an error. */
  readonly places: ReadonlySet<string>;
  /** Keys of the tasks with an error of their own. */
  readonly tasks: ReadonlySet<string>;
  /** Those of them with an error among their steps or in their copies, whose names may be missing. */
  readonly nameless: ReadonlySet<string>;
  /** Their dotted paths. */
  readonly names: ReadonlySet<string>;
  /** Keys of the plan itself with an error somewhere below them, those of tasks aside. */
  readonly topKeys: ReadonlySet<string>;
  /** Those of them that could not be read at all, so that the names that they declare are not known. */
  readonly namelessKeys: ReadonlySet<string>;
  /** Whether an invalid part of the text may contain a check. */
  readonly mayHideCheck: boolean;
  /** Whether an invalid part of the text may contain a need; then less is known about the order of tasks. */
  readonly mayHideNeeds: boolean;
}

function brokenParts(diagnostics: readonly Diagnostic[], root: SourceNode): BrokenPlaces {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const inTasks = errors
    .filter((error) => !isInert(error))
    .map(({ path }) => taskOf(path))
    .filter((path) => path.length > 0);
  const atTop = errors.filter(({ path }) => taskOf(path).length === 0);
  const topKeys = new Set(atTop.map(topKeyOf));
  return {
    isAny: errors.length > 0,
    places: new Set(errors.filter(({ path }) => path.length > taskOf(path).length).map(({ path }) => keyOf(path))),
    tasks: new Set(inTasks.map(keyOf)),
    nameless: new Set(errors.filter(({ path }) => isBelowNames(path)).map(({ path }) => keyOf(taskOf(path)))),
    names: new Set(inTasks.map(dottedPath)),
    topKeys,
    namelessKeys: new Set(atTop.filter(({ path }) => path.length < 2 || path[0] === 'env').map(topKeyOf)),
    mayHideCheck: inTasks.length > 0 || topKeys.has('merge') || atTop.some(isUnknownTopKey),
    mayHideNeeds: errors.some((error) => mayHideNeeds(error, root)),
  };
}

/** The key of the plan that is broken, or that an unknown one may have been meant to be. */
function topKeyOf(error: Diagnostic): string {
  const key = String(error.path[0]);
  return (isUnknownTopKey(error) ? nearest(key, DECLARING_KEYS) : undefined) ?? key;
}

const isUnknownTopKey = ({ code, path }: Diagnostic): boolean => code === 'unknown-key' && path.length < 2;

/** Whether no other part of the plan depends on the invalid value. */
function isInert({ code, path }: Diagnostic): boolean {
  const inTask = path.slice(taskOf(path).length);
  const key = inTask[0] === 'steps' ? inTask[2] : inTask[0];
  return code !== 'unknown-key' && INERT_KEYS.has(String(key));
}

const INERT_KEYS: ReadonlySet<string> = new Set([
  'max_parallel',
  'failure_mode',
  'attempts',
  'timeout',
  'idle_timeout',
  'description',
  'estimate',
]);

const DECLARING_KEYS = ['agents', 'agent', 'pools', 'inputs', 'env', 'budget'];

/** A broken `needs`, a key that may be a misspelt one, or a task of which nothing could be read but its name. */
function mayHideNeeds({ code, path }: Diagnostic, root: SourceNode): boolean {
  const task = taskOf(path);
  const inTask = path.slice(task.length);
  if (task.length === 0) return path.length === 1 && path[0] === 'tasks';
  if (inTask.length === 0) return !ABOUT_IDS.has(code) && !(ABOUT_KINDS.has(code) && !hasTasksInside(root, path));
  return inTask[0] === 'needs' || (code === 'unknown-key' && inTask.length === 1);
}

const ABOUT_IDS: ReadonlySet<string> = new Set(['unsafe-id', 'case-twins', 'duplicate-id']);

/** The needs of a task were read even when it is not known what the task does; those of tasks inside it were not. */
const ABOUT_KINDS: ReadonlySet<string> = new Set(['nothing-to-do', 'several-kinds']);

function hasTasksInside(root: SourceNode, task: SourcePath): boolean {
  return ['tasks', 'for_each'].some((key) => nodeAt(root, [...task, key]) !== undefined);
}

/** Findings that depend on the order of tasks, on top-level declarations, or on the absence of a key. */
const ABOUT_ORDER: ReadonlySet<string> = new Set(['reference-without-path', 'write-overlap', 'unreachable-task']);
const ABOUT_TOP: ReadonlyMap<string, readonly string[]> = new Map([
  ['pool-demand', ['pools']],
  ['expression-type', ['inputs']],
  ['unsafe-value', ['inputs', 'env']],
  ['budget-too-small', ['budget', 'agents']],
  ['reservation-over-budget', ['budget', 'agents']],
  ['budget-over-enclosing', ['budget']],
]);

/** Findings about undeclared names; an invalid entry still declares its name. */
const ABOUT_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['unknown-agent', ['agents', 'agent']],
  ['unknown-pool', ['pools']],
  ['unknown-name', ['inputs', 'env']],
]);

/** Findings about existing parts, which remain true whatever the invalid parts contain. */
const ABOUT_WHAT_IS_THERE: ReadonlySet<string> = new Set([
  'cycle',
  'unknown-need',
  'need-on-self',
  'duplicate-need',
  'template-syntax',
  'expression-syntax',
  'unknown-agent',
  'unknown-pool',
  'unknown-name',
]);

function mayBeFalse(finding: PlanFinding, broken: BrokenPlaces): boolean {
  if (!broken.isAny) return false;
  if (finding.path.some((_, index) => broken.places.has(keyOf(finding.path.slice(0, index + 1))))) return true;
  const task = keyOf(taskOf(finding.path));
  const isOrder = ABOUT_ORDER.has(finding.code);
  const isSure =
    (ABOUT_WHAT_IS_THERE.has(finding.code) || (isOrder && !broken.mayHideNeeds)) &&
    !(finding.code === 'unknown-name' && broken.nameless.has(task));
  if (finding.code === 'no-check') return broken.mayHideCheck;
  if (broken.tasks.has(task) && !isSure) return true;
  if (ABOUT_TOP.get(finding.code)?.some((key) => broken.topKeys.has(key)) === true) return true;
  if (ABOUT_NAMES.get(finding.code)?.some((key) => broken.namelessKeys.has(key)) === true) return true;
  if (isOrder && broken.mayHideNeeds) return true;
  return !isSure && finding.other !== undefined && broken.names.has(finding.other);
}

/** The innermost task that a path leads into; empty when it leads into none. */
function taskOf(path: SourcePath): SourcePath {
  let end = 0;
  for (let at = 0; at < path.length;) {
    const isTask = path[at] === 'tasks' || (path[at] === 'for_each' && path[at + 1] === 'task');
    if (!isTask || at + 1 >= path.length) break;
    at += 2;
    end = at;
  }
  return path.slice(0, end);
}

function isBelowNames(path: SourcePath): boolean {
  const key = path[taskOf(path).length];
  return key === 'steps' || key === 'for_each';
}

function keyOf(path: SourcePath): string {
  return path.join('\n');
}

function dottedPath(task: SourcePath): string {
  return task
    .filter((_, index) => index % 2 === 1)
    .map((part, index) => (task[index * 2] === 'for_each' ? 'item' : String(part)))
    .join('.');
}

/** From the path of a demand, `….pools.<pool>` or `….hold.<pool>`, to the path of the words that make it; itself if there are none. */
/**
 * The text of a step's demand for a pool. A step takes its own demand and that of its task, under `pool` or `pools`, as
 * a name, a list or a map; the checked plan holds only the sum.
 */
function placeOfPool(root: SourceNode, path: SourcePath): SourcePath {
  const pool = String(path.at(-1));
  const step = path.slice(0, -2);
  const bases = step.at(-2) === 'steps' ? [step, step.slice(0, -2)] : [step];
  for (const base of bases) {
    for (const key of path.at(-2) === 'hold' ? ['hold'] : ['pools', 'pool']) {
      const found = demandIn(nodeAt(root, [...base, key]), pool);
      if (found !== undefined) return [...base, key, ...found];
    }
  }
  return path;
}

function demandIn(node: SourceNode | undefined, pool: string): SourcePath | undefined {
  if (node?.type === 'map') return node.entries.some(({ key }) => key === pool) ? [pool] : undefined;
  if (node?.type === 'scalar') return node.value === pool ? [] : undefined;
  const place = node?.items.findIndex((item) => item.type === 'scalar' && item.value === pool) ?? -1;
  return place < 0 ? undefined : [place];
}
