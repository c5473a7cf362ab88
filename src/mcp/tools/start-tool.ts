// `start`: starts a run in a process of its own, after the person has seen its forecast and its ceiling.
import { z } from 'zod';
import { previewStart, startAsShown, type ShownStart, type ShownStartRequest } from '../../app/run/start-shown.ts';
import type { Json } from '../../core/plan/plan.ts';
import { formatMoney } from '../../core/view/chart/format.ts';
import { yesField } from '../call/confirmation.ts';
import { diagnosticLines, forecastTexts, sizeText, unsoundText, wrongPlanText } from '../call/plan-texts.ts';
import { outsideTexts } from '../call/outside-texts.ts';
import { makeTool } from '../call/tool.ts';
import { failed, quotedLines } from '../call/tool-reply.ts';
import { typedLine } from '../call/typed-line.ts';
import { PLAN_FIELDS } from './check-tool.ts';

export const START = makeTool({
  name: 'start',
  description:
    'Start a run of a plan. Asks the person, with the forecast and the ceiling. Returns at once; the run goes on by itself: use wait.',
  input: z.object({
    ...PLAN_FIELDS,
    ceiling_usd: z.number().positive().describe('the most it may spend; ask the person if unsure'),
    inputs: z.record(z.string(), z.string()).optional().describe("values of the plan's inputs"),
  }),
  changes: true,
  run: async ({ plan: text, file, ceiling_usd: ceilingUsd, inputs = {} }, { mcp, ask }) => {
    const request: ShownStartRequest = {
      project: mcp.project,
      plan: { text, file },
      ceilingUsd,
      inputs: Object.entries(inputs).map(([name, value]) => `${name}=${value}`),
    };
    const preview = await previewStart(request);
    if (preview.type === 'wrong') return failed(wrongPlanText(preview.diagnostics));
    if (preview.type === 'unsound') return failed(unsoundText(preview.proof));
    const { shown } = preview;
    const answered = await ask({
      tool: 'start',
      run: undefined,
      position: 0,
      message: messageOf(mcp.project.root, shown),
      expects: shown.expects,
      field: yesField('Start the run'),
      commandLine: commandLineOf(request, shown),
    });
    if (answered.type === 'reply') return answered.reply;
    if (answered.value !== true) return 'The person did not say yes. Nothing was started.';
    const sent = await startAsShown(request, shown.expects);
    switch (sent.type) {
      case 'wrong':
        return failed(wrongPlanText(sent.diagnostics));
      case 'unsound':
        return failed(unsoundText(sent.proof));
      case 'outdated':
        return failed(
          'The plan or the repository changed while the person was asked. Nothing was started; call start again.',
        );
      case 'started':
        return `${sent.run} has started and goes on by itself. Call wait with run: ${sent.run}.\nPosition: 1`;
    }
  },
});

function messageOf(folder: string, shown: ShownStart): string {
  const { checked, diagnostics, ceilingUsd, base, inputs } = shown;
  const agents = checked.plan.agents.map(({ name }) => name).join(', ');
  const lands = checked.plan.settings.merge.auto === 'auto' ? '' : ' Nothing lands on your branch by itself.';
  return [
    `Start a run of ${sizeText(checked)}?`,
    `It may spend up to ${formatMoney(ceilingUsd)}${agents === '' ? '' : ` through ${agents}`}.`,
    `In ${folder}${base === undefined ? ', in place' : `, from commit ${base.slice(0, 12)}`}.${lands}`,
    ...outsideTexts(checked.plan),
    ...Object.entries(inputs).flatMap(([name, value]) => [`With ${name}`, quotedLines(textOfInput(value))]),
    ...diagnosticLines(diagnostics),
    ...forecastTexts(checked),
  ].join('\n');
}

const textOfInput = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

const commandLineOf = ({ plan, inputs }: ShownStartRequest, { ceilingUsd }: ShownStart): string =>
  typedLine({
    words: ['run'],
    plan,
    flags: ['--budget-usd', String(ceilingUsd), '--detach', ...inputs.flatMap((input) => ['--input', input])],
  });
