// Why a task is not done, in the sentences of `heddle explain`, as it stood at the position that is looked at.
import type { ReactNode } from 'react';
import { explainTask } from '../../src/core/view/run/explain-task.ts';
import { explanationRows } from '../../src/core/view/text/explain-text.ts';
import { CopyAsCli } from '../parts/copy-as-cli.tsx';
import { StyledRows } from '../parts/styled-row.tsx';
import { useRunView } from '../store/use-app.ts';

export function WhyTab({ task }: { readonly task: string }): ReactNode {
  const { state, now, run } = useRunView();
  const compiled = state.compiled.tasks[state.compiled.indexOf.get(task) ?? -1];
  if (compiled === undefined) return null;
  const given = { inputs: state.run.inputs, env: {} };
  const explanation = explainTask(state, compiled, { now, given, expected: undefined });
  return (
    <div className="why">
      <StyledRows rows={explanationRows(explanation, { now })} />
      <p className="quiet">
        With expected times: <CopyAsCli command={`heddle explain ${task} --run ${run}`} />
      </p>
    </div>
  );
}
