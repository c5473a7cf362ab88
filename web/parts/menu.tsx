// A few actions behind one button. Escape, a choice and a click elsewhere close it.
import { useEffect, useRef, type ReactNode } from 'react';

interface MenuProps {
  readonly label: string;
  readonly children: ReactNode;
}

export function Menu({ label, children }: MenuProps): ReactNode {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (): void => menu.current?.removeAttribute('open');
  useEffect(() => {
    const onDown = ({ target }: PointerEvent): void => {
      if (target instanceof Node && menu.current?.contains(target) === false) close();
    };
    document.addEventListener('pointerdown', onDown);
    return () => document.removeEventListener('pointerdown', onDown);
  }, []);
  return (
    <details
      ref={menu}
      className="menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || menu.current?.open !== true) return;
        event.stopPropagation();
        close();
        menu.current.querySelector('summary')?.focus();
      }}
    >
      <summary className="button">
        {label} <span aria-hidden="true">▾</span>
      </summary>
      <div className="menu-items" onClick={close}>
        {children}
      </div>
    </details>
  );
}
