// Which runs a server takes up: those that no living process has, and that something can move.
import { waitsFor } from '../../core/engine/step/coordinator-state.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import type { Store } from '../../shell/ports/store.ts';
import { foldRun } from '../fold-run.ts';

/** `isVacant`: no living process owns the run. */
export function isToTakeUp(store: Store, record: RunRecord, isVacant: boolean): boolean {
  const { run } = record;
  // Whoever drafts a plan waits for it, and coordinates it.
  if (!isVacant || record.purpose === 'draft') return false;
  if (store.unanswered(run) > 0) return true;
  // Nobody has owned it yet, or its owner died before it released the run.
  if (store.ownersOf(run) === 0 || store.ownerOf(run) !== undefined) return true;
  return !hasEnded(store, run) && waitsFor(foldRun(store, record).state) === undefined;
}

/** Without reading the whole log. */
export function hasEnded(store: Store, run: string): boolean {
  const end = store.endOf(run);
  return end > 0 && store.textsFrom(run, end - 1, 1).texts.at(0)?.type === 'run.ended';
}

/** Differs when something has happened to a run that no process of this machine has to be asked for. */
export const stampOf = (store: Store, { run }: RunRecord): string =>
  [store.endOf(run), store.ownersOf(run), store.ownerOf(run)?.epoch ?? '', store.unanswered(run)].join(' ');
