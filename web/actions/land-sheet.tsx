// The work of the run onto the target branch: shown first, then landed as shown or not at all.
import { useEffect, useState, type ReactNode } from 'react';
import { failureText, type SandboxFailure } from '../../src/core/protocol/sandbox-failure.ts';
import type { Refusal } from '../../src/core/view/text/refusal.ts';
import { refusalText } from '../../src/core/view/text/refusal-text.ts';
import { runPath } from '../client/server-api.ts';
import { apiErrorText } from '../client/api-error-text.ts';
import { CopyAsCli } from '../parts/copy-as-cli.tsx';
import { LoadingState } from '../parts/empty-state.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { useApp, useRunView, type Message } from '../store/use-app.ts';

type NotReady =
  | { readonly type: 'landed'; readonly target: string; readonly commit: string }
  | { readonly type: 'nothing'; readonly why: 'no-commits' | 'landed-before'; readonly target: string }
  | { readonly type: 'conflict'; readonly target: string; readonly paths: readonly string[] }
  | { readonly type: 'check failed'; readonly command: string; readonly tail: string }
  | { readonly type: 'outrun'; readonly target: string }
  | { readonly type: 'declined' | 'outdated' }
  | { readonly type: 'failed'; readonly failure: SandboxFailure }
  | { readonly type: 'refused'; readonly refusal: Refusal }
  /** The server did not do it; a sentence. */
  | { readonly type: 'trouble'; readonly text: string };

interface Ready {
  readonly type: 'ready';
  readonly preview: {
    readonly target: string;
    readonly hasMoved: boolean;
    readonly tasks: readonly string[];
    readonly files: number;
  };
  readonly stat: string;
  readonly expects: string;
}

type Landing = Ready | NotReady;

export function LandSheet({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { api, notify } = useApp();
  const { project, run } = useRunView();
  const [landing, setLanding] = useState<Landing>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    const load = async (): Promise<void> => {
      const answer = await api.post<Landing>(runPath(project, run, 'land/preview'), {});
      setLanding(answer.type === 'ok' ? answer.value : { type: 'trouble', text: apiErrorText(answer) });
    };
    void load();
  }, [api, project, run]);
  const land = async (expects: string): Promise<void> => {
    setBusy(true);
    const answer = await api.post<Landing>(runPath(project, run, 'land'), { expects });
    setBusy(false);
    if (answer.type !== 'ok') return notify({ style: 'bad', text: apiErrorText(answer) });
    if (answer.value.type !== 'ready') notify(messageOf(answer.value));
    onClose();
  };
  return (
    <Sheet title={`Land ${run}`} onClose={onClose} isWide>
      {landing === undefined && <LoadingState title="Looking at what would land …" />}
      {landing?.type === 'ready' && (
        <>
          <p>
            {landing.preview.tasks.length} tasks, {landing.preview.files} files onto{' '}
            <strong>{landing.preview.target}</strong>
            {landing.preview.hasMoved && '; the target has moved, so the merge of both is checked first'}.
          </p>
          <pre className="sheet-stat">{landing.stat}</pre>
          <div className="actions">
            <button
              type="button"
              className="button primary"
              disabled={isBusy}
              onClick={() => void land(landing.expects)}
            >
              {isBusy ? 'Landing …' : `Land on ${landing.preview.target}`}
            </button>
            <CopyAsCli command={`heddle land ${run}`} isShort />
          </div>
        </>
      )}
      {landing !== undefined && landing.type !== 'ready' && <p role="alert">{messageOf(landing).text}</p>}
    </Sheet>
  );
}

function messageOf(landing: NotReady): Message {
  switch (landing.type) {
    case 'landed':
      return { style: 'good', text: `Landed on ${landing.target} as ${landing.commit.slice(0, 10)}.` };
    case 'nothing':
      return {
        style: 'warn',
        text: landing.why === 'no-commits' ? 'Nothing was committed yet.' : `${landing.target} has all of it already.`,
      };
    case 'conflict':
      return {
        style: 'bad',
        text: `${landing.target} has moved and conflicts with the run in ${landing.paths.join(', ')}. heddle land in a terminal says how to go on.`,
      };
    case 'check failed':
      return { style: 'bad', text: `The check ${landing.command} failed on the merge of both: ${landing.tail}` };
    case 'outrun':
      return { style: 'warn', text: `${landing.target} moved while it was landed on. Try again.` };
    case 'outdated':
      return { style: 'warn', text: 'The run or the target has moved on, so nothing was landed. Look again.' };
    case 'declined':
      return { style: 'bad', text: 'Nothing was landed.' };
    case 'failed':
      return { style: 'bad', text: failureText(landing.failure) };
    case 'refused':
      return { style: 'bad', text: refusalText(landing.refusal) };
    case 'trouble':
      return { style: 'bad', text: landing.text };
  }
}
