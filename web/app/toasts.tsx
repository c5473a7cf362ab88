// Replies to actions, in a corner, until they have been read.
import type { ReactNode } from 'react';
import { Icon } from '../parts/icons.tsx';
import type { Message } from '../store/use-app.ts';

export interface Toast extends Message {
  readonly id: number;
}

const SIGNS = { good: '✓', bad: '✗', warn: '!' } as const;

interface ToastsProps {
  readonly toasts: readonly Toast[];
  readonly onClose: (id: number) => void;
}

export const Toasts = ({ toasts, onClose }: ToastsProps): ReactNode => (
  <div className="toasts" role="status" aria-live="polite">
    {toasts.map(({ id, style, text }) => (
      <div key={id} className={`toast toast-${style}`}>
        <span aria-hidden="true">{SIGNS[style]}</span>
        <p>{text}</p>
        <button type="button" className="quiet-button" aria-label="Close" onClick={() => onClose(id)}>
          <Icon name="close" />
        </button>
      </div>
    ))}
  </div>
);
