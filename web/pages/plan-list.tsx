// The tasks of the plan as a table: the same information as the picture, for keyboards and screen readers.
import { memo, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { GROUP_WORDS, type TaskGroup, type TaskRow } from '../model/task-rows.ts';
import { footText, whyText } from '../model/why-text.ts';
import { Icon } from '../parts/icons.tsx';
import { StateSign } from '../parts/state-sign.tsx';
import { useApp, useRunView } from '../store/use-app.ts';

/** A plan of so many tasks is shown whole; of a larger one so many rows at first, because rows cost time at every step. */
const ROWS_WHOLE = 60;
const ROWS_FIRST = 30;
const ROWS_MORE = 500;

interface PlanListProps {
  readonly rows: readonly TaskRow[];
  readonly onShow: (path: string) => void;
  /** Above the table. */
  readonly children?: ReactNode;
}

export function PlanList({ rows, onShow, children }: PlanListProps): ReactNode {
  const view = useRunView();
  const { linkTo } = useApp();
  const [chosen, setChosen] = useState<number>();
  const most = chosen ?? (rows.length <= ROWS_WHOLE ? ROWS_WHOLE : ROWS_FIRST);
  const latest = useRef(onShow);
  useEffect(() => {
    latest.current = onShow;
  });
  const show = useCallback((path: string) => latest.current(path), []);
  return (
    <aside className="pane plan-list" aria-label="Tasks of the plan">
      {children}
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
            <PlanListRow
              key={row.path}
              path={row.path}
              link={linkTo({ task: row.path })}
              group={row.group}
              why={row.group === 'done' ? '' : whyText(row, view)}
              foot={footText(row)}
              onShow={show}
            />
          ))}
        </tbody>
      </table>
      {rows.length > most && (
        <button type="button" className="button" onClick={() => setChosen(most + ROWS_MORE)}>
          {rows.length - most} more
        </button>
      )}
    </aside>
  );
}

interface PlanListRowProps {
  readonly path: string;
  readonly link: string;
  readonly group: TaskGroup;
  readonly why: string;
  readonly foot: string;
  readonly onShow: (path: string) => void;
}

/** Of texts alone, so that a step of the replay renders the rows that it changes and no others. */
const PlanListRow = memo(function PlanListRow({ path, link, group, why, foot, onShow }: PlanListRowProps): ReactNode {
  return (
    <tr>
      <th scope="row">
        <a href={link}>{path}</a>
      </th>
      <td>
        <StateSign group={group} /> {GROUP_WORDS[group]}
        <span className="quiet"> {why}</span>
        {foot !== '' && <span className="plan-list-foot">{foot}</span>}
      </td>
      <td>
        <button
          type="button"
          className="quiet-button"
          aria-label={`Show ${path} in the picture`}
          onClick={() => onShow(path)}
        >
          <Icon name="right" />
        </button>
      </td>
    </tr>
  );
});
