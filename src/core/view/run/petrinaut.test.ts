import { expect, test } from 'vitest';
import { given } from '../../engine/run.given.ts';
import type { PetrinautLine } from '../../protocol/web.ts';
import { openPetrinaut } from './petrinaut.ts';

/** Plays the firings on the markings, as a viewer does. */
function played(lines: readonly PetrinautLine[]): Map<string, number> {
  const tokens = new Map<string, number>();
  const add = (place: string, count: number): void => void tokens.set(place, (tokens.get(place) ?? 0) + count);
  let net: Extract<PetrinautLine, { type: 'definition' }>['definition'] | undefined;
  for (const line of lines) {
    if (line.type === 'definition') net = line.definition;
    if (line.type === 'marking') tokens.clear();
    if (line.type === 'marking') for (const [place, count] of Object.entries(line.marking)) add(place, count);
    if (line.type !== 'firing') continue;
    const fired = net?.transitions.find(({ id }) => id === line.transition);
    for (const { placeId, weight } of fired?.inputArcs ?? []) add(placeId, -weight);
    for (const { placeId, weight } of fired?.outputArcs ?? []) add(placeId, weight);
  }
  return tokens;
}

test('a viewer that plays the firings reaches the marking of the run, and no count is ever negative', () => {
  const run = given('a: { run: x }\nb: { needs: [a], run: x }\nc: { gate: Go? }', { plan: 'attempts: 1' });
  run.says('a', 'crashed');
  run.retry('a');
  run.says('a', 'done');
  const play = openPetrinaut();
  const lines = run.log.flatMap((event) => play.take(event));
  expect(play.hasEnded()).toBe(false);
  expect(lines.map(({ type }) => type).slice(0, 2)).toEqual(['definition', 'marking']);
  expect(lines.filter(({ type }) => type === 'marking')).toHaveLength(2);
  const tokens = played(lines);
  const state = run.state();
  const expected = state.compiled.net.places.map(({ id }, place) => [id, state.play.marking.counts[place] ?? 0]);
  expect(expected.map(([id]) => [id, tokens.get(String(id)) ?? 0])).toEqual(expected);
  expect(lines.filter(({ type }) => type === 'firing').length).toBe(run.log.length - 2);
});
