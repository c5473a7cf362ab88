// Tasks as cards in the columns of their stages; each card says why it waits.
import { memo, useState, type ReactNode } from 'react';
import { stageColumnOf, STAGE_COLUMNS, type StageColumn, type TaskRow } from '../model/task-rows.ts';
import { footText, progressOf, whyText } from '../model/why-text.ts';
import { StateSign } from '../parts/state-sign.tsx';
import { useApp, useRunView } from '../store/use-app.ts';

interface RunBoardProps {
  readonly rows: readonly TaskRow[];
  readonly selected: string | undefined;
}

export function RunBoard({ rows, selected }: RunBoardProps): ReactNode {
  const byColumn = Map.groupBy(rows, stageColumnOf);
  const shown = STAGE_COLUMNS.filter((column) => byColumn.has(column));
  return (
    <div className="board" role="group" aria-label="Tasks by stage">
      {shown.map((column) => (
        <BoardColumn key={column} column={column} rows={byColumn.get(column) ?? []} selected={selected} />
      ))}
    </div>
  );
}

/** More cards than a person reads would only cost time; the table has them all. */
const CARDS_MAX = 40;

interface BoardColumnProps extends RunBoardProps {
  readonly column: StageColumn;
}

function BoardColumn({ column, rows, selected }: BoardColumnProps): ReactNode {
  const view = useRunView();
  const { linkTo } = useApp();
  const [most, setMost] = useState(CARDS_MAX);
  const shown = rows.slice(0, most);
  return (
    <section className="column" aria-label={column}>
      <h2>
        {column} <span className="quiet">{rows.length}</span>
      </h2>
      <ul>
        {shown.map((row) => (
          <Card
            key={row.path}
            path={row.path}
            group={row.group}
            why={whyText(row, view)}
            foot={footText(row)}
            share={progressOf(row)}
            // Again on the selected one opens it.
            href={linkTo(row.path === selected ? { page: 'task', task: row.path } : { task: row.path })}
            isSelected={row.path === selected}
          />
        ))}
      </ul>
      {rows.length > shown.length && (
        <button type="button" className="button" onClick={() => setMost(most + 200)}>
          {rows.length - shown.length} more
        </button>
      )}
    </section>
  );
}

interface CardProps {
  readonly path: string;
  readonly group: TaskRow['group'];
  readonly why: string;
  readonly foot: string;
  readonly share: number | undefined;
  readonly href: string;
  readonly isSelected: boolean;
}

const Card = memo(({ path, group, why, foot, share, href, isSelected }: CardProps): ReactNode => {
  const cut = path.lastIndexOf('.') + 1;
  return (
    <li>
      <a
        className={`task-card task-card-${group}`}
        href={href}
        aria-current={isSelected ? 'true' : undefined}
        data-task={path}
      >
        <span className="task-card-name">
          <StateSign group={group} />
          <span>
            <span className="quiet">{path.slice(0, cut)}</span>
            {path.slice(cut)}
          </span>
        </span>
        {why !== '' && <span className="task-card-why">{why}</span>}
        {foot !== '' && <span className="task-card-foot">{foot}</span>}
        {share !== undefined && (
          <span className="task-card-bar" aria-hidden="true">
            <span style={{ width: `${share * 100}%` }} />
          </span>
        )}
      </a>
    </li>
  );
});
