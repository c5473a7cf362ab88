// A net in the usual notation: round places, transitions as boxes, weights on arcs, dashed reads, initial tokens. A
// place that nearly every transition touches, such as a pool, would make the picture unreadable. It is drawn apart, and
// each transition states as text the tokens that it takes from it and gives to it.
// The net of a plan has its places and transitions gathered by the task they belong to.
import { chooseDirection } from './depth.ts';
import { foldPicture } from './fold-picture.ts';
import {
  addToList,
  type EdgeKind,
  type Picture,
  type PictureEdge,
  type PictureGroup,
  type PictureNode,
  type PictureOptions,
} from './picture.ts';
import { shorten } from './label.ts';
import type { Arcs, Named, Net } from '../../net/net.ts';
import type { Compiled } from '../../compile/compiled.ts';
import type { PlaceMeaning, TaskIndex, TransitionMeaning } from '../../compile/meaning.ts';

const NAME_CHARACTERS_MAX = 40;
const WORDS_MAX = 6;
const DOTS_MAX = 4;
const ARCS_MAX_DEFAULT = 8;
const SHARED = 'shared places';

/** The path of a group from the outside in: `['reviews', 'security']`; empty at the top. */
interface NetPictureOptions<P extends Named, T extends Named> extends PictureOptions {
  readonly title?: string;
  /** A place with more arcs than this is drawn apart. */
  readonly arcsMax?: number;
  readonly groupOfPlace?: (place: P) => readonly string[];
  readonly groupOfTransition?: (transition: T) => readonly string[];
  readonly labelOfPlace?: (place: P) => string;
  readonly labelOfTransition?: (transition: T) => string;
}

export function pictureOfNet<P extends Named, T extends Named>(
  net: Net<P, T>,
  options: NetPictureOptions<P, T> = {},
): Picture {
  const arcs = arcsOf(net);
  const shared = sharedPlaces(net, arcs, options.arcsMax ?? ARCS_MAX_DEFAULT);
  const drawn: DrawnNet = { groups: new Map(), ids: new Map() };
  const places = net.places.map((place, index): PictureNode => {
    const isShared = shared.has(index);
    const way = isShared ? [SHARED] : (options.groupOfPlace?.(place) ?? []);
    const name = options.labelOfPlace?.(place) ?? place.id;
    const label = [shorten(name, NAME_CHARACTERS_MAX), ...tokensOf(net.initial[index] ?? 0)];
    const kind = 'place' as const;
    addToList(drawn.ids, place.id, placeId(index));
    return { id: placeId(index), label, kind, group: enter(drawn, way), optional: false, standsFor: 1 };
  });
  const words = wordsOf(net, arcs, shared);
  const transitions = net.transitions.map((transition, index): PictureNode => {
    const name = options.labelOfTransition?.(transition) ?? transition.id;
    const label = [shorten(name, NAME_CHARACTERS_MAX), ...(words.get(index) ?? [])];
    const group = enter(drawn, options.groupOfTransition?.(transition) ?? []);
    addToList(drawn.ids, transition.id, transitionId(index));
    return { id: transitionId(index), label, kind: 'transition', group, optional: false, standsFor: 1 };
  });
  const whole: Picture = {
    title: options.title ?? 'net',
    direction: 'down',
    unit: { one: 'place or transition', many: 'places and transitions' },
    nodes: [...places, ...transitions],
    edges: arcs.filter(({ place }) => !shared.has(place)).map(edgeOf),
    groups: [...drawn.groups.values()],
  };
  const expand = new Set([...(options.expand ?? [])].flatMap((name) => drawn.ids.get(name) ?? [name]));
  const folded = foldPicture(whole, { ...options, expand });
  return { ...folded, direction: options.direction ?? chooseDirection(folded) };
}

/** Filled while places and transitions are drawn; it never leaves this file. */
interface DrawnNet {
  readonly groups: Map<string, PictureGroup>;
  /** Names by which a part can be expanded: ids in the net, and dotted paths of groups. */
  readonly ids: Map<string, string[]>;
}

const placeId = (index: number): string => `place ${index}`;
const transitionId = (index: number): string => `transition ${index}`;

interface Arc {
  readonly type: 'takes' | 'gives' | 'reads';
  readonly place: number;
  readonly transition: number;
  readonly weight: number;
}

function arcsOf(net: Net): Arc[] {
  const kinds: readonly (readonly [Arc['type'], Arcs])[] = [
    ['takes', net.takes],
    ['reads', net.reads],
    ['gives', net.gives],
  ];
  const found: Arc[] = [];
  for (const transition of net.transitions.keys()) {
    for (const [type, arcs] of kinds) {
      for (let at = arcs.start[transition] ?? 0; at < (arcs.start[transition + 1] ?? 0); at++) {
        found.push({ type, place: arcs.place[at] ?? 0, transition, weight: arcs.weight[at] ?? 1 });
      }
    }
  }
  return found;
}

function sharedPlaces(net: Net, arcs: readonly Arc[], arcsMax: number): Set<number> {
  const touched = new Int32Array(net.places.length);
  for (const { place } of arcs) touched[place] = (touched[place] ?? 0) + 1;
  return new Set([...net.places.keys()].filter((place) => (touched[place] ?? 0) > arcsMax));
}

/** The use of shared places by each transition, as text. */
function wordsOf(net: Net, arcs: readonly Arc[], shared: ReadonlySet<number>): Map<number, string[]> {
  const words = new Map<number, string[]>();
  for (const { type, place, transition, weight } of arcs) {
    if (!shared.has(place)) continue;
    const name = net.places[place]?.id ?? '';
    addToList(words, transition, shorten(`${type} ${weight > 1 ? `${weight} ` : ''}${name}`, NAME_CHARACTERS_MAX));
  }
  for (const [transition, lines] of words) {
    if (lines.length <= WORDS_MAX) continue;
    words.set(transition, [...lines.slice(0, WORDS_MAX - 1), `… ${lines.length - WORDS_MAX + 1} more arcs`]);
  }
  return words;
}

function tokensOf(tokens: number): string[] {
  if (tokens === 0) return [];
  return [tokens <= DOTS_MAX ? '●'.repeat(tokens) : `● ×${tokens}`];
}

function edgeOf({ type, place, transition, weight }: Arc): PictureEdge {
  const label = weight > 1 ? String(weight) : undefined;
  const kind: EdgeKind = type === 'reads' ? 'read' : 'flow';
  const [from, to] =
    type === 'gives' ? [transitionId(transition), placeId(place)] : [placeId(place), transitionId(transition)];
  return { from, to, label, kind, count: 1 };
}

/** Creates the missing groups along a path, and returns the id of the innermost. */
function enter({ groups, ids }: DrawnNet, way: readonly string[]): string | undefined {
  let around: string | undefined;
  for (const [depth, name] of way.entries()) {
    const id = `group ${JSON.stringify(way.slice(0, depth + 1))}`;
    if (!groups.has(id)) {
      groups.set(id, { id, label: shorten(name, NAME_CHARACTERS_MAX), group: around });
      addToList(ids, way.slice(0, depth + 1).join('.'), id);
    }
    around = id;
  }
  return around;
}

export function pictureOfCompiled(compiled: Compiled, options: PictureOptions): Picture {
  const ways: (readonly string[])[] = [];
  for (const { task, parent } of compiled.tasks)
    ways.push([...(parent === undefined ? [] : (ways[parent] ?? [])), task.id]);
  const wayOf = (task: TaskIndex | undefined): readonly string[] => (task === undefined ? [] : (ways[task] ?? []));
  return pictureOfNet(compiled.net, {
    ...options,
    title: compiled.plan.name,
    groupOfPlace: (place) => wayOf(taskOfPlace(place)),
    groupOfTransition: (transition) => wayOf(taskOfTransition(transition)),
    labelOfPlace: (place) => labelOfPlace(compiled, place),
    labelOfTransition: (transition) => labelOfTransition(compiled, transition),
  });
}

const taskOfPlace = (place: PlaceMeaning): TaskIndex | undefined => ('task' in place ? place.task : undefined);
const taskOfTransition = (transition: TransitionMeaning): TaskIndex | undefined =>
  'task' in transition ? transition.task : undefined;

/** Inside the box of its task, a place shows only its stage, and its step where there are several. */
function labelOfPlace({ tasks }: Compiled, place: PlaceMeaning): string {
  switch (place.type) {
    case 'task':
      return place.stage;
    case 'entry':
    case 'arrived':
      return place.type;
    case 'step': {
      const steps = tasks[place.task]?.steps ?? [];
      return steps.length === 1 ? place.stage : `${steps[place.step]?.step.id ?? ''} ${place.stage}`;
    }
    case 'collect':
    case 'edge':
    case 'cap':
    case 'pool':
    case 'switch':
    case 'merge-slots':
    case 'holds':
    case 'source':
    case 'sink':
      return place.id;
  }
}

function labelOfTransition({ tasks }: Compiled, transition: TransitionMeaning): string {
  if (transition.type === 'task') return transition.transition;
  if (transition.type !== 'step') return transition.id;
  const steps = tasks[transition.task]?.steps ?? [];
  return steps.length === 1
    ? `${transition.transition} step`
    : `${transition.transition} ${steps[transition.step]?.step.id ?? ''}`;
}
