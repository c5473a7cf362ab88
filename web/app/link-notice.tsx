// Says when the server is away, and what to do about it.
import { useEffect, useState, type ReactNode } from 'react';
import { webErrorText } from '../../src/core/view/text/web-error-text.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { useApp } from '../store/use-app.ts';

/** A blink of the connection is no news. */
const SAID_AFTER_MS = 1500;

export function LinkNotice(): ReactNode {
  const { link } = useApp().dashboard;
  const isAway = useLasting(link.type === 'away', SAID_AFTER_MS);
  if (link.type === 'refused' && link.status === 401)
    return (
      <EmptyState title="This tab has no access" isAlert command="heddle web">
        <p>{webErrorText(link.error)} As soon as another tab of this browser has it, this one goes on.</p>
      </EmptyState>
    );
  if (link.type === 'refused')
    return (
      <EmptyState title={webErrorText(link.error)} isAlert>
        <p>
          <a href="#/runs">All runs</a>
        </p>
      </EmptyState>
    );
  if (!isAway) return null;
  return (
    <p className="notice notice-away" role="status">
      The server is away. The page shows what it last knew and goes on by itself when the server is back.
    </p>
  );
}

/** Whether something has been the case for so long. */
function useLasting(is: boolean, ms: number): boolean {
  const [has, setHas] = useState(false);
  useEffect(() => {
    if (!is) return setHas(false);
    const timer = setTimeout(() => setHas(true), ms);
    return () => clearTimeout(timer);
  }, [is, ms]);
  return is && has;
}
