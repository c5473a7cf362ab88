// The report of the run as a file: one page of HTML, as `heddle report` writes it. The policy of the dashboard forbids the
// styles inside of it, so it is saved and not shown here.
import { useState, type ReactNode } from 'react';
import { ofRun } from '../client/server-api.ts';
import { troubleText } from '../client/trouble-text.ts';
import { useApp, useRunView } from '../store/use-app.ts';
import { saveBlob } from './save-view.tsx';

export function SaveReport(): ReactNode {
  const { api, notify } = useApp();
  const { project, run } = useRunView();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    const answer = await api.getText(ofRun(project, run, 'report'));
    setBusy(false);
    if (answer.type === 'ok') saveBlob(`${run}-report.html`, new Blob([answer.value], { type: 'text/html' }));
    else notify({ style: 'bad', text: troubleText(answer) });
  };
  return (
    <button type="button" className="button save-report" disabled={isBusy} onClick={() => void save()}>
      Save report
    </button>
  );
}
