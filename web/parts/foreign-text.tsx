// Text of agents, plans and programs: always text, with marks for what cannot be seen, and cut where it is endless.
import type { ReactNode } from 'react';
import {
  LINE_CHARACTERS_MAX,
  PLAIN_STYLE,
  readAnsiLine,
  type OutputSpan,
  type TerminalStyle,
} from '../model/ansi-line.ts';
import { markUnseen } from '../model/unseen-marks.ts';

interface ForeignTextProps {
  readonly text: string;
  /** P11: the rest is counted. */
  readonly charactersMax?: number;
}

export const ForeignText = ({ text, charactersMax = LINE_CHARACTERS_MAX }: ForeignTextProps): ReactNode => (
  <>
    {markUnseen(text.slice(0, charactersMax)).map((piece, at) =>
      piece.isMark ? (
        <span key={at} className="unseen-mark">
          {piece.text}
        </span>
      ) : (
        piece.text
      ),
    )}
    {text.length > charactersMax && (
      <span className="unseen-mark"> … {text.length - charactersMax} more characters</span>
    )}
  </>
);

/** P11: a text of many lines, such as a prompt. */
export const QUOTE_CHARACTERS_MAX = 200_000;

export const ForeignQuote = ({ text }: { readonly text: string }): ReactNode => (
  <pre className="quote" tabIndex={0}>
    <ForeignText text={text} charactersMax={QUOTE_CHARACTERS_MAX} />
  </pre>
);

interface PrintedQuoteProps {
  readonly text: string;
  readonly isSmall?: boolean;
}

/** What a program printed, with the colours of a terminal. */
export function PrintedQuote({ text, isSmall = false }: PrintedQuoteProps): ReactNode {
  let style: TerminalStyle = PLAIN_STYLE;
  const lines = text.slice(-QUOTE_CHARACTERS_MAX).split('\n');
  return (
    <pre className={isSmall ? 'quote small' : 'quote'} tabIndex={0}>
      {lines.map((line, at) => {
        const read = readAnsiLine(line, style);
        style = read.end;
        return (
          <span key={at}>
            <Spans spans={read.spans} />
            {at < lines.length - 1 && '\n'}
          </span>
        );
      })}
    </pre>
  );
}

export const Spans = ({ spans }: { readonly spans: readonly OutputSpan[] }): ReactNode =>
  spans.map((span, at) => (
    <span key={at} className={classOf(span)}>
      {span.text}
    </span>
  ));

/** Names of our own only: nothing of what was printed becomes part of a class. */
function classOf({ style, isMark }: OutputSpan): string | undefined {
  const names = [
    style.colour === undefined ? '' : `ansi-${style.colour}`,
    style.isBold ? 'ansi-bold' : '',
    style.isFaint ? 'ansi-faint' : '',
    style.isItalic ? 'ansi-italic' : '',
    style.isUnderlined ? 'ansi-underlined' : '',
    isMark ? 'unseen-mark' : '',
  ].filter((name) => name !== '');
  return names.length === 0 ? undefined : names.join(' ');
}
