// The keys of the page and of what it shows, opened by `?`.
import type { ReactNode } from 'react';
import { Sheet } from '../parts/sheet.tsx';
import type { Page } from '../pages/page-table.ts';

const GLOBAL_KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['1 … 9', 'pages, in the order of the navigation'],
  ['i r', 'inbox, runs'],
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

export const HelpSheet = ({ page, onClose }: HelpSheetProps): ReactNode => (
  <Sheet title="Keys" onClose={onClose}>
    <KeyList title="Everywhere" keys={GLOBAL_KEYS} />
    {page?.keys !== undefined && <KeyList title={page.title} keys={page.keys} />}
  </Sheet>
);

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
