// A comment on a line of the diff, sent to the agent of the task as its next turn.
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { commandLine } from '../../src/core/view/text/command-line.ts';
import { commentCommand } from '../model/diff-comment.ts';
import { taskRows } from '../model/task-rows.ts';
import { CopyAsCli } from '../parts/copy-as-cli.tsx';
import { useApp, useRunView } from '../store/use-app.ts';
import type { DiffPlace } from './diff-file.tsx';

interface CommentBoxProps {
  readonly task: string;
  readonly place: DiffPlace;
  readonly onClose: () => void;
}

export function CommentBox({ task, place, onClose }: CommentBoxProps): ReactNode {
  const { send, dashboard } = useApp();
  const { project, run, state, status, isLive } = useRunView();
  const [comment, setComment] = useState('');
  const [isSending, setSending] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const name = useId();
  useEffect(() => box.current?.focus(), [place]);
  const row = taskRows(state, status).find(({ path }) => path === task);
  const agent = row?.agent ?? 'the agent';
  const isReadOnly = dashboard.runs?.isReadOnly === true;
  const command = commentCommand(task, status.questions, { ...place, comment });
  const isPast = isReadOnly || !isLive;
  const submit = async (): Promise<void> => {
    setSending(true);
    const isTaken = await send({ project, run, command });
    setSending(false);
    if (isTaken) onClose();
  };
  return (
    <form
      className="comment-box"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <label htmlFor={name}>
        Comment on {place.path}:{place.line}
      </label>
      <textarea
        ref={box}
        id={name}
        className="field"
        rows={3}
        value={comment}
        onChange={(event) => setComment(event.target.value)}
      />
      <div className="tool-row">
        <button type="submit" className="button primary" disabled={comment.trim() === '' || isSending || isPast}>
          Send to {agent} as its next turn
        </button>
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <CopyAsCli command={commandLine(run, command)} isShort />
        {isPast && (
          <span className="quiet">
            {isReadOnly ? 'This dashboard is read-only.' : 'Go to live to send it: the run has moved on from here.'}
          </span>
        )}
      </div>
    </form>
  );
}
