// Which run a command is about: the one named, else the latest.
import { nearest } from '../core/plan/language/nearest-name.ts';
import type { RunRecord, Store } from '../shell/ports.ts';
import { Failure } from './failure.ts';

export function chooseRun(store: Store, named: string | undefined): RunRecord {
  const record = named === undefined ? store.runs().at(-1) : store.find(named);
  if (record !== undefined) return record;
  if (named === undefined) throw new Failure('There is no run here yet. Start one with heddle run plan.yaml.');
  const runs = store.runs().map(({ run }) => run);
  const like = nearest(named, runs);
  const hint =
    like === undefined ? (runs.length === 0 ? '' : ` The latest is ${runs.at(-1)}.`) : ` Did you mean ${like}?`;
  throw new Failure(`There is no run ${named} here.${hint}`);
}
