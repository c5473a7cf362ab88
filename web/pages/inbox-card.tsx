// One question: where it comes from, what it says in full, what it blocks and costs, and its answers as large buttons.
import { useId, useState, type ReactNode } from 'react';
import type { InboxItem } from '../../src/core/protocol/web.ts';
import { formatMoney } from '../../src/core/view/chart/format.ts';
import { commandLine, type ShortCommand } from '../../src/core/view/text/command-line.ts';
import { CopyAsCli } from '../parts/copy-as-cli.tsx';
import { ForeignText, QUOTE_CHARACTERS_MAX } from '../parts/foreign-text.tsx';
import { formatDate } from '../model/format-date.ts';
import { ANSWER_WORDS, answerCommand, type InboxAnswer } from '../model/inbox-answers.ts';
import { useApp } from '../store/use-app.ts';

interface InboxCardProps {
  readonly item: InboxItem;
  /** Whether nobody has answered it yet. */
  readonly isOpen: boolean;
}

const WORDS: Readonly<Record<InboxItem['type'], string>> = {
  gate: 'Gate',
  question: 'Question',
  permission: 'Permission',
  judgement: 'Decision',
  conflict: 'Conflict',
  ceiling: 'Ceiling',
};

export function InboxCard({ item, isOpen }: InboxCardProps): ReactNode {
  const { send, linkTo, dashboard } = useApp();
  const [sent, setSent] = useState<string>();
  const name = useId();
  const project = dashboard.runs?.projects.find(({ id }) => id === item.project)?.name ?? item.project;
  const answer = async (command: ShortCommand, words: string): Promise<void> => {
    setSent(words);
    const isTaken = await send({ project: item.project, run: item.run, command });
    if (!isTaken) setSent(undefined);
  };
  const resume = (): void =>
    void send({ project: item.project, run: item.run, command: { type: 'resume', tasks: [] }, starts: true });
  const isReadOnly = dashboard.runs?.isReadOnly === true;
  return (
    <article className={`card ask-card ask-${item.type}`} aria-labelledby={name}>
      <header>
        <span className="badge badge-asks">
          <span aria-hidden="true">?</span> {WORDS[item.type]}
        </span>
        <h2 id={name}>{item.task ?? item.run}</h2>
        <p className="quiet">
          {project} ·{' '}
          <a href={linkTo({ page: 'run', project: item.project, run: item.run, task: item.task })}>{item.run}</a>
          {item.step !== undefined && item.step !== 'main' && ` · step ${item.step}`}
        </p>
      </header>
      <CardText item={item} />
      <CardFacts item={item} />
      {isOpen && (
        // Only out of sight: what was typed is needed again when the answer does not arrive.
        <div hidden={sent !== undefined}>
          <CardAnswers item={item} onAnswer={(command, words) => void answer(command, words)} />
        </div>
      )}
      {(sent !== undefined || !isOpen) && (
        <p className="card-said" role="status">
          {saidOf(isOpen, sent)}
        </p>
      )}
      {!item.isUp && isOpen && (
        <div className="notice">
          <span>The run has no coordinator: an answer is kept until it has one.</span>
          {!isReadOnly && (
            <span className="action">
              <button type="button" className="button" onClick={resume}>
                Resume in the background
              </button>
              <CopyAsCli command={`heddle resume ${item.run}`} isShort />
            </span>
          )}
        </div>
      )}
    </article>
  );
}

function saidOf(isOpen: boolean, sent: string | undefined): string {
  if (isOpen) return `Sent: ${sent ?? ''}. Waiting for the run …`;
  return sent === undefined ? '✓ Over: it was answered elsewhere, or is not asked any more.' : `✓ Answered: ${sent}.`;
}

function CardText({ item: { type, text, permission, usd, ceilingUsd } }: { readonly item: InboxItem }): ReactNode {
  if (type === 'ceiling')
    return (
      <p className="card-text">
        {formatMoney(usd)} of {ceilingUsd === undefined ? 'its budget' : formatMoney(ceilingUsd)} are spent, so no
        further step starts. An amended plan with a higher ceiling lets it go on.
      </p>
    );
  const question = (
    <p className="card-text" tabIndex={0}>
      <ForeignText text={text} charactersMax={QUOTE_CHARACTERS_MAX} />
    </p>
  );
  if (permission === undefined) return question;
  return (
    <>
      {question}
      <dl className="permission">
        <div>
          <dt>Tool</dt>
          <dd>
            <code>{permission.tool}</code>
          </dd>
        </div>
        <div>
          <dt>Wants</dt>
          <dd>
            <code>
              <ForeignText text={permission.about} charactersMax={QUOTE_CHARACTERS_MAX} />
            </code>
          </dd>
        </div>
      </dl>
    </>
  );
}

function CardFacts({ item }: { readonly item: InboxItem }): ReactNode {
  const more = item.blocksCount - item.blocks.length;
  return (
    <p className="quiet card-facts">
      {item.blocksCount === 0
        ? 'Nothing waits behind it.'
        : `Blocks ${item.blocks.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`}
      {item.type !== 'ceiling' && item.usd > 0 && ` ${formatMoney(item.usd)} spent on it so far.`}
      {item.until !== undefined && ` Fails without an answer by ${formatDate(item.until)}.`}
    </p>
  );
}

interface CardAnswersProps {
  readonly item: InboxItem;
  readonly onAnswer: (command: ShortCommand, words: string) => void;
}

const BUTTONS: Readonly<Record<Exclude<InboxAnswer, 'answer' | 'merge'>, string>> = {
  approve: 'primary',
  yes: 'primary',
  always: '',
  no: 'danger',
  reject: 'danger',
  retry: '',
};

function CardAnswers({ item, onAnswer }: CardAnswersProps): ReactNode {
  const { dashboard } = useApp();
  const isReadOnly = dashboard.runs?.isReadOnly === true;
  const task = item.task ?? '';
  if (isReadOnly) return <p className="quiet">This dashboard is read-only.</p>;
  return (
    <div className="card-answers">
      {item.answers.includes('answer') && <AnswerBox item={item} onAnswer={onAnswer} />}
      {item.answers.includes('merge') && (
        <p className="card-merge">
          Resolve it by hand: <CopyAsCli command={`heddle open ${task} --run ${item.run}`} /> then{' '}
          <CopyAsCli command={`heddle merge ${task} --run ${item.run}`} />
        </p>
      )}
      <div className="big-buttons">
        {item.answers.map((each) => {
          if (!isButton(each)) return null;
          const command = answerCommand(item, each);
          return (
            <span key={each} className="action big-action">
              <button
                type="button"
                className={`button big ${BUTTONS[each]}`}
                onClick={() => onAnswer(command, ANSWER_WORDS[each])}
              >
                {ANSWER_WORDS[each]}
              </button>
              <CopyAsCli command={commandLine(item.run, command)} isShort />
            </span>
          );
        })}
      </div>
    </div>
  );
}

const isButton = (answer: string): answer is keyof typeof BUTTONS => Object.hasOwn(BUTTONS, answer);

function AnswerBox({ item, onAnswer }: CardAnswersProps): ReactNode {
  const [text, setText] = useState('');
  const name = useId();
  return (
    <form
      className="answer-box"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onAnswer(answerCommand(item, 'answer', text), 'your answer');
      }}
    >
      <label htmlFor={name}>Your answer to {item.task ?? item.run}</label>
      <textarea id={name} className="field" rows={3} value={text} onChange={(event) => setText(event.target.value)} />
      <span className="action big-action">
        <button type="submit" className="button big primary" disabled={text.trim() === ''}>
          {ANSWER_WORDS.answer}
        </button>
        <CopyAsCli command={commandLine(item.run, answerCommand(item, 'answer', text))} isShort />
      </span>
    </form>
  );
}
