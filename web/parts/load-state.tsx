// What stands in the place of a reply that is not here: on its way, refused, or the server is away.
import type { ReactNode } from 'react';
import { EmptyState, LoadingState } from './empty-state.tsx';
import type { Loaded } from './use-load.ts';

interface LoadStateProps {
  readonly loaded: Exclude<Loaded<unknown>, { type: 'ready' }>;
  /** What is loaded, as in "Reading the diff". */
  readonly what: string;
  /** Words for codes of this reply. */
  readonly refusals?: Readonly<Record<string, string>>;
}

export function LoadState({ loaded, what, refusals = {} }: LoadStateProps): ReactNode {
  switch (loaded.type) {
    case 'loading':
      return <LoadingState title={`Reading ${what} …`} />;
    case 'away':
      return <EmptyState title={`The server is away, so ${what} cannot be read.`} />;
    case 'refused': {
      const { code } = loaded.error;
      return <EmptyState title={refusals[code] ?? `The server cannot give ${what} (${code}).`} />;
    }
  }
}
