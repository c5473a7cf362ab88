// What can be done with the whole run.
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useApp, useRunView } from '../store/use-app.ts';
import { ActionButton } from '../parts/action-button.tsx';

const AmendSheet = lazy(async () => ({ default: (await import('./amend-sheet.tsx')).AmendSheet }));
const LandSheet = lazy(async () => ({ default: (await import('./land-sheet.tsx')).LandSheet }));

export function RunActions(): ReactNode {
  const { status, isLive } = useRunView();
  const isReadOnly = useApp().dashboard.runs?.isReadOnly === true;
  const canChange = isLive && !isReadOnly;
  const { stage, counts } = status;
  const tasks: readonly string[] = [];
  const [open, setOpen] = useState<'amend' | 'land'>();
  const close = (): void => setOpen(undefined);
  const canRetry = counts.failed + counts.cancelled > 0;
  return (
    <div className="actions">
      {stage === 'paused' && <ActionButton label="Resume" style="primary" command={{ type: 'resume', tasks }} />}
      {stage === 'going' && <ActionButton label="Pause" command={{ type: 'pause', tasks }} />}
      {stage === 'going' && <ActionButton label="Stop" asksAgain command={{ type: 'stop', tasks }} />}
      {canRetry && <ActionButton label="Retry failed" command={{ type: 'retry', tasks }} />}
      {stage !== 'ended' && (
        <ActionButton label="Cancel" style="danger" asksAgain command={{ type: 'cancel', tasks }} />
      )}
      {canChange && (
        <button type="button" className="button" onClick={() => setOpen('amend')}>
          Amend …
        </button>
      )}
      {canChange && status.sandboxes !== undefined && (
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
