// What can be done with the whole run.
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useRunView } from '../store/use-app.ts';
import { ActionButton } from '../parts/action-button.tsx';

const AmendSheet = lazy(async () => ({ default: (await import('./amend-sheet.tsx')).AmendSheet }));
const LandSheet = lazy(async () => ({ default: (await import('./land-sheet.tsx')).LandSheet }));

export function RunActions(): ReactNode {
  const { run, status, isLive } = useRunView();
  const { stage, counts } = status;
  const tasks: readonly string[] = [];
  const [open, setOpen] = useState<'amend' | 'land'>();
  const close = (): void => setOpen(undefined);
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
      {isLive && (
        <button type="button" className="button" onClick={() => setOpen('amend')}>
          Amend …
        </button>
      )}
      {isLive && status.sandboxes !== undefined && (
        <button type="button" className="button" onClick={() => setOpen('land')}>
          Land …
        </button>
      )}
      <Suspense fallback={null}>
        {open === 'amend' && <AmendSheet onClose={close} />}
        {open === 'land' && <LandSheet onClose={close} />}
      </Suspense>
    </div>
  );
}
