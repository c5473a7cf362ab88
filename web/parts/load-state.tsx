// What stands in the place of a reply that is not here: on its way, refused, or the server is away.
import type { ReactNode } from 'react';
import { webErrorText } from '../../src/core/view/text/web-error-text.ts';
import { EmptyState, LoadingState } from './empty-state.tsx';
import type { Loaded } from './use-load.ts';

interface LoadStateProps {
  readonly loaded: Exclude<Loaded<unknown>, { type: 'ready' }>;
  /** What is loaded, as in "Reading the diff". */
  readonly what: string;
}

export function LoadState({ loaded, what }: LoadStateProps): ReactNode {
  switch (loaded.type) {
    case 'loading':
      return <LoadingState title={`Reading ${what} …`} />;
    case 'away':
      return <EmptyState title={`The server is away, so ${what} cannot be read.`} />;
    case 'refused':
      return <EmptyState title={webErrorText(loaded.error)} />;
  }
}
