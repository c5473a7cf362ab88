import { checkedPlan, isUnsound, type PlanCheck } from '../../app/plan/checked-plan.ts';
import { loadPlanToRun, planOf, type LoadedPlan } from '../../app/plan/load-plan.ts';
import { readText } from '../../app/plan/read-file.ts';
import type { SettingsFlags } from '../../app/plan/settings-flags.ts';
import { readPnml } from '../../core/net/pnml/read-pnml.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { runCapOf } from '../../core/plan/run-cap.ts';
import type { CheckCode } from '../../core/verify/net-finding.ts';
import { verify, type Verification } from '../../core/verify/verify.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import type { AgentServers } from '../../app/plan/isolated-servers.ts';
import { missingServers } from '../../app/plan/missing-servers.ts';
import { missingServerLines, unpricedLines, helpOn, printDiagnostics } from '../text/diagnostic-text.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { criticalLines, forecastLines, historyLines } from '../text/forecast-text.ts';
import { checkLines, proofAsData, verdictLines } from '../text/proof-text.ts';
import type { ProvedNet } from '../../core/view/text/verdict-rows.ts';
import { plural } from '../../core/view/text/count-text.ts';
import { eligibilityLines, overlapLines } from '../text/plan-lines.ts';

export type CheckFlags = SettingsFlags & { readonly seed: number; readonly json: boolean; readonly proof: boolean };

/** `heddle check`: everything that can be known of a plan before the first dollar. */
export async function check(terminal: Terminal, file: string | undefined, flags: CheckFlags): Promise<ExitCode> {
  const loaded = loadPlanToRun(file, flags);
  const plan = planOf(loaded);
  const checked = plan === undefined ? undefined : await checkedPlan(plan, flags.seed);
  const servers = plan === undefined ? [] : await missingServers(plan);
  if (flags.json) terminal.out(JSON.stringify(asData(loaded, checked, servers), undefined, 2));
  else printChecked(terminal, loaded, checked && { ...checked, servers, showsProof: flags.proof });
  return checked === undefined || isUnsound(checked.proof) ? EXIT.wrong : EXIT.done;
}

const POOLS_NAMED_MAX = 4;

const poolWords = ({ pools }: Plan): readonly string[] =>
  pools.length > POOLS_NAMED_MAX ? [plural(pools.length, 'pool')] : pools.map(({ name, size }) => `${name} ${size}`);

type Shown = PlanCheck & { readonly showsProof: boolean; readonly servers: readonly AgentServers[] };

function printChecked(terminal: Terminal, loaded: LoadedPlan, checked: Shown | undefined): void {
  printDiagnostics(terminal, loaded.diagnostics, loaded.texts);
  if (checked === undefined) return;
  const { plan, compiled, proof, eligibility, overlaps, forecast: predicted } = checked;
  const steps = compiled.tasks.reduce((sum, task) => sum + task.steps.length, 0);
  const working = compiled.tasks.filter(({ task }) => task.type !== 'subplan').length;
  const counts = [plural(working, 'task'), plural(steps, 'step'), `${runCapOf(plan)} at once`, ...poolWords(plan)];
  const sections = [
    [
      `${paint(terminal, 'strong', plan.name)}  ${counts.join(' · ')}`,
      ...verdictLines(terminal, proof),
      ...(checked.showsProof ? checkLines(terminal, proof.verification) : []),
    ],
    eligibilityLines(terminal, eligibility),
    overlapLines(terminal, overlaps),
    predicted === undefined ? [] : criticalLines(terminal, predicted),
    predicted === undefined ? [] : [...forecastLines(terminal, plan, predicted), ...historyLines(terminal, checked)],
    unpricedLines(terminal, loaded.unpriced),
    missingServerLines(terminal, checked.servers),
  ];
  terminal.out(
    sections
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n'),
  );
}

function asData(loaded: LoadedPlan, checked: PlanCheck | undefined, servers: readonly AgentServers[]): unknown {
  const { file } = loaded;
  const diagnostics = loaded.diagnostics.map((diagnostic) => ({ ...diagnostic, help: helpOn(diagnostic.code) }));
  if (checked === undefined) return { file, ok: false, diagnostics };
  const { plan, compiled, proof, eligibility, overlaps, forecast: predicted, contradictions, record } = checked;
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
    unpriced: loaded.unpriced,
    missingServers: servers,
    proof: proofAsData(proof),
    tasks,
    eligibility,
    overlaps,
    forecast: predicted,
    contradictions,
    record,
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
  const proof: ProvedNet = { net, verification, ms: performance.now() - start };
  if (json) terminal.out(JSON.stringify({ file, ...proofAsData(proof) }, undefined, 2));
  else terminal.out([...verdictLines(terminal, proof), ...checkLines(terminal, verification)].join('\n'));
  return exitOf(verification);
}

/** The checks whose failure is a fault in a net that is no workflow net. */
const FAULTS: ReadonlySet<CheckCode> = new Set(['bounded', 'deadlock-free', 'quasi-live']);

/** The exit codes of `heddle check`; an inconclusive proof has its own. */
function exitOf(verification: Verification): ExitCode {
  if (verification.type === 'general') {
    const { checks } = verification;
    if (checks.some(({ code, result }) => result === 'fails' && FAULTS.has(code))) return EXIT.wrong;
    return checks.some(({ result }) => result === 'unknown') ? EXIT.ceiling : EXIT.done;
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
