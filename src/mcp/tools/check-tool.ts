// `check`: everything that can be known of a plan before the first dollar.
import { z } from 'zod';
import { checkedPlan, isUnsound } from '../../app/plan/checked-plan.ts';
import { loadNamedPlan, planOf } from '../../app/plan/load-plan.ts';
import { verdictRows } from '../../core/view/text/verdict-rows.ts';
import { diagnosticLines, forecastTexts, plainLineOf, sizeText, wrongPlanText } from '../call/plan-texts.ts';
import { makeTool } from '../call/tool.ts';
import { failed } from '../call/tool-reply.ts';

/** Of every tool that takes a plan. */
export const PLAN_FIELDS = {
  plan: z.string().optional().describe('text of the plan'),
  file: z.string().optional().describe('or its file, from the project folder; default plan.yaml'),
} as const;

/** A forecast that is asked for twice is the same. */
const SEED = 1;
const READY_MAX = 20;

export const CHECK = makeTool({
  name: 'check',
  description:
    'Check a plan: all mistakes with line, column and hint; a proof that it can finish; a forecast of time and cost; files that parallel tasks both write. Runs nothing. Do this before start.',
  input: z.object(PLAN_FIELDS),
  changes: false,
  run: async ({ plan: text, file }, { mcp }) => {
    const loaded = loadNamedPlan({ text, file }, mcp.project);
    const plan = planOf(loaded);
    if (plan === undefined) return failed(wrongPlanText(loaded.diagnostics));
    const checked = await checkedPlan(plan, SEED, mcp.project);
    const lines = [
      sizeText(checked),
      ...diagnosticLines(loaded.diagnostics),
      ...verdictRows(checked.proof).map(plainLineOf),
      `Can start now: ${checked.eligibility.ready.slice(0, READY_MAX).join(', ')}`,
      ...forecastTexts(checked),
    ];
    return isUnsound(checked.proof) ? failed(lines.join('\n')) : lines.join('\n');
  },
});
