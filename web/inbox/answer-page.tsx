// The page behind a link in a notification: one question in full, and its answers. It works once.
import { useEffect, useState, type ReactNode, type SubmitEvent } from 'react';
import type { InboxItem, TicketReply } from '../../src/core/protocol/web.ts';
import type { Answer, ServerApi } from '../client/server-api.ts';
import { troubleText } from '../client/trouble-text.ts';
import { EmptyState, LoadingState } from '../parts/empty-state.tsx';

const PATH = '/api/answer';

const WORDS: Readonly<Record<string, string>> = {
  approve: 'Approve',
  reject: 'Reject',
  retry: 'Try again',
  yes: 'Allow',
  no: 'Refuse',
  always: 'Allow always',
};

export function AnswerPage({ api }: { readonly api: ServerApi }): ReactNode {
  const [question, setQuestion] = useState<Answer<TicketReply>>();
  const [sent, setSent] = useState<Answer<unknown>>();
  useEffect(() => void api.get<TicketReply>(PATH).then(setQuestion), [api]);
  const answer = (text: string): void => void api.post(PATH, { answer: text }).then(setSent);
  return (
    <main className="page inbox">
      <h1>Heddle asks</h1>
      {question === undefined ? <LoadingState title="Looking for the question …" /> : <Failed answer={question} />}
      {question?.type === 'ok' && sent === undefined && <Question item={question.value.item} onAnswer={answer} />}
      {sent?.type === 'ok' && (
        <p className="card-said" role="status">
          ✓ Sent. This link works no more.
        </p>
      )}
      {sent !== undefined && <Failed answer={sent} />}
    </main>
  );
}

function Failed({ answer }: { readonly answer: Answer<unknown> }): ReactNode {
  if (answer.type === 'ok') return null;
  return <EmptyState title={troubleText(answer)} isAlert command="heddle web" />;
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
      <p className="card-text">{text}</p>
      {permission !== undefined && (
        <p>
          <code>{permission.tool}</code> <code>{permission.about}</code>
        </p>
      )}
      {answers.includes('answer') && <TextAnswer onAnswer={onAnswer} />}
      <p className="card-answers">
        {answers
          .filter((each) => WORDS[each] !== undefined)
          .map((each) => (
            <button key={each} type="button" onClick={() => onAnswer(each)}>
              {WORDS[each]}
            </button>
          ))}
      </p>
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
    <form onSubmit={submit}>
      <label>
        Your answer
        <textarea value={text} rows={4} onChange={({ target }) => setText(target.value)} />
      </label>
      <button type="submit">Send</button>
    </form>
  );
}
