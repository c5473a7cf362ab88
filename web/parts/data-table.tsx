// A table of values: the first column names the row, numbers are aligned.
import type { ReactNode } from 'react';

export interface TableColumn<Row> {
  readonly title: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The first is the header of the row. */
  readonly columns: readonly TableColumn<Row>[];
  readonly empty?: string;
}

/** P11: further rows are counted. */
const ROWS_MAX = 500;

export function DataTable<Row>({ label, rows, keyOf, columns, empty = 'None.' }: DataTableProps<Row>): ReactNode {
  if (rows.length === 0) return <p className="quiet">{empty}</p>;
  const [first, ...others] = columns;
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" className={isNumber === true ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS_MAX).map((row) => (
            <tr key={keyOf(row)}>
              <th scope="row">{first?.cell(row)}</th>
              {others.map(({ title, isNumber, cell }) => (
                <td key={title} className={isNumber === true ? 'number' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > ROWS_MAX && <p className="quiet">… and {rows.length - ROWS_MAX} more.</p>}
    </div>
  );
}
