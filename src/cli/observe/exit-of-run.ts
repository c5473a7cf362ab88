// The exit code of a run.
import type { State } from '../../core/engine/state.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import type { Coordinated } from '../../app/run/coordinate.ts';

export function exitCodeOf({ over, wasInterrupted }: Coordinated): ExitCode {
  switch (over.type) {
    case 'ended':
      return ofEnded(over.state);
    case 'stopped':
      return wasInterrupted ? EXIT.interrupted : EXIT.waiting;
    case 'waiting':
    case 'failed':
    case 'fenced':
      return EXIT.waiting;
  }
}

/** The plan asked for a race, so a loser is no failure. */
function ofEnded({ tasks }: State): ExitCode {
  const bad = tasks.filter(
    ({ ended }) => ended?.ending === 'failed' || (ended?.ending === 'cancelled' && ended.reason !== 'race'),
  );
  if (bad.length === 0) return EXIT.done;
  return bad.some(({ ended }) => ended?.reason === 'cost') ? EXIT.ceiling : EXIT.someFailed;
}
