// P1: the log is the only truth. Folding it from the start gives what the coordinator has, and time never goes back.
import { isDeepStrictEqual } from 'node:util';
import { fold } from '../../src/core/engine/apply/fold.ts';
import { snapshot, type State } from '../../src/core/engine/state.ts';
import type { Invariant, Sight } from './invariant.ts';

/** Every so many appends; a fold of the whole log at each would cost its square. */
const EVERY = 9;

export const sameFold: Invariant = {
  name: 'P1 the fold of the log is the state',
  watch: (sight, broken) => {
    let appends = 0;
    const compare = (one: State, other: State, what: string): void => {
      const [is, ought] = [snapshot(one), snapshot(other)];
      if (isDeepStrictEqual(is, ought)) return;
      const left = textOf(is);
      const right = textOf(ought);
      if (left !== right) broken(`${what}: ${difference(left, right)}`);
    };
    return {
      before: ({ at }) => {
        if (at < sight.state().run.now) broken(`An event is at ${at}, before the one at ${sight.state().run.now}.`);
      },
      decided: (own) => {
        appends += 1;
        if (appends % EVERY === 0) compare(own, sight.state(), 'The coordinator has another state than the log gives');
      },
      over: () => compare(folded(sight), sight.state(), 'A fold of the whole log gives another state'),
    };
  },
};

const folded = ({ events }: Sight): State => fold(events());

/** Absent and undefined are the same, and so is the order in which facts were noted. */
const textOf = (seen: unknown): string =>
  JSON.stringify(seen, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );

function difference(left: string, right: string): string {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 120), at + 80);
  return `…${around(left)}… is not …${around(right)}…`;
}
