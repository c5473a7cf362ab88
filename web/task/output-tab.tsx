// What the steps and checks of a task printed, as it arrives: terminal colours, search, and a place that stays where one
// scrolled to.
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { taskOfPath } from '../../src/core/compile/compiled.ts';
import { factsOf } from '../../src/core/engine/facts.ts';
import type { State } from '../../src/core/engine/state.ts';
import type { ClaimOutput } from '../client/run-files.ts';
import { apiErrorText } from '../client/api-error-text.ts';
import type { OutputSpan } from '../model/ansi-line.ts';
import { findLines, outputSpansOf } from '../model/output-text.ts';
import { EmptyState, LoadingState } from '../parts/empty-state.tsx';
import { Spans } from '../parts/foreign-text.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { useApp, useRunView } from '../store/use-app.ts';
import { remPx } from '../parts/rem-px.ts';
import { loadOutputs, useOutput } from './use-output.ts';

/** In the size of the page's text, which grows with very large screens. */
const ROW_REM = 1.125;
const LOOK_EVERY_MS = 2000;

const nameOf = ({ work, step, attempt }: ClaimOutput): string =>
  `${work === 'step' ? (step ?? 'main') : work}, attempt ${attempt}`;

export function OutputTab({ task }: { readonly task: string }): ReactNode {
  const { api, route, go } = useApp();
  const { project, run, state, status } = useRunView();
  const isRunning = status.running.some((work) => work.task === task);
  const { claims, trouble } = useClaims(task, isRunning);
  const [isFollowing, setFollowing] = useState(true);
  const chosen = Number(route.options['claim'] ?? Number.NaN);
  const claim = Number.isInteger(chosen) ? claims?.at(chosen) : firstShown(claims, isDone(state, task));
  const isLast = claim !== undefined && claim === claims?.at(-1);
  const output = useOutput({ api, of: { project, run, task }, claim, isGrowing: isRunning && isLast });
  const search = useSearch(output.text.lines);
  if (trouble !== undefined) return <EmptyState title={trouble} isAlert />;
  if (claims === undefined) return <LoadingState title="Looking for output …" />;
  if (claim === undefined) return <NoOutput isRunning={isRunning} isOver={isDone(state, task)} />;
  return (
    <div className="output">
      <div className="tool-row">
        <select
          className="field"
          aria-label="Which output"
          value={claims.indexOf(claim)}
          onChange={(event) => go({ options: { claim: event.target.value } }, 'replace')}
        >
          {claims.map((each, at) => (
            <option key={at} value={at}>
              {nameOf(each)}
            </option>
          ))}
        </select>
        <SearchField search={search} />
        <label className="check-label">
          <input type="checkbox" checked={isFollowing} onChange={(event) => setFollowing(event.target.checked)} />
          following
        </label>
        {output.bytesBefore > 0 && (
          <button type="button" className="button" onClick={output.loadBefore}>
            Earlier output ({Math.ceil(output.bytesBefore / 1024)} kB)
          </button>
        )}
        {output.trouble !== undefined && (
          <p className="text-bad" role="alert">
            {output.trouble}
          </p>
        )}
      </div>
      <VirtualList
        className="terminal"
        label={`Output of ${nameOf(claim)}`}
        count={output.text.lines.length}
        rowPx={ROW_REM * remPx()}
        isFollowing={isFollowing}
        onFollow={setFollowing}
        onStart={output.loadBefore}
        before={output.text.before}
        shown={search.line}
        render={(index) => (
          <OutputLine spans={outputSpansOf(output.text.lines, index)} isFound={index === search.line} />
        )}
      />
    </div>
  );
}

interface NoOutputProps {
  readonly isRunning: boolean;
  readonly isOver: boolean;
}

const NoOutput = ({ isRunning, isOver }: NoOutputProps): ReactNode => (
  <EmptyState title={isRunning ? 'Nothing printed yet' : 'No output'}>
    <p>
      {isOver
        ? 'Its steps and checks printed nothing.'
        : 'The output of its steps and checks appears here as soon as they print something.'}
    </p>
  </EmptyState>
);

/** The latest; of a task that is done its work, because checks that passed have little to say. */
const firstShown = (claims: readonly ClaimOutput[] | undefined, isDone: boolean): ClaimOutput | undefined =>
  (isDone ? claims?.findLast(({ work }) => work === 'step' || work === 'resolve') : undefined) ?? claims?.at(-1);

function isDone(state: State, path: string): boolean {
  const task = taskOfPath(state.compiled, path);
  return task !== undefined && factsOf(state, task.index).ended?.ending === 'done';
}

interface HeldClaims {
  readonly claims: readonly ClaimOutput[] | undefined;
  /** Why there are none to show; a sentence. */
  readonly trouble: string | undefined;
}

const NOTHING: HeldClaims = { claims: undefined, trouble: undefined };

function useClaims(task: string, isRunning: boolean): HeldClaims {
  const { api } = useApp();
  const { project, run } = useRunView();
  const [held, setHeld] = useState<HeldClaims & { readonly task: string }>();
  useEffect(() => {
    let isGone = false;
    const look = async (): Promise<void> => {
      const answer = await loadOutputs(api, { project, run, task });
      if (isGone) return;
      setHeld((last) => {
        const known = last?.task === task ? last.claims : undefined;
        // What is known stays in sight while the server is away.
        if (answer.type !== 'ok')
          return known === undefined ? { task, claims: known, trouble: apiErrorText(answer) } : last;
        return isSame(known, answer.value) ? last : { task, claims: answer.value, trouble: undefined };
      });
    };
    void look();
    const timer = isRunning ? setInterval(() => void look(), LOOK_EVERY_MS) : undefined;
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [api, project, run, task, isRunning]);
  return held?.task === task ? held : NOTHING;
}

/** The same claims and parts; how long a part is does not matter. */
const isSame = (one: readonly ClaimOutput[] | undefined, other: readonly ClaimOutput[]): boolean =>
  JSON.stringify(one?.map(identity)) === JSON.stringify(other.map(identity));

const identity = ({ work, step, attempt, parts }: ClaimOutput): unknown => [
  work,
  step,
  attempt,
  parts.map(({ id }) => id),
];

interface Search {
  readonly words: string;
  readonly count: number;
  readonly at: number;
  /** The number of the line that was found. */
  readonly line: number | undefined;
  readonly setWords: (words: string) => void;
  readonly move: (by: number) => void;
}

function useSearch(lines: readonly string[]): Search {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const found = useMemo(() => findLines(lines, words), [lines, words]);
  const index = found.length === 0 ? 0 : ((at % found.length) + found.length) % found.length;
  return {
    words,
    count: found.length,
    at: index,
    line: found[index],
    setWords: (next) => {
      setWords(next);
      setAt(0);
    },
    move: (by) => setAt(index + by),
  };
}

const SearchField = ({ search }: { readonly search: Search }): ReactNode => (
  <span className="search-field">
    <input
      type="search"
      className="field"
      placeholder="Search what is loaded"
      aria-label="Search the output"
      value={search.words}
      onChange={(event) => search.setWords(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search.move(event.shiftKey ? -1 : 1);
      }}
    />
    <span className="quiet" role="status">
      {search.words !== '' && (search.count === 0 ? 'not found' : `${search.at + 1} of ${search.count}`)}
    </span>
  </span>
);

interface OutputLineProps {
  readonly spans: readonly OutputSpan[];
  readonly isFound: boolean;
}

const OutputLine = ({ spans, isFound }: OutputLineProps): ReactNode => (
  <div className={isFound ? 'output-line found' : 'output-line'}>
    <Spans spans={spans} />
  </div>
);
