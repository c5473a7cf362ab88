import { at } from '../../net/at.ts';
import type { Exploration } from './explore.ts';

/**
 * The sets of markings that, once entered, are never left and within which every marking leads to every other.
 * Tarjan's walk, with its own stack because a net can be millions of steps deep. Ordered by their first marking.
 */
export function lastComponents({ expanded, firstStep, stepTo }: Exploration): readonly (readonly number[])[] {
  const order = new Int32Array(expanded).fill(-1);
  const low = new Int32Array(expanded);
  const component = new Int32Array(expanded).fill(-1);
  const nextStep = firstStep.slice(0, expanded);
  const open: number[] = [];
  const path: number[] = [];
  const found: number[][] = [];
  let met = 0;
  const enter = (index: number): void => {
    order[index] = met;
    low[index] = met;
    met += 1;
    open.push(index);
    path.push(index);
  };
  const leave = (index: number): void => {
    path.pop();
    const above = path.at(-1);
    if (above !== undefined) low[above] = Math.min(at(low, above), at(low, index));
    if (at(low, index) !== at(order, index)) return;
    const members: number[] = [];
    for (let member = open.pop(); member !== undefined; member = member === index ? undefined : open.pop()) {
      component[member] = found.length;
      members.push(member);
    }
    found.push(members);
  };
  if (expanded > 0) enter(0);
  for (let index = path.at(-1); index !== undefined; index = path.at(-1)) {
    const step = at(nextStep, index);
    if (step === at(firstStep, index + 1)) {
      leave(index);
      continue;
    }
    nextStep[index] = step + 1;
    const to = at(stepTo, step);
    if (at(order, to) < 0) enter(to);
    else if (at(component, to) < 0) low[index] = Math.min(at(low, index), at(order, to));
  }
  const isLast = (members: readonly number[], id: number): boolean =>
    members.every((index) =>
      stepTo.subarray(at(firstStep, index), at(firstStep, index + 1)).every((to) => at(component, to) === id),
    );
  const first = (members: readonly number[]): number => members.reduce((one, other) => Math.min(one, other));
  return found.filter(isLast).sort((one, other) => first(one) - first(other));
}
