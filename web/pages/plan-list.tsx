// The tasks of the plan as a table: the same information as the picture, for keyboards and screen readers.
import { useState, type ReactNode } from 'react';
import { GROUP_WORDS, type TaskRow } from '../model/task-rows.ts';
import { whyText } from '../model/why-text.ts';
import { Icon } from '../parts/icons.tsx';
import { StateSign } from '../parts/state-sign.tsx';
import { useApp, useRunView } from '../store/use-app.ts';

const ROWS_MAX = 60;

interface PlanListProps {
  readonly rows: readonly TaskRow[];
  readonly onShow: (path: string) => void;
}

export function PlanList({ rows, onShow }: PlanListProps): ReactNode {
  const view = useRunView();
  const { linkTo } = useApp();
  const [most, setMost] = useState(ROWS_MAX);
  return (
    <aside className="pane plan-list" aria-label="Tasks of the plan">
      <table className="table">
        <caption className="hidden-text">Tasks of the plan</caption>
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">State</th>
            <th scope="col">
              <span className="hidden-text">Show</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map((row) => (
            <tr key={row.path}>
              <th scope="row">
                <a href={linkTo({ task: row.path })}>{row.path}</a>
              </th>
              <td>
                <StateSign group={row.group} /> {GROUP_WORDS[row.group]}
                <span className="quiet"> {row.group === 'done' ? '' : whyText(row, view)}</span>
              </td>
              <td>
                <button
                  type="button"
                  className="quiet-button"
                  aria-label={`Show ${row.path} in the picture`}
                  onClick={() => onShow(row.path)}
                >
                  <Icon name="right" />
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most && (
        <button type="button" className="button" onClick={() => setMost(most + 500)}>
          {rows.length - most} more
        </button>
      )}
    </aside>
  );
}
