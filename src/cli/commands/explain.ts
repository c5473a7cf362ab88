import { simulateOn } from '../../core/simulate/simulate-on.ts';
import { explainTask } from '../../core/view/run/explain/explain-task.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { explanationLines } from '../text/explain-text.ts';
import { chooseRun } from '../../app/choose-run.ts';
import { foldRun, taskOf } from '../../app/fold-run.ts';
import { learntFrom } from '../../app/learnt.ts';
import { openHere } from '../../app/open-project.ts';
import type { Terminal } from '../terminal.ts';
import { CLOCK } from '../../app/local-parts.ts';

export interface ExplainFlags {
  readonly run: string | undefined;
  readonly json: boolean;
}

/** `heddle explain`: which tokens a task waits for, who holds them, and when they are expected. */
export function explain(terminal: Terminal, task: string, { run, json }: ExplainFlags): ExitCode {
  const { store } = openHere('read');
  const record = chooseRun(store, run);
  const folded = foldRun(store, record);
  const compiled = taskOf(folded, task);
  const now = Math.max(CLOCK.now(), folded.state.run.now);
  // Carrying on uses the state up, so it gets one of its own.
  const expected = simulateOn(foldRun(store, record).state, { now, learnt: learntFrom(store, folded.compiled) });
  store.close();
  const given = { inputs: folded.state.run.inputs, env: {} };
  const explanation = explainTask(folded.state, compiled, { now, given, expected });
  if (json)
    terminal.out(JSON.stringify({ ...explanation, run: record.run, now, expected: asData(explanation) }, undefined, 2));
  else terminal.out(explanationLines(terminal, explanation, { now }).join('\n'));
  return EXIT.done;
}

/** Maps do not show in JSON. */
function asData({ expected }: ReturnType<typeof explainTask>): unknown {
  return expected === undefined ? undefined : { ...expected, steps: Object.fromEntries(expected.steps) };
}
