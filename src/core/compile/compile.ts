// Compiles a plan to a net. A pure function: the same plan gives the same net, ids and order, byte for byte.
import { assert } from '../assert.ts';
import { placeCount, transitionCount, type ArcTo } from '../net/net.ts';
import type { Plan } from '../plan/plan.ts';
import { expand } from '../plan/expand.ts';
import type { Compiled, CompiledTask, PlanNet } from './compiled.ts';
import type { PlaceMeaning, TransitionMeaning } from './meaning.ts';
import { layPlan, type LaidPlan, type PlanLayer } from './lay-plan.ts';
import { outline, type TaskOutline, type OutlineTask } from './task-outline.ts';
import { layResources } from './resources.ts';
import type { TaskEdges } from './life-draft.ts';
import { layTaskLife } from './task-life.ts';

/** Compiles a plan into a Petri net. */
export function compile(written: Plan): Compiled {
  const plan = expand(written);
  const outlined = outline(plan);
  const layer = layPlan(outlined.tasks);
  const source = layer.sharedPlace({ id: 'source', type: 'source' }, { tokens: 1 });
  const sink = layer.sharedPlace({ id: 'sink', type: 'sink' }, {});
  const resources = layResources(layer, plan, outlined);
  const doors = outlined.tasks.map((task) => layEntry(layer, task));
  const ends = endGives(outlined, doors);
  const start = layer.sharedTransition(
    { id: 'start run', type: 'run', transition: 'start' },
    { takes: [source], gives: doors.map(({ waiting }) => waiting) },
  );

  const tasks = outlined.tasks.map((task): CompiledTask => {
    const life = layTaskLife({
      layer,
      resources,
      outlined: task,
      door: entryAt(doors, task.index),
      endGives: ends[task.index] ?? [],
      entries: task.children.map((child) => placeOf(entryAt(doors, child).entry)),
      childrenEnded: task.children.map((child) => entryAt(doors, child).ended),
      merges: plan.sandbox.tree !== 'none',
      agents: plan.agents,
    });
    return { ...task, ...life };
  });

  const finish = layer.sharedTransition(
    { id: 'finish run', type: 'run', transition: 'finish' },
    { takes: takenAtTheEnd(outlined, doors), gives: [sink] },
  );
  const laid = layer.laid();
  return {
    plan,
    net: named(laid),
    placeRole: laid.placeRole,
    transitionRole: laid.transitionRole,
    tasks,
    indexOf: outlined.indexOf,
    run: { ...resources.run, source, sink, start, finish },
    pools: resources.pools,
    holders: tasks.flatMap(({ task, index }) => (task.type === 'work' && task.hold.length > 0 ? [index] : [])),
  };
}

/** Names are created on first use, to draw, print or explain; deciding and proving need none. */
function named({ parts, placeAt, transitionAt }: LaidPlan): PlanNet {
  let places: readonly PlaceMeaning[] | undefined;
  let transitions: readonly TransitionMeaning[] | undefined;
  return {
    ...parts,
    get places() {
      return (places ??= Array.from({ length: placeCount(parts) }, (_, place) => placeAt(place)));
    },
    get transitions() {
      return (transitions ??= Array.from({ length: transitionCount(parts) }, (_, transition) =>
        transitionAt(transition),
      ));
    },
  };
}

function layEntry(layer: PlanLayer, { index, parent, needs, needed }: OutlineTask): TaskEdges {
  const waiting = layer.taskPlace(index, 'waiting');
  const entry = parent === undefined ? undefined : layer.entryPlace(index);
  const all = needed === needs.length;
  const edges = all ? needs.map((from) => layer.edgePlace(index, from)) : [];
  const arrived = all ? undefined : layer.arrivedPlace(index);
  const ended = layer.taskPlace(index, 'ended');
  return { waiting, entry, edges, arrived, ended };
}

/** By task: the places that its end fills, which are its ended place and one place of each task that needs it. */
function endGives({ tasks }: TaskOutline, doors: readonly TaskEdges[]): readonly (readonly number[])[] {
  const gives = doors.map(({ ended }) => [ended]);
  for (const { index, needs } of tasks) {
    const door = entryAt(doors, index);
    needs.forEach((need, at) => gives[need]?.push(placeOf(door.arrived ?? door.edges[at])));
  }
  return gives;
}

/** The run ends when every root has ended and every fewer-than-all need has arrived. */
function takenAtTheEnd({ roots, tasks }: TaskOutline, doors: readonly TaskEdges[]): readonly ArcTo[] {
  const arrived = tasks.flatMap(({ index, needs }): ArcTo[] => {
    const place = entryAt(doors, index).arrived;
    return place === undefined ? [] : [[place, needs.length]];
  });
  return [...roots.map((root) => entryAt(doors, root).ended), ...arrived];
}

function entryAt(doors: readonly TaskEdges[], index: number): TaskEdges {
  const door = doors[index];
  assert(door !== undefined, 'Every task has a door.');
  return door;
}

function placeOf(place: number | undefined): number {
  assert(place !== undefined, 'A task in a subplan has an entry, and a need has a place to arrive.');
  return place;
}
