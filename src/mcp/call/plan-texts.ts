// Plans in words for models: diagnostics with their places, the verdict, the forecast.
import { runCapOf } from '../../core/plan/run-cap.ts';
import type { PlanCheck, Proof } from '../../app/plan/checked-plan.ts';
import type { Diagnostic } from '../../core/plan/diagnostic.ts';
import { plural } from '../../core/view/text/count-text.ts';
import { forecastRows } from '../../core/view/text/forecast-rows.ts';
import { textOf, type TextRow } from '../../core/view/text/styled-text.ts';
import { verdictRows } from '../../core/view/text/verdict-rows.ts';

/** Beyond this many, diagnostics are counted: the first ones usually cause the others. */
const DIAGNOSTICS_MAX = 100;

export const plainLineOf = (row: TextRow): string => row.map(textOf).join('').trimEnd();

export function diagnosticLines(diagnostics: readonly Diagnostic[]): readonly string[] {
  const shown = diagnostics.slice(0, DIAGNOSTICS_MAX);
  const more = diagnostics.length - shown.length;
  return [
    ...shown.flatMap(({ file, position: { line, column }, severity, code, message, hint }) => [
      `${file}:${line}:${column} ${severity} ${code}: ${message}`,
      `  hint: ${hint}`,
    ]),
    ...(more === 0 ? [] : [`… and ${more} more.`]),
  ];
}

export function wrongPlanText(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return [`The plan is wrong: ${plural(errors, 'error')}.`, ...diagnosticLines(diagnostics)].join('\n');
}

export const unsoundText = (proof: Proof): string => verdictRows(proof).map(plainLineOf).join('\n');

/** Name and size of a plan. */
export function sizeText({ plan, compiled }: PlanCheck): string {
  const steps = compiled.tasks.reduce((sum, task) => sum + task.steps.length, 0);
  const working = compiled.tasks.filter(({ task }) => task.type !== 'subplan').length;
  return `${plan.name}: ${plural(working, 'task')}, ${plural(steps, 'step')}, ${runCapOf(plan)} at once`;
}

export function forecastTexts({ plan, forecast }: PlanCheck): readonly string[] {
  if (forecast === undefined) return [];
  const { rows, note } = forecastRows(plan, forecast);
  const lines = rows.map(([name, ...figures]) => `  ${name}: ${figures.filter((each) => each !== '').join(', ')}`);
  return ['Forecast', ...lines, `  ${note}`];
}
