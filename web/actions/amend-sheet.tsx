// Another plan for the rest of the run: pasted or picked, its effect shown, then done as shown or not at all.
import { useEffect, useState, type ReactNode } from 'react';
import type { ExpectedChanges } from '../../src/core/engine/command.ts';
import type { Replied } from '../../src/core/engine/commands/reply.ts';
import type { AmendRefusal } from '../../src/core/engine/amendment.ts';
import type { PlanChange, TaskChange } from '../../src/core/engine/plan-changes.ts';
import type { Diagnostic } from '../../src/core/plan/diagnostic.ts';
import type { Verification } from '../../src/core/verify/verify.ts';
import { changeText, planNoteText, stillFailedText } from '../../src/core/view/text/amendment-text.ts';
import { amendRefusalText, repliedText } from '../../src/core/view/text/command-reply-text.ts';
import type { Refusal } from '../../src/core/view/text/refusal.ts';
import { refusalText } from '../../src/core/view/text/refusal-text.ts';
import { runPath } from '../client/server-api.ts';
import { apiErrorText } from '../client/api-error-text.ts';
import { CopyAsCli } from '../parts/copy-as-cli.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { useApp, useRunView, type Message } from '../store/use-app.ts';

/** The effect of a plan, as the server found it. */
interface ShownAmendment {
  readonly isSame: boolean;
  readonly expects: ExpectedChanges;
  readonly tasks: readonly TaskChange[];
  readonly plan: readonly PlanChange[];
  readonly stillFailed: readonly string[];
  readonly refused: readonly AmendRefusal[];
}

type Wrong =
  | { readonly type: 'wrong'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly type: 'unsound'; readonly verification: Verification }
  | { readonly type: 'refused'; readonly refusal: Refusal };

type AmendPreview = { readonly type: 'preview'; readonly preview: ShownAmendment } | Wrong;

type AmendSent =
  | { readonly type: 'replied' | 'paused'; readonly replied: Replied }
  | { readonly type: 'outdated' | 'impossible' | 'same'; readonly preview: ShownAmendment }
  | { readonly type: 'vacant'; readonly commandLine: readonly string[] }
  | { readonly type: 'started' }
  | Wrong;

export function AmendSheet({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { api, notify } = useApp();
  const { project, run } = useRunView();
  const [text, setText] = useState('');
  const [shown, setShown] = useState<AmendPreview>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    const load = async (): Promise<void> => {
      const answer = await api.getText(runPath(project, run, 'plan'));
      // What somebody has typed or picked meanwhile stays.
      if (answer.type === 'ok') setText((typed) => (typed === '' ? answer.value : typed));
    };
    void load();
  }, [api, project, run]);
  const call = async <T,>(path: string, body: unknown): Promise<T | undefined> => {
    setBusy(true);
    const answer = await api.post<T>(runPath(project, run, path), body);
    setBusy(false);
    if (answer.type === 'ok') return answer.value;
    notify({ style: 'bad', text: apiErrorText(answer) });
    return undefined;
  };
  const preview = async (): Promise<void> => setShown(await call<AmendPreview>('amend/preview', { text }));
  const amend = async (expects: ExpectedChanges): Promise<void> => {
    const sent = await call<AmendSent>('amend', { text, expects });
    if (sent === undefined) return;
    notify(messageOf(sent));
    if (sent.type === 'outdated') return setShown({ type: 'preview', preview: sent.preview });
    if (sent.type === 'replied' || sent.type === 'paused') onClose();
  };
  return (
    <Sheet title={`Amend ${run}`} onClose={onClose} isWide>
      <label className="sheet-field">
        <span>The whole plan as it should be from now on</span>
        <textarea
          className="field mono"
          rows={16}
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setShown(undefined);
          }}
        />
      </label>
      <div className="actions">
        <input
          type="file"
          accept=".yaml,.yml"
          aria-label="Pick a plan file"
          onChange={(event) => {
            void event.target.files?.[0]?.text().then(setText);
            setShown(undefined);
          }}
        />
        <button type="button" className="button" disabled={isBusy || text.trim() === ''} onClick={() => void preview()}>
          Show what it changes
        </button>
        <CopyAsCli command={`heddle amend ${run} plan.yaml`} isShort />
      </div>
      {shown !== undefined && <Effect shown={shown} isBusy={isBusy} onYes={(expects) => void amend(expects)} />}
    </Sheet>
  );
}

function messageOf(sent: AmendSent): Message {
  switch (sent.type) {
    case 'replied':
    case 'paused':
      return { style: 'good', text: repliedText(sent.replied) };
    case 'outdated':
      return { style: 'warn', text: 'The run has moved on, so nothing was done: look at what it changes now.' };
    case 'same':
      return { style: 'warn', text: 'The run follows this plan already.' };
    case 'vacant':
      return {
        style: 'warn',
        text: `Noted; the run has no coordinator: ${sent.commandLine.join(' ')} goes on with it.`,
      };
    case 'started':
      return { style: 'good', text: 'A coordinator was started in the background and takes it.' };
    case 'impossible':
    case 'wrong':
    case 'unsound':
      return { style: 'bad', text: 'The plan cannot be taken over.' };
    case 'refused':
      return { style: 'bad', text: refusalText(sent.refusal) };
  }
}

interface EffectProps {
  readonly shown: AmendPreview;
  readonly isBusy: boolean;
  readonly onYes: (expects: ExpectedChanges) => void;
}

function Effect({ shown, isBusy, onYes }: EffectProps): ReactNode {
  switch (shown.type) {
    case 'wrong':
      return (
        <ul className="sheet-list" role="alert">
          {shown.diagnostics.map(({ message, hint, position }) => (
            <li key={`${position.line}:${position.column} ${message}`}>
              <span className="text-bad">Line {position.line}:</span> {message} <span className="quiet">{hint}</span>
            </li>
          ))}
        </ul>
      );
    case 'unsound':
      return <p role="alert">This plan could not finish. {faultIn(shown.verification)}</p>;
    case 'refused':
      return <p role="alert">{refusalText(shown.refusal)}</p>;
    case 'preview':
      return <Changes preview={shown.preview} isBusy={isBusy} onYes={onYes} />;
  }
}

function faultIn(verification: Verification): string {
  const verdict = verification.type === 'workflow' ? verification.verdict : undefined;
  return verdict?.type === 'unsound' ? verdict.finding.sentence : 'heddle check says why.';
}

const SHOWN_MAX = 200;

interface ChangesProps {
  readonly preview: ShownAmendment;
  readonly isBusy: boolean;
  readonly onYes: (expects: ExpectedChanges) => void;
}

function Changes({ preview, isBusy, onYes }: ChangesProps): ReactNode {
  const { run } = useRunView();
  const { tasks, plan, refused, isSame, stillFailed, expects } = preview;
  const changed = tasks.filter(({ does, isTouched }) => does !== 'keep' || isTouched);
  const still = stillFailedText(run, stillFailed);
  return (
    <section aria-label="What it changes" aria-live="polite">
      <h3>
        Keeps {tasks.filter(({ does }) => does === 'keep').length}, restarts {expects.restarted.length}, adds{' '}
        {expects.added.length}, cancels {expects.cancelled.length}
      </h3>
      <ul className="sheet-list">
        {plan.map(({ part, before, after, note }) => (
          <li key={part}>
            <strong>{part}</strong> {before} → {after}
            {note !== undefined && <span className="quiet"> ({planNoteText(note)})</span>}
          </li>
        ))}
        {changed.slice(0, SHOWN_MAX).map((change) => (
          <li key={change.task}>
            <span className={`badge change-${change.does}`}>{change.does}</span> <strong>{change.task}</strong>{' '}
            <span className="quiet">{changeText(change)}</span>
          </li>
        ))}
        {changed.length > SHOWN_MAX && <li className="quiet">and {changed.length - SHOWN_MAX} more</li>}
        {refused.map((refusal, at) => (
          <li key={at} className="text-bad">
            {amendRefusalText(refusal)}.
          </li>
        ))}
      </ul>
      {still !== '' && <p className="text-warn">{still}</p>}
      {isSame && <p>The run follows this plan already.</p>}
      <button
        type="button"
        className="button primary"
        disabled={isBusy || isSame || refused.length > 0}
        onClick={() => onYes(expects)}
      >
        Amend the run
      </button>
    </section>
  );
}
