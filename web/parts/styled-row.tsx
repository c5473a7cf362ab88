// Sentences of core/view/text on the page: a style is a meaning there and a class here.
import type { ReactNode } from 'react';
import type { TextRow } from '../../src/core/view/text/styled-text.ts';

export const StyledRow = ({ row }: { readonly row: TextRow }): ReactNode =>
  row.map((piece, at) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      <span key={at} className={`text-${piece[0]}`}>
        {piece[1]}
      </span>
    ),
  );

/** Rows that begin with spaces belong to the row above them. */
export const StyledRows = ({ rows }: { readonly rows: readonly TextRow[] }): ReactNode => (
  <div className="styled-rows">
    {rows.map((row, at) => (
      <p key={at} className={typeof row[0] === 'string' && row[0].startsWith('  ') ? 'below' : undefined}>
        <StyledRow row={row} />
      </p>
    ))}
  </div>
);
