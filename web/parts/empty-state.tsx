// What a page shows instead of content: what is the case, and the command that helps.
import type { ReactNode } from 'react';
import { CopyAsCli } from './copy-as-cli.tsx';

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly command?: string;
  /** Announced at once to screen readers. */
  readonly isAlert?: boolean;
}

export const EmptyState = ({ title, children, command, isAlert = false }: EmptyStateProps): ReactNode => (
  <div className="empty-state" role={isAlert ? 'alert' : undefined}>
    <h2>{title}</h2>
    {children}
    {command !== undefined && <CopyAsCli command={command} />}
  </div>
);

/** Something is on its way. */
export const LoadingState = ({ title }: { readonly title: string }): ReactNode => (
  <div className="empty-state" role="status">
    <span className="spinner" aria-hidden="true" />
    <p>{title}</p>
  </div>
);
