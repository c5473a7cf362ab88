// A dialog over the page. Escape closes it, and the focus stays inside while it is open.
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Icon } from './icons.tsx';

interface SheetProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function Sheet({ title, onClose, isWide = false, children }: SheetProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className={isWide ? 'sheet sheet-wide' : 'sheet'} onClose={onClose} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className="quiet-button" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}
