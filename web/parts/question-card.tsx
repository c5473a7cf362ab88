// A question in full, and its answers as buttons.
import { useState, type ReactNode } from 'react';
import { formatMoment } from '../../src/core/view/chart/format.ts';
import type { OpenQuestion } from '../../src/core/view/run/open-question.ts';
import { ANSWER_WORDS, answerCommand } from '../model/inbox-answers.ts';
import { useRunView } from '../store/use-app.ts';
import { ActionButton } from './action-button.tsx';
import { CopyAsCli } from './copy-as-cli.tsx';
import { ForeignText, QUOTE_CHARACTERS_MAX } from './foreign-text.tsx';

export function QuestionCard({ question }: { readonly question: OpenQuestion }): ReactNode {
  const { now } = useRunView();
  const { task, text, permission, until, answers } = question;
  const [words, setWords] = useState('');
  return (
    <section className="question" aria-label={`Question of ${task}`}>
      <p className="question-text">
        <ForeignText text={text} charactersMax={QUOTE_CHARACTERS_MAX} />
      </p>
      {permission !== undefined && (
        <pre className="question-permission">
          {permission.tool} <ForeignText text={permission.about} charactersMax={QUOTE_CHARACTERS_MAX} />
        </pre>
      )}
      {until !== undefined && (
        <p className="quiet">Without an answer it fails in {formatMoment(Math.max(0, until - now))}.</p>
      )}
      {answers.includes('answer') && (
        <label className="question-answer">
          <span>Your answer</span>
          <textarea className="field" rows={3} value={words} onChange={(event) => setWords(event.target.value)} />
        </label>
      )}
      <div className="actions">
        {answers.map((answer) => (
          <AnswerButton key={answer} answer={answer} question={question} words={words} onSent={() => setWords('')} />
        ))}
      </div>
    </section>
  );
}

interface AnswerButtonProps {
  readonly answer: OpenQuestion['answers'][number];
  readonly question: OpenQuestion;
  /** What the person has typed. */
  readonly words: string;
  readonly onSent: () => void;
}

function AnswerButton({ answer, question, words, onSent }: AnswerButtonProps): ReactNode {
  const { run } = useRunView();
  const { task } = question;
  const label = ANSWER_WORDS[answer];
  if (answer === 'merge')
    return (
      <span className="action">
        <CopyAsCli command={`heddle open ${task} --run ${run}`} />
        <ActionButton label={label} command={{ type: 'merge', task, commit: undefined }} />
      </span>
    );
  return (
    <ActionButton
      label={label}
      style={STYLES[answer]}
      isDisabled={answer === 'answer' && words.trim() === ''}
      command={answerCommand(question, answer, words)}
      onSent={onSent}
    />
  );
}

const STYLES: Readonly<Partial<Record<AnswerButtonProps['answer'], 'primary' | 'danger'>>> = {
  approve: 'primary',
  yes: 'primary',
  answer: 'primary',
  no: 'danger',
  reject: 'danger',
};
