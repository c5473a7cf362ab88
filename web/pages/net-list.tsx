// The net as tables: the transition that fired last, the places that hold tokens, and the pools with their holders. The same
// information as the picture, for keyboards and screen readers.
import { useMemo, type ReactNode } from 'react';
import type { State } from '../../src/core/engine/state.ts';
import { countAt } from '../../src/core/net/play.ts';
import type { Picture, PictureNode } from '../../src/core/view/draw/picture.ts';
import { poolRows } from '../model/pool-rows.ts';
import { DataTable } from '../parts/data-table.tsx';
import { useApp, useRunView } from '../store/use-app.ts';

interface NetListProps {
  /** Of the whole net: its places first, then its transitions. */
  readonly whole: Picture;
  readonly onShow: (node: string) => void;
}

export function NetList({ whole, onShow }: NetListProps): ReactNode {
  const { state, status, position } = useRunView();
  const { linkTo } = useApp();
  // The state changes in place, so the position says whether it is another.
  const marked = useMemo(() => markedPlaces(state, whole), [state, whole, position]);
  const pools = useMemo(() => poolRows(state, status), [state, status]);
  const nameOf = useMemo(() => nodeNames(whole), [whole]);
  const fired = state.fired === undefined ? undefined : whole.nodes[state.compiled.net.places.length + state.fired];
  return (
    <aside className="pane net-list" aria-label="The net as tables">
      <section>
        <h2 className="small-heading">Fired last</h2>
        {fired === undefined ? (
          <p className="quiet">No transition: the last event set a marking.</p>
        ) : (
          <button type="button" className="button" onClick={() => onShow(fired.id)}>
            {nameOf(fired)}
          </button>
        )}
      </section>
      <section>
        <h2 className="small-heading">Pools</h2>
        <DataTable
          label="Pools"
          rows={pools}
          keyOf={({ name }) => name}
          empty="The plan has no pools."
          columns={[
            { title: 'Pool', cell: ({ name }) => <a href={linkTo({ page: 'pools' })}>{name}</a> },
            { title: 'Held', isNumber: true, cell: ({ held, size }) => `${held} of ${size}` },
            { title: 'By', cell: ({ holders }) => [...new Set(holders.map(({ task }) => task))].join(', ') },
          ]}
        />
      </section>
      <section>
        <h2 className="small-heading">Places with tokens</h2>
        <DataTable
          label="Places with tokens"
          rows={marked}
          keyOf={({ node }) => node.id}
          empty="No place holds a token."
          columns={[
            {
              title: 'Place',
              cell: ({ node }) => (
                <button type="button" className="text-button" onClick={() => onShow(node.id)}>
                  {nameOf(node)}
                </button>
              ),
            },
            { title: 'Tokens', isNumber: true, cell: ({ tokens }) => tokens },
          ]}
        />
      </section>
    </aside>
  );
}

interface MarkedPlace {
  readonly node: PictureNode;
  readonly tokens: number;
}

const markedPlaces = ({ compiled, play }: State, { nodes }: Picture): readonly MarkedPlace[] =>
  compiled.net.places.flatMap((_, place): readonly MarkedPlace[] => {
    const tokens = countAt(play, place);
    const node = nodes[place];
    if (tokens === 0 || node === undefined) return [];
    return [{ node, tokens }];
  });

/** With the task that it belongs to. */
function nodeNames({ groups }: Picture): (node: PictureNode) => string {
  const labels = new Map(groups.map(({ id, label }) => [id, label]));
  return ({ group, label }) =>
    [group === undefined ? undefined : labels.get(group), label[0]].filter(Boolean).join(': ');
}
