// The progress of a run as one sentence.
import type { State } from '../../engine/state.ts';
import { formatDuration, formatMoney } from '../chart/format.ts';
import { TASK_STATES } from '../run/stage.ts';
import { statusOf } from '../run/run-status.ts';

const NAMED_MAX = 5;

export function runText(state: State): string {
  const { counts, total, spend, elapsedMs, failures } = statusOf(state, {
    now: state.run.now,
    given: { inputs: {}, env: {} },
  });
  const rest = TASK_STATES.filter((each) => each !== 'completed' && counts[each] > 0).map(
    (each) => `, ${counts[each]} ${each}`,
  );
  const spent = spend.spent.usd === 0 ? '' : ` for ${formatMoney(spend.spent.usd)}`;
  const named = failures.slice(0, NAMED_MAX).map(({ task }) => task);
  const more = counts.failed - named.length;
  const whom = named.length === 0 ? '' : ` Failed: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
  return `${counts.completed} of ${total} ${total === 1 ? 'task' : 'tasks'} done${rest.join('')} after ${formatDuration(elapsedMs)}${spent}.${whom}`;
}
