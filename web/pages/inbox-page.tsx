// Everything that waits for a person, over all runs: one card for each question, to be answered in place. Made for a phone.
import { useEffect, useState, type ReactNode } from 'react';
import type { InboxItem } from '../../src/core/protocol/web.ts';
import { EmptyState, LoadingState } from '../parts/empty-state.tsx';
import { SaveView } from '../parts/save-view.tsx';
import { useApp } from '../store/use-app.ts';
import { InboxCard } from './inbox-card.tsx';

const keyOf = ({ project, run, type, task, step, attempt }: InboxItem): string =>
  JSON.stringify([project, run, type, task, step, attempt]);

/** Cards that are over stay in sight, so that the page says what became of them; older ones go. */
const OVER_MAX = 20;

export function InboxPage(): ReactNode {
  const { inbox } = useApp().dashboard;
  const [seen, setSeen] = useState<ReadonlyMap<string, InboxItem>>(new Map());
  const items = inbox?.items;
  useEffect(() => {
    if (items !== undefined) setSeen((last) => seenWith(last, items));
  }, [items]);
  if (items === undefined) return <LoadingState title="Looking for questions …" />;
  const open = new Set(items.map(keyOf));
  const over = [...seen].filter(([key]) => !open.has(key)).map(([, item]) => item);
  const shown = [...items, ...over];
  return (
    <div className="page inbox">
      <header className="page-head">
        <h1>Inbox</h1>
        <SaveView name="inbox" data={() => items} />
      </header>
      {shown.length === 0 ? (
        <EmptyState title="Nothing waits for you">
          <p>Questions of agents, gates, permissions, conflicts and ceilings of all runs appear here by themselves.</p>
        </EmptyState>
      ) : (
        <ul className="cards">
          {shown.map((item) => (
            <li key={keyOf(item)}>
              <InboxCard item={item} isOpen={open.has(keyOf(item))} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function seenWith(seen: ReadonlyMap<string, InboxItem>, items: readonly InboxItem[]): ReadonlyMap<string, InboxItem> {
  const open = new Map(items.map((item) => [keyOf(item), item]));
  const over = [...seen].filter(([key]) => !open.has(key)).slice(-OVER_MAX);
  return new Map([...over, ...open]);
}
