// The page behind a link in a notification: one question in full, and its answers. It works once.
import { useEffect, useState, type ReactNode, type SubmitEvent } from 'react';
import type { InboxItem, TicketReply } from '../../src/core/protocol/web.ts';
import type { ApiAnswer, ServerApi } from '../client/server-api.ts';
import { apiErrorText } from '../client/api-error-text.ts';
import { ANSWER_WORDS } from '../model/inbox-answers.ts';
import { EmptyState, LoadingState } from '../parts/empty-state.tsx';
import { ForeignText, QUOTE_CHARACTERS_MAX } from '../parts/foreign-text.tsx';

const PATH = '/api/answer';

const BUTTONS = ['approve', 'yes', 'always', 'no', 'reject', 'retry'] as const;
const STYLES: Readonly<Record<(typeof BUTTONS)[number], string>> = {
  approve: 'primary',
  yes: 'primary',
  always: '',
  no: 'danger',
  reject: 'danger',
  retry: '',
};

export function AnswerPage({ api }: { readonly api: ServerApi }): ReactNode {
  const [question, setQuestion] = useState<ApiAnswer<TicketReply>>();
  const [sent, setSent] = useState<ApiAnswer<unknown> | 'sending'>();
  useEffect(() => void api.get<TicketReply>(PATH).then(setQuestion), [api]);
  const answer = (text: string): void => {
    setSent('sending');
    void api.post(PATH, { answer: text }).then(setSent);
  };
  const result = sent === 'sending' ? undefined : sent;
  return (
    <main className="page inbox">
      <h1>Heddle asks</h1>
      {question === undefined ? <LoadingState title="Looking for the question …" /> : <Failed answer={question} />}
      {result !== undefined && <Failed answer={result} />}
      {question?.type === 'ok' && (result === undefined || result.type === 'away') && (
        // An answer that did not arrive can be sent again.
        <fieldset className="plain-fieldset" disabled={sent === 'sending'}>
          <Question item={question.value.item} onAnswer={answer} />
        </fieldset>
      )}
      {result?.type === 'ok' && (
        <p className="card-said" role="status">
          ✓ Sent. This link works no more.
        </p>
      )}
    </main>
  );
}

function Failed({ answer }: { readonly answer: ApiAnswer<unknown> }): ReactNode {
  if (answer.type === 'ok') return null;
  return <EmptyState title={apiErrorText(answer)} isAlert command="heddle web" />;
}

interface QuestionProps {
  readonly item: InboxItem;
  readonly onAnswer: (text: string) => void;
}

function Question({ item, onAnswer }: QuestionProps): ReactNode {
  const { task, run, text, permission, answers } = item;
  return (
    <article className="card ask-card">
      <header>
        <h2>{task ?? run}</h2>
        <p className="quiet">{run}</p>
      </header>
      <p className="card-text" tabIndex={0}>
        <ForeignText text={text} charactersMax={QUOTE_CHARACTERS_MAX} />
      </p>
      {permission !== undefined && (
        <dl className="permission">
          <dt>{permission.tool} wants</dt>
          <dd>
            <code>
              <ForeignText text={permission.about} charactersMax={QUOTE_CHARACTERS_MAX} />
            </code>
          </dd>
        </dl>
      )}
      {answers.includes('answer') && <TextAnswer onAnswer={onAnswer} />}
      <div className="big-buttons">
        {BUTTONS.filter((each) => answers.includes(each)).map((each) => (
          <button key={each} type="button" className={`button big ${STYLES[each]}`} onClick={() => onAnswer(each)}>
            {ANSWER_WORDS[each]}
          </button>
        ))}
      </div>
    </article>
  );
}

function TextAnswer({ onAnswer }: Pick<QuestionProps, 'onAnswer'>): ReactNode {
  const [text, setText] = useState('');
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') onAnswer(text.trim());
  };
  return (
    <form className="answer-box" onSubmit={submit}>
      <label>
        Your answer
        <textarea className="field" value={text} rows={4} onChange={({ target }) => setText(target.value)} />
      </label>
      <button type="submit" className="button big primary" disabled={text.trim() === ''}>
        {ANSWER_WORDS.answer}
      </button>
    </form>
  );
}
