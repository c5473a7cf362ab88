// The changes of a task, whole or by step, inline or side by side; a comment on a line goes back to the agent.
import { useMemo, useState, type ReactNode } from 'react';
import type { RunEvent } from '../../src/core/engine/event.ts';
import type { Refusal } from '../../src/core/view/text/refusal.ts';
import { refusalText } from '../../src/core/view/text/refusal-text.ts';
import { diffPath } from '../client/run-files.ts';
import { readDiff, type DiffFile } from '../model/diff-files.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { LoadState } from '../parts/load-state.tsx';
import { useLoad } from '../parts/use-load.ts';
import type { RunView } from '../store/run-store.ts';
import { useApp, useRunView } from '../store/use-app.ts';
import { CommentBox } from './comment-box.tsx';
import { DiffFileView, type DiffPlace } from './diff-file.tsx';

const FILES_MAX = 300;

export function DiffTab({ task }: { readonly task: string }): ReactNode {
  const { api, route, go } = useApp();
  const { project, run, state, status } = useRunView();
  const step = route.options['step'];
  const isSplit = route.options['diff'] === 'split';
  const index = state.compiled.indexOf.get(task) ?? -1;
  const tip = state.tasks[index]?.tip ?? '';
  const steps = state.compiled.tasks[index]?.steps.map((each) => each.step.id) ?? [];
  const isRunning = status.running.some((work) => work.task === task);
  const version = `${tip} ${isRunning ? 'runs' : 'rests'}`;
  const refusal = refusalBefore(useRunView(), task, step);
  const path = refusal === undefined ? diffPath({ project, run, task }, step) : undefined;
  const loaded = useLoad({ path, version, load: api.getText });
  const text = loaded.type === 'ready' ? loaded.value : '';
  const files = useMemo(() => readDiff(text), [text]);
  const [place, setPlace] = useState<DiffPlace>();
  return (
    <div className="diff">
      <div className="tool-row">
        {steps.length > 1 && (
          <select
            className="field"
            aria-label="Which step"
            value={step ?? ''}
            onChange={(event) => go({ options: { step: event.target.value } }, 'replace')}
          >
            <option value="">All steps</option>
            {steps.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        )}
        <span className="switch" role="group" aria-label="Form of the diff">
          <button type="button" aria-pressed={!isSplit} onClick={() => go({ options: { diff: undefined } }, 'replace')}>
            Inline
          </button>
          <button type="button" aria-pressed={isSplit} onClick={() => go({ options: { diff: 'split' } }, 'replace')}>
            Side by side
          </button>
        </span>
        {files.length > 0 && <DiffCounts files={files} />}
      </div>
      {refusal !== undefined ? (
        <EmptyState title={refusalText(refusal)} />
      ) : loaded.type === 'ready' ? (
        <>
          {files.length === 0 && <EmptyState title="No changes" />}
          {files.slice(0, FILES_MAX).map((file) => (
            <DiffFileView
              key={file.path}
              file={file}
              isSplit={isSplit}
              place={place?.path === file.path ? place : undefined}
              onPlace={setPlace}
              comment={place && <CommentBox task={task} place={place} onClose={() => setPlace(undefined)} />}
            />
          ))}
          {files.length > FILES_MAX && <p className="quiet">… and {files.length - FILES_MAX} more files.</p>}
        </>
      ) : (
        <LoadState loaded={loaded} what="the diff" />
      )}
    </div>
  );
}

/** What the server would say, where the log says it already. */
function refusalBefore(view: RunView, task: string, step: string | undefined): Refusal | undefined {
  const { run, state, events, position } = view;
  const { base } = state.run;
  if (base === undefined) return { code: 'in-place', run };
  const tip = state.tasks[state.compiled.indexOf.get(task) ?? -1]?.tip;
  const hasCommitted = (event: RunEvent, at: number): boolean =>
    at < position &&
    event.type === 'claim.ended' &&
    event.task === task &&
    event.step === step &&
    event.result?.commit !== undefined;
  const isThere = tip !== undefined && tip !== base && (step === undefined || events.some(hasCommitted));
  return isThere ? undefined : { code: 'nothing-committed', run, task };
}

function DiffCounts({ files }: { readonly files: readonly DiffFile[] }): ReactNode {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  return (
    <p>
      {files.length} {files.length === 1 ? 'file' : 'files'}, <span className="text-done">+{added}</span>{' '}
      <span className="text-failed">−{removed}</span>
    </p>
  );
}
