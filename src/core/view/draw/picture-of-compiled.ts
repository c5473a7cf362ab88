// The net of a plan as a picture: places and transitions gathered by the task they belong to.
import type { Compiled } from '../../compile/compiled.ts';
import type { PlaceMeaning, TaskIndex, TransitionMeaning } from '../../compile/meaning.ts';
import { pictureOfNet } from './picture-of-net.ts';
import type { Picture, PictureOptions } from './picture.ts';

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
    case 'lane':
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
