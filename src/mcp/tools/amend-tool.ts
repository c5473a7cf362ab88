// `amend`: gives a run another plan: shows the effect on each task, then does what was shown or nothing.
import { z } from 'zod';
import { chooseRun } from '../../app/open-project.ts';
import { loadNamedPlan } from '../../app/plan/load-plan.ts';
import { amendAsShown, previewAmend, type AmendSent, type ShownAmendment } from '../../app/web/amend-shown.ts';
import { amendRefusalText, repliedText } from '../../core/view/text/command-reply-text.ts';
import { changeText, planNoteText, stillFailedText } from '../../core/view/text/amendment-text.ts';
import { yesField } from '../call/confirmation.ts';
import { withMcpStore } from '../call/mcp-context.ts';
import { diagnosticLines, wrongPlanText } from '../call/plan-texts.ts';
import { makeTool } from '../call/tool.ts';
import { failed } from '../call/tool-reply.ts';
import { typedLine } from '../call/typed-line.ts';
import { PLAN_FIELDS } from './check-tool.ts';
import { RUN_FIELD } from './status-tool.ts';

export const AMEND = makeTool({
  name: 'amend',
  description:
    'Give a run a changed plan: shows the person which tasks are kept, restarted, added and cancelled, then does exactly that. With show it only shows.',
  input: z.object({ ...RUN_FIELD, ...PLAN_FIELDS, show: z.boolean().optional() }),
  changes: true,
  run: async ({ run, plan, file, show = false }, { mcp, ask }) =>
    await withMcpStore(mcp, 'control', async (open) => {
      const record = chooseRun(open.store, run);
      const text = plan ?? loadNamedPlan({ text: undefined, file }, mcp.project).text;
      // `start` required a ceiling, and only a person may raise it, who is shown another one.
      const change = { text, keepsCeiling: true };
      const read = await previewAmend(open, record, change);
      if (read.type === 'wrong') return failed(wrongPlanText(read.diagnostics));
      if (read.type === 'unsound') return failed('The changed plan could not finish; check says why.');
      const { preview, diagnostics } = read;
      const shown = [...effectLines(preview), ...diagnosticLines(diagnostics)].join('\n');
      if (show || preview.isSame || preview.refused.length > 0) return shown;
      const answered = await ask({
        tool: 'amend',
        run: record.run,
        position: preview.position,
        message: `Amend ${record.run}?\n${shown}`,
        expects: JSON.stringify([text, preview.expects]),
        field: yesField(`Amend ${record.run}`),
        commandLine: typedLine({ words: ['amend', record.run], plan: { text: plan, file } }),
      });
      if (answered.type === 'reply') return answered.reply;
      if (answered.value !== true) return 'The person did not say yes. Nothing was done.';
      return sentTextOf(
        record.run,
        await amendAsShown(open, record, { ...change, expects: preview.expects, starts: true }),
      );
    }),
});

/** Unchanged tasks are only counted. */
function effectLines({ run, tasks, plan, refused, isSame, stillFailed }: ShownAmendment): readonly string[] {
  if (isSame) return [`${run} follows this plan already; there is nothing to amend.`];
  const touched = tasks.filter(({ isTouched }) => isTouched);
  const failedStill = stillFailedText(run, stillFailed);
  return [
    ...touched.map((change) => `${change.does} ${change.task}: ${changeText(change)}`),
    `keep ${tasks.length - touched.length} as they are`,
    ...plan.map(
      ({ part, before, after, note }) =>
        `plan ${part}: ${before} → ${after}${note === undefined ? '' : ` (${planNoteText(note)})`}`,
    ),
    ...refused.map((reason) => `refused: ${amendRefusalText(reason)}.`),
    ...(failedStill === '' ? [] : [failedStill]),
  ];
}

function sentTextOf(run: string, sent: AmendSent) {
  switch (sent.type) {
    case 'wrong':
      return failed(wrongPlanText(sent.diagnostics));
    case 'unsound':
      return failed('The changed plan could not finish; check says why.');
    case 'outdated':
    case 'impossible':
    case 'same':
      return failed(
        `${run} has moved on, and nothing was done. Call amend again.\n${effectLines(sent.preview).join('\n')}`,
      );
    case 'vacant':
      return `No process runs ${run}: ${sent.commandLine.join(' ')} goes on with it.`;
    case 'started':
      return `${run} goes on in the background with the changed plan.`;
    case 'replied':
    case 'paused':
      return repliedText(sent.replied);
  }
}
