import { assert } from '../assert.ts';

/** Reads an array at an index that the caller knows to lie inside it; costs nothing once compiled. */
export function at(array: Int32Array, index: number): number {
  const value = array[index];
  assert(value !== undefined, 'An index of a net lies outside its array.');
  return value;
}
