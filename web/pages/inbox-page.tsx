// Everything that waits for a person, over all runs: one card for each question, to be answered in place. Made for a phone.
import { useState, type ReactNode } from 'react';
import type { InboxItem } from '../../src/core/protocol/web.ts';
import { EmptyState, LoadingState } from '../parts/empty-state.tsx';
import { useApp } from '../store/use-app.ts';
import { InboxCard } from '../inbox/inbox-card.tsx';

const keyOf = ({ project, run, type, task, step, attempt }: InboxItem): string =>
  JSON.stringify([project, run, type, task, step, attempt]);

export function InboxPage(): ReactNode {
  const { inbox } = useApp().dashboard;
  const [answered, setAnswered] = useState<ReadonlyMap<string, InboxItem>>(new Map());
  if (inbox === undefined) return <LoadingState title="Looking for questions …" />;
  const open = new Set(inbox.items.map(keyOf));
  // A card that was answered here stays until the page is left, and says what happened.
  const gone = [...answered].filter(([key]) => !open.has(key)).map(([, item]) => item);
  const items = [...inbox.items, ...gone];
  return (
    <div className="page inbox">
      <h1>Inbox</h1>
      {items.length === 0 ? (
        <EmptyState title="Nothing waits for you">
          <p>Questions of agents, gates, permissions, conflicts and ceilings of all runs appear here by themselves.</p>
        </EmptyState>
      ) : (
        <ul className="cards">
          {items.map((item) => (
            <li key={keyOf(item)}>
              <InboxCard
                item={item}
                isOpen={open.has(keyOf(item))}
                onAnswered={() => setAnswered((all) => new Map(all).set(keyOf(item), item))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
