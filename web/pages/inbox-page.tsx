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
  // Before the effect above has run for the first time.
  const shown = seen.size === 0 ? items : [...seen.values()];
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

/** Each card keeps its place, so that no other one is under the finger that has just answered it; new ones come last. */
function seenWith(seen: ReadonlyMap<string, InboxItem>, items: readonly InboxItem[]): ReadonlyMap<string, InboxItem> {
  const open = new Map(items.map((item) => [keyOf(item), item]));
  const all = new Map([...seen, ...open]);
  const over = [...all.keys()].filter((key) => !open.has(key));
  for (const key of over.slice(0, -OVER_MAX)) all.delete(key);
  return all;
}
