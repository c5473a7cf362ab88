// The subplans of the plan as buttons that fold and unfold them in the picture, for keys and screen readers.
import { useState, type ReactNode } from 'react';
import type { PictureGroup } from '../../src/core/view/draw/picture.ts';

interface FoldListProps {
  /** Outer before inner. */
  readonly groups: readonly PictureGroup[];
  readonly folded: ReadonlySet<string>;
  readonly onToggle: (group: string) => void;
  readonly onAll: (isFolded: boolean) => void;
}

const SHOWN_MAX = 24;

export function FoldList({ groups, folded, onToggle, onAll }: FoldListProps): ReactNode {
  const [most, setMost] = useState(SHOWN_MAX);
  if (groups.length === 0) return null;
  return (
    <section className="fold-list" aria-label="Subplans">
      <header>
        <h2 className="small-heading">Subplans</h2>
        <button type="button" className="quiet-button" disabled={folded.size === 0} onClick={() => onAll(false)}>
          Unfold all
        </button>
        <button
          type="button"
          className="quiet-button"
          disabled={groups.every(({ id }) => folded.has(id))}
          onClick={() => onAll(true)}
        >
          Fold all
        </button>
      </header>
      <ul>
        {groups.slice(0, most).map(({ id, label }) => (
          <li key={id}>
            <button type="button" aria-expanded={!folded.has(id)} onClick={() => onToggle(id)}>
              <span aria-hidden="true">{folded.has(id) ? '▸' : '▾'}</span> {label}
            </button>
          </li>
        ))}
      </ul>
      {groups.length > most && (
        <button type="button" className="quiet-button" onClick={() => setMost(most + 500)}>
          {groups.length - most} more
        </button>
      )}
    </section>
  );
}
