// A program that folds the logs of a store and prints the state of each, in any folder and at any time.
import { fold } from '../../src/core/engine/apply/fold.ts';
import { snapshot, type State } from '../../src/core/engine/state.ts';
import { openStore } from '../../src/shell/store/open-store.ts';

export const FOLD_ELSEWHERE = import.meta.filename;

/** All that the log determines of a state; absent and undefined are the same, and the order of fields does not matter. */
export const textOf = (state: State): string =>
  JSON.stringify(snapshot(state), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );

/** The snapshots of the runs whose names are given, one line each. */
export function foldedIn(home: string, runs: readonly string[]): readonly string[] {
  const opened = openStore(home, { mode: 'read', clock: { now: () => Date.now(), monotonic: () => 0 } });
  if (opened.type === 'failed') throw new Error(opened.failure.code);
  const { store } = opened;
  const lines = runs.map((run) => {
    const { events, failure } = store.eventsFrom(run, 0);
    if (failure !== undefined) throw new Error(failure.code);
    return textOf(fold(events));
  });
  store.close();
  return lines;
}

if (import.meta.main) {
  const [home = '', offsetMs = '0', ...runs] = process.argv.slice(2);
  const real = Date.now;
  Date.now = () => real() + Number(offsetMs);
  process.stdout.write(foldedIn(home, runs).join('\n'));
}
