// A question in full, and its answers as buttons.
import { useState, type ReactNode } from 'react';
import { formatMoment } from '../../src/core/view/chart/format.ts';
import type { OpenQuestion } from '../../src/core/view/run/open-question.ts';
import { useRunView } from '../store/use-app.ts';
import { ActionButton } from './action-button.tsx';
import { CopyAsCli } from './copy-as-cli.tsx';

export function QuestionCard({ question }: { readonly question: OpenQuestion }): ReactNode {
  const { now } = useRunView();
  const { task, text, permission, until, answers } = question;
  const [words, setWords] = useState('');
  return (
    <section className="question" aria-label={`Question of ${task}`}>
      <p className="question-text">{text}</p>
      {permission !== undefined && (
        <pre className="question-permission">
          {permission.tool} {permission.about}
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

const LABELS: Readonly<Record<AnswerButtonProps['answer'], string>> = {
  approve: 'Approve',
  reject: 'Reject',
  retry: 'Retry',
  merge: 'Merge as resolved',
  answer: 'Answer',
  yes: 'Yes',
  no: 'No',
  always: 'Always',
};

function AnswerButton({ answer, question, words, onSent }: AnswerButtonProps): ReactNode {
  const { run } = useRunView();
  const { task } = question;
  // The only step of a task without steps goes by the name of the task.
  const step = question.step === 'main' ? undefined : question.step;
  const flag = step === undefined ? '' : ` --step ${step}`;
  const label = LABELS[answer];
  switch (answer) {
    case 'approve':
    case 'reject': {
      const style = answer === 'approve' ? 'primary' : 'danger';
      const cli = `${answer} ${run} ${task}${flag}`;
      return <ActionButton label={label} style={style} command={{ type: answer, task, step }} cli={cli} />;
    }
    case 'retry':
      return <ActionButton label={label} command={{ type: answer, tasks: [task] }} cli={`retry ${run} ${task}`} />;
    case 'merge':
      return (
        <span className="action">
          <CopyAsCli command={`heddle open ${task}`} />
          <ActionButton
            label={label}
            command={{ type: answer, task, commit: undefined }}
            cli={`merge ${run} ${task}`}
          />
        </span>
      );
    case 'answer':
    case 'yes':
    case 'no':
    case 'always': {
      const text = answer === 'answer' ? words : answer;
      return (
        <ActionButton
          label={label}
          style={answer === 'answer' || answer === 'yes' ? 'primary' : undefined}
          isDisabled={text.trim() === ''}
          command={{ type: 'answer', task, step, text }}
          cli={`answer ${run} ${task}${flag} ${JSON.stringify(text)}`}
          onSent={onSent}
        />
      );
    }
  }
}
