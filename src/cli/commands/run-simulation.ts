import { workSpansOf } from '../../core/simulate/work-spans.ts';
import { chartOf } from '../../core/view/chart/chart.ts';
import { drawSvgChart } from '../../core/view/chart/svg-chart.ts';
import { drawTerminalChart } from '../../core/view/chart/terminal-chart.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { loadPlan, planOf } from '../../app/plan/load-plan.ts';
import { printDiagnostics } from '../text/diagnostic-text.ts';
import { criticalLines, forecastLines, historyLines } from '../text/forecast-text.ts';
import { simulatePlan } from '../../app/plan/checked-plan.ts';
import type { SettingsFlags } from '../../app/plan/settings-flags.ts';
import { writeOutput, paint, type Terminal } from '../terminal/terminal.ts';
import type { Ended } from '../../core/engine/event.ts';
import type { State } from '../../core/engine/state.ts';
import { firstOf } from '../../core/view/text/count-text.ts';
import { aligned } from '../text/rows.ts';

export interface SimulateFlags extends SettingsFlags {
  readonly seed: number;
  readonly failures: number | undefined;
  readonly spread: number | undefined;
  readonly policy: 'parallel' | 'serial';
  readonly svg: string | undefined;
  readonly json: boolean;
  readonly events: boolean;
}

const ROWS_SHOWN_MAX = 40;

/** `heddle simulate`: the run in virtual time, its forecast and its Gantt chart. */
export async function simulateFile(
  terminal: Terminal,
  file: string | undefined,
  flags: SimulateFlags,
): Promise<ExitCode> {
  const loaded = loadPlan(file, flags);
  const plan = planOf(loaded);
  if (plan === undefined || !flags.json) printDiagnostics(terminal, loaded.diagnostics, loaded.texts);
  if (plan === undefined) return EXIT.wrong;
  const { seed, policy, failures: failureShare, spread } = flags;
  const {
    compiled,
    forecast: predicted,
    record,
    run,
  } = await simulatePlan(plan, { seed, policy, failureShare, spread });
  const drawn = workSpansOf(run.events);
  const chart = chartOf(compiled, { spans: drawn, critical: predicted.critical, makespanMs: run.makespanMs });
  if (flags.svg !== undefined) writeOutput(terminal, flags.svg, [drawSvgChart(chart)]);
  if (flags.json) {
    const { spans: _expected, ...summary } = predicted;
    const simulated = { seed, policy, makespanMs: run.makespanMs, spans: drawn, endings: endingsOf(run.state) };
    terminal.out(
      JSON.stringify(
        { plan: plan.name, forecast: summary, run: simulated, events: flags.events ? run.events : undefined },
        undefined,
        2,
      ),
    );
    return EXIT.done;
  }
  const sections = [
    [drawTerminalChart(chart, { width: terminal.width, colour: terminal.colour, rowsMax: ROWS_SHOWN_MAX }).trimEnd()],
    endingLines(terminal, run.state),
    criticalLines(terminal, predicted),
    [...forecastLines(terminal, plan, predicted), ...historyLines(terminal, { record })],
    flags.svg === undefined ? [] : [`The chart is in ${flags.svg}.`],
  ];
  terminal.out(
    sections
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n'),
  );
  return EXIT.done;
}

const SHOWN_MAX = 20;

function endingsOf(state: State): Readonly<Record<string, Ended | undefined>> {
  return Object.fromEntries(state.compiled.tasks.map(({ task, index }) => [task.path, state.tasks[index]?.ended]));
}

function endingLines(terminal: Terminal, state: State): readonly string[] {
  const notDone = Object.entries(endingsOf(state)).flatMap(([task, ended]) =>
    ended === undefined || ended.ending === 'done'
      ? []
      : [[task, ended.ending, [ended.reason, ended.cause].filter((part) => part !== undefined).join(': ')]],
  );
  if (notDone.length === 0) return [];
  const { shown, more } = firstOf(notDone, SHOWN_MAX);
  return [
    paint(terminal, 'strong', 'Not done'),
    ...aligned(shown),
    ...(more === 0 ? [] : [paint(terminal, 'quiet', `  … and ${more} more`)]),
  ];
}
