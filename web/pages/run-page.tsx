// The run as a board by stage, or as a table of the same tasks; the selected task beside it.
import { useMemo, type ReactNode } from 'react';
import { GROUPS, GROUP_WORDS, taskRows } from '../model/task-rows.ts';
import { StateSign } from '../parts/state-sign.tsx';
import { useRunView } from '../store/use-app.ts';

export function RunPage(): ReactNode {
  const view = useRunView();
  const rows = useMemo(() => taskRows(view.state, view.status), [view]);
  return (
    <div className="board">
      {GROUPS.map((group) => (
        <section key={group} className="column">
          <h2>{GROUP_WORDS[group]}</h2>
          <ul>
            {rows
              .filter((row) => row.group === group)
              .map((row) => (
                <li key={row.path}>
                  <StateSign group={row.group} /> {row.path}
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
