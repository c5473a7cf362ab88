import { learntHere } from '../../app/learnt.ts';
import { loadPlanToRun, planOf, type LoadedPlan } from '../../app/plan/load-plan.ts';
import { readText } from '../../app/plan/read-file.ts';
import type { SettingsFlags } from '../../app/plan/settings-flags.ts';
import { compile } from '../../core/compile/compile.ts';
import type { Compiled } from '../../core/compile/compiled.ts';
import { readPnml } from '../../core/net/pnml/read-pnml.ts';
import { overlapsOf, type Overlaps } from '../../core/plan/check/files-overlap.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { FAILURE_SHARE_DEFAULT, forecast, SPREAD_DEFAULT, type Forecast } from '../../core/simulate/forecast.ts';
import { prepare } from '../../core/simulate/prepare.ts';
import { verify, type Verification } from '../../core/verify/verify.ts';
import { eligibilityOf, type Eligibility } from '../../core/view/eligibility.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { paint, type Terminal } from '../terminal.ts';
import { helpOn, printDiagnostics } from '../text/diagnostic-text.ts';
import { eligibilityLines, overlapLines } from '../text/eligibility-text.ts';
import { criticalLines, forecastLines } from '../text/forecast-text.ts';
import { checkLines, proofAsData, verdictLines, type Proof } from '../text/proof-text.ts';
import { plural } from '../text/rows.ts';

export type CheckFlags = SettingsFlags & { readonly seed: number; readonly json: boolean; readonly proof: boolean };

interface Checked {
  readonly plan: Plan;
  readonly compiled: Compiled;
  readonly proof: Proof;
  readonly eligibility: Eligibility;
  readonly overlaps: Overlaps;
  /** Of a plan that is proved to finish; there is nothing to forecast of one that is not. */
  readonly forecast: Forecast | undefined;
}

/** `heddle check`: everything that can be known of a plan before the first dollar. */
export async function check(terminal: Terminal, file: string | undefined, flags: CheckFlags): Promise<ExitCode> {
  const loaded = loadPlanToRun(file, flags);
  const plan = planOf(loaded);
  const checked = plan === undefined ? undefined : await checkPlan(plan, flags.seed);
  if (flags.json) terminal.out(JSON.stringify(asData(loaded, checked), undefined, 2));
  else printChecked(terminal, loaded, checked && { ...checked, showsProof: flags.proof });
  return checked === undefined || isUnsound(checked.proof) ? EXIT.wrong : EXIT.done;
}

async function checkPlan(plan: Plan, seed: number): Promise<Checked> {
  const compiled = compile(plan);
  const start = performance.now();
  const verification = verify(compiled.net);
  const proof: Proof = { net: compiled.net, verification, ms: performance.now() - start };
  const forecasting = { spread: SPREAD_DEFAULT, failureShare: FAILURE_SHARE_DEFAULT };
  return {
    plan,
    compiled,
    proof,
    eligibility: eligibilityOf(compiled),
    overlaps: overlapsOf(plan),
    forecast: isUnsound(proof)
      ? undefined
      : forecast(compiled, prepare(compiled, { learnt: await learntHere(compiled), seed }), forecasting),
  };
}

const POOLS_NAMED_MAX = 4;

const poolWords = ({ pools }: Plan): readonly string[] =>
  pools.length > POOLS_NAMED_MAX ? [plural(pools.length, 'pool')] : pools.map(({ name, size }) => `${name} ${size}`);

const isUnsound = ({ verification }: Proof): boolean =>
  verification.type === 'workflow' && verification.verdict.type === 'unsound';

type Shown = Checked & { readonly showsProof: boolean };

function printChecked(terminal: Terminal, loaded: LoadedPlan, checked: Shown | undefined): void {
  printDiagnostics(terminal, loaded.diagnostics, loaded.texts);
  if (checked === undefined) return;
  const { plan, compiled, proof, eligibility, overlaps, forecast: predicted } = checked;
  const steps = compiled.tasks.reduce((sum, task) => sum + task.steps.length, 0);
  const working = compiled.tasks.filter(({ task }) => task.type !== 'subplan').length;
  const counts = [plural(working, 'task'), plural(steps, 'step'), `${plan.cap} at once`, ...poolWords(plan)];
  const sections = [
    [
      `${paint(terminal, 'strong', plan.name)}  ${counts.join(' · ')}`,
      ...verdictLines(terminal, proof),
      ...(checked.showsProof ? checkLines(terminal, proof.verification) : []),
    ],
    eligibilityLines(terminal, eligibility),
    overlapLines(terminal, overlaps),
    predicted === undefined ? [] : criticalLines(terminal, predicted),
    predicted === undefined ? [] : forecastLines(terminal, plan, predicted),
  ];
  terminal.out(
    sections
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n'),
  );
}

function asData(loaded: LoadedPlan, checked: Checked | undefined): unknown {
  const { file } = loaded;
  const diagnostics = loaded.diagnostics.map((diagnostic) => ({ ...diagnostic, help: helpOn(diagnostic.code) }));
  if (checked === undefined) return { file, ok: false, diagnostics };
  const { plan, compiled, proof, eligibility, overlaps, forecast: predicted } = checked;
  const tasks = compiled.tasks.map(({ task, needs, steps }) => ({
    task: task.path,
    type: task.type,
    needs: needs.map((need) => compiled.tasks[need]?.task.path),
    steps: steps.map(({ step }) => step.id),
  }));
  return {
    file,
    ok: !isUnsound(proof),
    plan: plan.name,
    diagnostics,
    proof: proofAsData(proof),
    tasks,
    eligibility,
    overlaps,
    forecast: predicted,
  };
}

export interface NetCheckFlags {
  readonly json: boolean;
  readonly markings: number | undefined;
}

/** `heddle net check`: proves things of a P/T net read from PNML. */
export function netCheck(terminal: Terminal, file: string, { json, markings }: NetCheckFlags): ExitCode {
  const { net, problems } = readPnml(readText(file));
  if (net === undefined) {
    if (json) terminal.out(JSON.stringify({ file, problems }, undefined, 2));
    else
      for (const { message, line, column } of problems)
        terminal.err(`${file}:${line}:${column} ${paint(terminal, 'bad', 'error')} ${message}`);
    return EXIT.wrong;
  }
  const start = performance.now();
  const verification = verify(net, markings === undefined ? {} : { limits: { markingsMax: markings } });
  const proof: Proof = { net, verification, ms: performance.now() - start };
  if (json) terminal.out(JSON.stringify({ file, ...proofAsData(proof) }, undefined, 2));
  else terminal.out([...verdictLines(terminal, proof), ...checkLines(terminal, verification)].join('\n'));
  return exitOf(verification);
}

/** A question that a limit left open is told apart from one that was answered. */
function exitOf(verification: Verification): ExitCode {
  if (verification.type === 'general') {
    return verification.checks.some(({ result }) => result === 'unknown') ? EXIT.ceiling : EXIT.done;
  }
  switch (verification.verdict.type) {
    case 'sound':
      return EXIT.done;
    case 'unsound':
      return EXIT.wrong;
    case 'unknown':
      return EXIT.ceiling;
  }
}
