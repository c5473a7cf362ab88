// Nets of the shape that plans compile to, at any size, drawn from a seed: tasks with steps, checks and merges, caps,
// pools, switches, subplans, and needs of all kinds.

import { buildNet } from '../net/lay-net.ts';
import { draws } from './random-net.given.ts';
import type { ArcTo, Named, Net, NetBuilder } from '../net/net.ts';
import type { Draw } from './random-net.given.ts';

export interface PlanNetOptions {
  readonly seed: number;
  readonly tasks: number;
  /** One fault at a random position; none by default. */
  readonly fault?: 'lost-pool' | 'cycle' | 'too-much' | 'missing-token' | 'holding-subplan';
}

interface Door {
  readonly waiting: number;
  readonly entry: number | undefined;
  readonly edges: number[];
  arrived: { readonly place: number; readonly of: number; readonly needed: number } | undefined;
  readonly ended: number;
  readonly endGives: number[];
  readonly parent: number | undefined;
  readonly children: number[];
  readonly caps: readonly number[];
}

interface Around {
  readonly builder: NetBuilder<Named, Named>;
  readonly draw: Draw;
  readonly doors: Door[];
  readonly pools: readonly { readonly place: number; readonly size: number; readonly open: number }[];
  readonly going: number;
  readonly mergeSlots: number;
}

const DEPTH_MOST = 4;

export function planNet({ seed, tasks, fault }: PlanNetOptions): Net {
  const builder = buildNet<Named, Named>();
  const draw = draws(seed);
  const source = builder.place({ id: 'source' }, { tokens: 1 });
  const sink = builder.place({ id: 'sink' });
  const cap = builder.place({ id: 'run cap' }, { tokens: 4 + draw(8), counted: true });
  const mergeSlots = builder.place({ id: 'merge slots' }, { tokens: 1, counted: true });
  const going = addSwitch(builder, 'run');
  const pools = ['coder', 'tester', 'database'].map((name) => {
    const size = 1 + draw(4);
    return {
      place: builder.place({ id: `pool ${name}` }, { tokens: size, counted: true }),
      size,
      open: addSwitch(builder, name),
    };
  });
  const around: Around = { builder, draw, doors: [], pools, going, mergeSlots };
  const roots = layDoors(around, { count: tasks, caps: [cap] });
  layNeeds(around, fault === 'cycle');
  builder.transition({ id: 'start run' }, { takes: [source], gives: around.doors.map((door) => door.waiting) });
  const marked = fault === undefined ? -1 : firstWork(around, draw(tasks));
  around.doors.forEach((_, task) => layTask(around, { task, fault: task === marked ? fault : undefined }));
  const arrived = around.doors.flatMap((door): ArcTo[] =>
    door.arrived ? [[door.arrived.place, door.arrived.of]] : [],
  );
  builder.transition(
    { id: 'finish run' },
    { takes: [...roots.map((task) => endedOf(around, task)), ...arrived], gives: [sink] },
  );
  return builder.build();
}

/** The first task at or after this index that is no subplan; the last task never is one. */
function firstWork({ doors }: Around, from: number): number {
  return doors.findIndex((door, task) => task >= from && door.children.length === 0);
}

function addSwitch(builder: NetBuilder<Named, Named>, name: string): number {
  const on = builder.place({ id: `${name} on` }, { tokens: 1, counted: true });
  const off = builder.place({ id: `${name} off` }, { counted: true });
  builder.transition({ id: `turn ${name} off` }, { takes: [on], gives: [off] });
  builder.transition({ id: `turn ${name} on` }, { takes: [off], gives: [on] });
  return on;
}

const endedOf = ({ doors }: Around, task: number): number => doors[task]?.ended ?? 0;

interface Family {
  readonly count: number;
  readonly caps: readonly number[];
  readonly parent?: number;
  readonly depth?: number;
}

/** Lays the entry places of a family of tasks, parents before children, and returns the roots. */
function layDoors(around: Around, { count, caps, parent, depth = 0 }: Family): number[] {
  const { builder, draw, doors } = around;
  const family: number[] = [];
  for (let left = count; left > 0;) {
    const task = doors.length;
    const size = left > 3 && depth < DEPTH_MOST && draw(6) === 0 ? 2 + draw(Math.min(left - 2, 12)) : 1;
    const own = size > 1 && draw(2) === 0 ? [builder.place({ id: `${task} cap` }, { tokens: 1 + draw(3) })] : [];
    const ended = builder.place({ id: `${task} ended` });
    const door: Door = {
      waiting: builder.place({ id: `${task} waiting` }),
      entry: parent === undefined ? undefined : builder.place({ id: `${task} entry` }),
      edges: [],
      arrived: undefined,
      ended,
      endGives: [ended],
      parent,
      children: [],
      caps: [...caps, ...own],
    };
    doors.push(door);
    family.push(task);
    if (size > 1)
      door.children.push(...layDoors(around, { count: size - 1, caps: door.caps, parent: task, depth: depth + 1 }));
    left -= size;
  }
  return family;
}

/** Needs lead to earlier siblings, mostly near ones, sometimes to one that many tasks need. */
function layNeeds({ builder, draw, doors }: Around, isCycle: boolean): void {
  const siblings = new Map<number | undefined, number[]>();
  doors.forEach((door, task) => {
    const elders = siblings.get(door.parent) ?? [];
    siblings.set(door.parent, elders);
    const needs = new Set<number>();
    for (let count = draw(4); count > 0 && elders.length > 0; count -= 1) {
      const near = Math.max(0, elders.length - 1 - draw(20));
      needs.add(elders[draw(10) === 0 ? 0 : near] ?? 0);
    }
    elders.push(task);
    const of = [...needs];
    if (of.length > 1 && draw(4) === 0) {
      const place = builder.place({ id: `${task} arrived` });
      door.arrived = { place, of: of.length, needed: 1 + draw(of.length - 1) };
      for (const need of of) doors[need]?.endGives.push(place);
      return;
    }
    for (const need of of) addEdge(builder, { from: doors[need], to: door, id: `${need} → ${task}` });
  });
  const roots = doors.filter((door) => door.parent === undefined);
  if (!isCycle) return;
  addEdge(builder, { from: roots[0], to: roots.at(-1), id: 'first → last' });
  addEdge(builder, { from: roots.at(-1), to: roots[0], id: 'last → first' });
}

function addEdge(
  builder: NetBuilder<Named, Named>,
  { from, to, id }: { readonly from: Door | undefined; readonly to: Door | undefined; readonly id: string },
): void {
  const place = builder.place({ id });
  from?.endGives.push(place);
  to?.edges.push(place);
}

interface TaskParts {
  readonly task: number;
  readonly fault: PlanNetOptions['fault'];
}

function layTask(around: Around, { task, fault }: TaskParts): void {
  const { builder, doors } = around;
  const door = doors[task];
  if (door === undefined) return;
  const isSubplan = door.children.length > 0;
  const first = isSubplan
    ? door.children.map((child) => doors[child]?.entry ?? 0)
    : layWork(around, door, { task, fault });
  const takes = [door.waiting, ...(door.entry === undefined ? [] : [door.entry]), ...door.edges];
  const reads: ArcTo[] = door.arrived ? [[door.arrived.place, door.arrived.needed]] : [];
  builder.transition({ id: `open ${task}` }, { takes, gives: first, reads });
  builder.transition({ id: `drop ${task}` }, { takes, gives: isSubplan ? first : door.endGives, reads });
  builder.transition({ id: `cancel ${task}` }, { takes: [door.waiting], gives: [door.waiting] });
  if (isSubplan) {
    builder.transition(
      { id: `finish ${task}` },
      { takes: door.children.map((child) => endedOf(around, child)), gives: door.endGives },
    );
  }
}

/** Lays the steps, check and merge of one task; returns the places that its opening fills. */
function layWork(around: Around, door: Door, { task, fault }: TaskParts): readonly number[] {
  const { builder, draw, pools, going, mergeSlots } = around;
  const worked = builder.place({ id: `${task} worked` });
  const count = 1 + draw(4);
  const ready = Array.from({ length: count }, (_, step) => builder.place({ id: `${task}/${step} ready` }));
  // An async step starts together with the first step and is collected by a later one.
  const collector = count > 2 && draw(2) === 0 ? 2 + draw(count - 2) : undefined;
  const collected = builder.place({ id: `${task} collected` });
  const launched = builder.place({ id: `${task} launched` });
  if (collector === undefined) {
    // Unused places would be further sources, so they form a second path through the task.
    builder.transition({ id: `${task} pass` }, { takes: [launched], gives: [collected] });
  } else {
    layStep(around, door, { name: `${task}/async`, ready: [launched], next: [collected], fault: undefined });
  }
  const waitsAt = collector ?? count - 1;
  for (let step = 0; step < count; step += 1) {
    const takes = [ready[step] ?? 0, ...(step === waitsAt ? [collected] : [])];
    layStep(around, door, {
      name: `${task}/${step}`,
      ready: takes,
      next: [ready[step + 1] ?? worked],
      fault: step === 0 ? fault : undefined,
    });
  }
  const first = [ready[0] ?? 0, launched];
  const add = (id: string, takes: readonly ArcTo[], gives: readonly ArcTo[]): number =>
    builder.transition({ id: `${id} ${task}` }, { takes, gives });
  add('close', [worked], fault === 'missing-token' ? door.endGives.slice(1) : door.endGives);
  if (draw(2) === 0) add('repeat', [worked], first);
  const queued = builder.place({ id: `${task} queued` });
  if (draw(2) === 0) {
    const checking = builder.place({ id: `${task} checking` });
    builder.transition({ id: `check ${task}` }, { takes: [worked, ...door.caps], gives: [checking], reads: [going] });
    add('pass', [checking], [queued, ...door.caps]);
    if (waitsAt === count - 1) add('redo', [checking], [ready[count - 1] ?? 0, collected, ...door.caps]);
    add('cancel check', [checking], [checking]);
    add('return check', [checking], [worked, ...door.caps]);
  } else add('queue', [worked], [queued]);
  const merging = builder.place({ id: `${task} merging` });
  add('close queue', [queued], door.endGives);
  builder.transition(
    { id: `merge ${task}` },
    { takes: [queued, mergeSlots], gives: [merging], reads: [going, pools[0]?.open ?? going] },
  );
  add('requeue', [merging], [queued, mergeSlots]);
  add('end merge', [merging], [worked, mergeSlots]);
  return first;
}

interface StepParts {
  readonly name: string;
  readonly ready: readonly number[];
  readonly next: readonly number[];
  readonly fault: PlanNetOptions['fault'];
}

function layStep(
  { builder, draw, pools, going }: Around,
  { caps }: Door,
  { name, ready, next, fault }: StepParts,
): void {
  const working = builder.place({ id: `${name} working` });
  const pool = pools[draw(pools.length)];
  if (pool === undefined) return;
  const tokens = fault === 'too-much' ? pool.size + 1 : 1 + draw(pool.size);
  const held: readonly ArcTo[] = [...caps, [pool.place, tokens]];
  builder.transition(
    { id: `claim ${name}` },
    { takes: [...ready, ...held], gives: [working], reads: [going, pool.open] },
  );
  builder.transition(
    { id: `end ${name}` },
    { takes: [working], gives: [...next, ...(fault === 'lost-pool' ? caps : held)] },
  );
  builder.transition({ id: `return ${name}` }, { takes: [working], gives: [...ready, ...held] });
  builder.transition({ id: `cancel ${name}` }, { takes: [working], gives: [working] });
  builder.transition({ id: `drop ${name}` }, { takes: ready, gives: next });
  if (fault === 'holding-subplan')
    builder.transition({ id: `nest ${name}` }, { takes: [working, pool.place], gives: [working, pool.place] });
}
