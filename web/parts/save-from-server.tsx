// Files that the server makes: the report of the run, as `heddle report` writes it, and the firings of its net for Petrinaut.
// The policy of the dashboard forbids the styles inside of a report, so it is saved and not shown here.
import { useState, type ReactNode } from 'react';
import { runPath } from '../client/server-api.ts';
import { apiErrorText } from '../client/api-error-text.ts';
import { useApp, useRunView } from '../store/use-app.ts';
import { saveBlob } from './save-view.tsx';

interface SaveFromServerProps {
  readonly label: string;
  /** The reply of the server about the run. */
  readonly reply: string;
  /** The end of the name of the file. */
  readonly ending: string;
  readonly type: string;
  readonly title?: string;
}

function SaveFromServer({ label, reply, ending, type, title }: SaveFromServerProps): ReactNode {
  const { api, notify } = useApp();
  const { project, run } = useRunView();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    const answer = await api.getText(runPath(project, run, reply));
    setBusy(false);
    if (answer.type === 'ok') saveBlob(`${run}${ending}`, new Blob([answer.value], { type }));
    else notify({ style: 'bad', text: apiErrorText(answer) });
  };
  return (
    <button type="button" disabled={isBusy} title={title} onClick={() => void save()}>
      {label}
    </button>
  );
}

export const SaveReport = (): ReactNode => (
  <SaveFromServer label="Save report" reply="report" ending="-report.html" type="text/html" />
);

export const SaveFirings = (): ReactNode => (
  <SaveFromServer
    label="Save for Petrinaut"
    reply="petrinaut"
    ending="-petrinaut.ndjson"
    type="application/x-ndjson"
    title="The net, its marking and every firing so far, a line each"
  />
);
