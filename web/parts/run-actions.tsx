// What can be done with the whole run.
import type { ReactNode } from 'react';
import { useRunView } from '../store/use-app.ts';
import { ActionButton } from './action-button.tsx';

export function RunActions(): ReactNode {
  const { run, status } = useRunView();
  const { stage, counts } = status;
  const tasks: readonly string[] = [];
  const canRetry = counts.failed + counts.cancelled > 0;
  return (
    <div className="actions">
      {stage === 'paused' && (
        <ActionButton label="Resume" style="primary" command={{ type: 'resume', tasks }} cli={`resume ${run}`} />
      )}
      {stage === 'going' && <ActionButton label="Pause" command={{ type: 'pause', tasks }} cli={`pause ${run}`} />}
      {stage === 'going' && (
        <ActionButton label="Stop" asksAgain command={{ type: 'stop', tasks }} cli={`stop ${run}`} />
      )}
      {canRetry && <ActionButton label="Retry failed" command={{ type: 'retry', tasks }} cli={`retry ${run}`} />}
      {stage !== 'ended' && (
        <ActionButton
          label="Cancel"
          style="danger"
          asksAgain
          command={{ type: 'cancel', tasks }}
          cli={`cancel ${run}`}
        />
      )}
    </div>
  );
}
