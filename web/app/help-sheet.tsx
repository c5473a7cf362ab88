// The keys of the page and of what it shows, opened by `?`.
import { useEffect, useRef, type ReactNode } from 'react';
import { Icon } from '../parts/icons.tsx';
import type { Page } from '../pages/page-table.ts';

export const GLOBAL_KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['1 … 9', 'pages, in the order of the navigation'],
  ['Space', 'play, pause the replay'],
  ['[ ]', 'one event back, one event on'],
  ['f q m a', 'next failure, question, merge, amendment; with Shift the one before'],
  ['l', 'live: the end of the log'],
  ['Esc', 'close what is open'],
  ['?', 'this sheet'],
];

interface HelpSheetProps {
  readonly page: Page | undefined;
  readonly onClose: () => void;
}

export function HelpSheet({ page, onClose }: HelpSheetProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="sheet" onClose={onClose} aria-labelledby="help-title">
      <header>
        <h2 id="help-title">Keys</h2>
        <button type="button" className="quiet-button" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      <KeyList title="Everywhere" keys={GLOBAL_KEYS} />
      {page?.keys !== undefined && <KeyList title={page.title} keys={page.keys} />}
    </dialog>
  );
}

interface KeyListProps {
  readonly title: string;
  readonly keys: readonly (readonly [keys: string, does: string])[];
}

const KeyList = ({ title, keys }: KeyListProps): ReactNode => (
  <section>
    <h3>{title}</h3>
    <dl className="keys">
      {keys.map(([key, does]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </section>
);
