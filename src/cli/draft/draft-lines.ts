// A draft as a person judges it: the plan, its picture, what it takes, what guards it, what was assumed, what is wrong.
import type { DraftAnswer } from '../../app/draft/drafting.ts';
import type { JudgedDraft } from '../../app/draft/judge-answer.ts';
import type { DraftFinding } from '../../core/draft/draft-finding.ts';
import { workIn } from '../../core/draft/task-findings.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { chartOf } from '../../core/view/chart/chart.ts';
import { formatMoney } from '../../core/view/chart/format.ts';
import { drawTerminalChart } from '../../core/view/chart/terminal-chart.ts';
import { firstOf, plural } from '../../core/view/text/count-text.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { criticalLines, forecastLines } from '../text/forecast-text.ts';
import { eligibilityLines, overlapLines } from '../text/plan-lines.ts';
import { verdictLines } from '../text/proof-text.ts';
import { aligned } from '../text/rows.ts';

const ROWS_SHOWN_MAX = 40;

export function draftLines(terminal: Terminal, judged: JudgedDraft): readonly string[] {
  const { text, checked, findings } = judged;
  const sections = [
    text === undefined ? [] : text.trimEnd().split('\n'),
    ...(checked === undefined ? [] : checkedSections(terminal, checked)),
    listSection(terminal, 'Why', judged.reasons),
    listSection(terminal, 'Assumes', judged.assumptions),
    findingLines(terminal, findings),
  ];
  return sections.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

function checkedSections(
  terminal: Terminal,
  { plan, compiled, proof, eligibility, overlaps, forecast }: NonNullable<JudgedDraft['checked']>,
): readonly (readonly string[])[] {
  const { width, colour } = terminal;
  const chart =
    forecast === undefined
      ? undefined
      : chartOf(compiled, { spans: forecast.spans, critical: forecast.critical, makespanMs: forecast.expectedMs });
  return [
    chart === undefined ? [] : [drawTerminalChart(chart, { width, colour, rowsMax: ROWS_SHOWN_MAX }).trimEnd()],
    [...verdictLines(terminal, proof), ...eligibilityLines(terminal, eligibility)],
    overlapLines(terminal, overlaps),
    guardLines(terminal, plan),
    forecast === undefined ? [] : criticalLines(terminal, forecast),
    forecast === undefined ? [] : forecastLines(terminal, plan, forecast),
  ];
}

/** The checks of single tasks and of merged trees. */
function guardLines(terminal: Terminal, plan: Plan): readonly string[] {
  const tasks = workIn(plan.tasks);
  const ofMerges = new Set(tasks.flatMap(({ settings }) => settings.merge.check ?? []));
  const rows = [
    ...tasks.flatMap(({ path, check }) => (check === undefined ? [] : [[path, check]])),
    ...[...ofMerges].map((check) => ['every merge', check]),
  ];
  if (rows.length === 0) return [paint(terminal, 'warn', 'No check guards it.')];
  const { shown, more } = firstOf(rows, ROWS_SHOWN_MAX);
  return [
    paint(terminal, 'strong', 'Checks'),
    ...aligned(shown),
    ...(more === 0 ? [] : [paint(terminal, 'quiet', `  … and ${more} more`)]),
  ];
}

const listSection = (terminal: Terminal, title: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : [paint(terminal, 'strong', title), ...items.map((item) => `  - ${item}`)];

export function findingLines(terminal: Terminal, findings: readonly DraftFinding[]): readonly string[] {
  if (findings.length === 0) return [];
  const { shown, more } = firstOf(findings, ROWS_SHOWN_MAX);
  return [
    paint(terminal, 'strong', 'Not right yet'),
    ...shown.map(({ code, severity, message, hint, position }) => {
      const where = position === undefined ? '' : `line ${position.line} `;
      const word = severity === 'error' ? paint(terminal, 'bad', `error ${code}`) : paint(terminal, 'warn', code);
      return `  ${where}${word}: ${message} ${hint}`;
    }),
    ...(more === 0 ? [] : [`  … and ${more} more`]),
  ];
}

/** One line about a draft while drafting goes on. */
export function draftLine({ number, judged, usd }: DraftAnswer, goesBack: boolean): string {
  const { checked, findings } = judged;
  const tasks = checked === undefined ? '' : `${plural(workIn(checked.plan.tasks).length, 'task')}; `;
  const codes = [...new Set(findings.map(({ code }) => code))].join(', ');
  const verdict = findings.length === 0 ? 'nothing wrong with it' : `${plural(findings.length, 'finding')} (${codes})`;
  const cost = usd === undefined || usd === 0 ? '' : `, ${formatMoney(usd)}`;
  return `Draft ${number}: ${tasks}${verdict}${goesBack ? ', sent back' : ''}${cost}.`;
}
