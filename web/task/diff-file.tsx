// One file of a diff, which folds; a click on the number of a line opens a comment below it.
import { Fragment, useState, type ReactNode } from 'react';
import { ForeignText } from '../parts/foreign-text.tsx';
import { pairsOf, type DiffFile, type DiffHunk, type DiffLine } from '../model/diff-files.ts';

/** The line that somebody comments on. */
export interface DiffPlace {
  readonly path: string;
  readonly line: number;
  readonly side: 'before' | 'after';
  readonly text: string;
}

interface DiffFileProps {
  readonly file: DiffFile;
  readonly isSplit: boolean;
  readonly place: DiffPlace | undefined;
  readonly onPlace: (place: DiffPlace) => void;
  readonly comment: ReactNode;
}

/** A larger file is folded until somebody opens it. */
const OPEN_LINES_MAX = 1500;
/** P11: more lines of one file are not drawn. */
const LINES_MAX = 20_000;
const SIGNS = { same: ' ', added: '+', removed: '−', note: ' ' } as const;
const TYPES = { added: 'new', removed: 'deleted', renamed: 'renamed', binary: 'binary', changed: '' } as const;

export function DiffFileView(props: DiffFileProps): ReactNode {
  const { file } = props;
  const lines = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const [isOpen, setOpen] = useState(lines <= OPEN_LINES_MAX);
  return (
    <details className="diff-file" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>
          <ForeignText text={file.from === undefined ? file.path : `${file.from} → ${file.path}`} />
        </code>
        {TYPES[file.type] !== '' && <span className="badge badge-quiet">{TYPES[file.type]}</span>}
        <span className="text-done">+{file.added}</span> <span className="text-failed">−{file.removed}</span>
      </summary>
      {isOpen && file.type === 'binary' && <p className="quiet diff-note">A binary file.</p>}
      {isOpen && lines > 0 && (
        <div className="diff-scroll" tabIndex={0} role="region" aria-label={`Changes of ${file.path}`}>
          <table className={props.isSplit ? 'diff-table split' : 'diff-table'}>
            {props.isSplit && <SplitColumns />}
            <tbody>
              {file.hunks.map((hunk, at) => (
                <Fragment key={at}>
                  <tr className="diff-hunk">
                    <td colSpan={props.isSplit ? 4 : 3}>{hunk.header}</td>
                  </tr>
                  {props.isSplit ? <SplitRows hunk={hunk} {...props} /> : <InlineRows hunk={hunk} {...props} />}
                </Fragment>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {lines > LINES_MAX && <p className="quiet diff-note">Only the first {LINES_MAX} lines of each part are shown.</p>}
    </details>
  );
}

/** The first row spans all columns and says nothing of their widths. */
const SplitColumns = (): ReactNode => (
  <colgroup>
    <col className="diff-number-column" />
    <col />
    <col className="diff-number-column" />
    <col />
  </colgroup>
);

interface RowsProps extends DiffFileProps {
  readonly hunk: DiffHunk;
}

function InlineRows({ hunk, ...props }: RowsProps): ReactNode {
  return hunk.lines.slice(0, LINES_MAX).map((line, at) => (
    <Fragment key={at}>
      <tr className={`diff-${line.type}`}>
        <NumberCell line={line} side="before" {...props} />
        <NumberCell line={line} side="after" {...props} />
        <TextCell line={line} />
      </tr>
      {isHere(props.place, line) && (
        <tr>
          <td colSpan={3}>{props.comment}</td>
        </tr>
      )}
    </Fragment>
  ));
}

function SplitRows({ hunk, ...props }: RowsProps): ReactNode {
  return pairsOf(hunk)
    .slice(0, LINES_MAX)
    .map(({ left, right }, at) => (
      <Fragment key={at}>
        <tr>
          <NumberCell line={left} side="before" {...props} />
          <TextCell line={left} />
          <NumberCell line={right} side="after" {...props} />
          <TextCell line={right} />
        </tr>
        {(isHere(props.place, left) || isHere(props.place, right)) && (
          <tr>
            <td colSpan={4}>{props.comment}</td>
          </tr>
        )}
      </Fragment>
    ));
}

const isHere = (place: DiffPlace | undefined, line: DiffLine | undefined): boolean =>
  place !== undefined && line?.[place.side] === place.line;

interface NumberCellProps extends Pick<DiffFileProps, 'file' | 'onPlace'> {
  readonly line: DiffLine | undefined;
  readonly side: 'before' | 'after';
}

function NumberCell({ line, side, file, onPlace }: NumberCellProps): ReactNode {
  const number = line?.[side];
  return (
    <td className="diff-number">
      {number !== undefined && (
        <button
          type="button"
          aria-label={`Comment on line ${number} ${side === 'before' ? 'before the change' : ''} of ${file.path}`}
          onClick={() => onPlace({ path: file.path, line: number, side, text: line?.text ?? '' })}
        >
          {number}
        </button>
      )}
    </td>
  );
}

const TextCell = ({ line }: { readonly line: DiffLine | undefined }): ReactNode => (
  <td className={line === undefined ? 'diff-none' : `diff-text diff-${line.type}`}>
    {line !== undefined && (
      <>
        <span className="diff-sign">{SIGNS[line.type]}</span>
        <ForeignText text={line.text} />
      </>
    )}
  </td>
);
