// The report of a run, from its log and its workers' files, without the secrets of this environment.
import type { Compiled } from '../../core/compile/compiled.ts';
import { redacted } from '../../core/view/report/redacted.ts';
import { reportOf, type Report } from '../../core/view/report/run-report.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { foldRun, type FoldedRun } from '../fold-run.ts';
import { artifactsIn } from '../local-parts.ts';
import type { OpenProject } from '../open-project.ts';
import { gitOf } from '../git-parts.ts';
import type { Usage } from '../../core/protocol/result.ts';
import { nameOfClaim, nameOfMerge, type KeptForReport, type TurnKept } from '../../core/view/report/kept.ts';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import { claimSpans, type ClaimSpan } from '../../core/view/report/claim-spans.ts';
import { failingClaims } from '../../core/view/report/tasks.ts';
import type { LocalArtifacts } from '../../shell/ports/artifacts.ts';
import { mergeOutputs } from './merge-outputs.ts';
import { outputEndOf, recordOf } from './output-reader.ts';
import { secretsIn } from '../../shell/host/worker/redact.ts';
import { stepEnvironment } from '../given-for.ts';

export interface ReadReport {
  readonly report: Report;
  /** The current plan. */
  readonly compiled: Compiled;
}

export async function readReport(open: OpenProject, record: RunRecord): Promise<ReadReport> {
  const folded = foldRun(open.store, record);
  const { compiled, state, events } = folded;
  const { run, file } = record;
  const given = { inputs: state.run.inputs, env: {} };
  const kept = await keptOf(open, folded);
  const report = reportOf({ run, file, compiled, state, events, given, kept });
  return { compiled, report: redacted(report, secretsIn(stepEnvironment())) };
}

/** Outputs of failures beyond this many are left where they are. */
const OUTPUTS_MAX = 100;

/** Files of a run besides its log: outputs of failed tasks, files of turns, commits. */
async function keptOf({ project, store }: OpenProject, folded: FoldedRun): Promise<KeptForReport> {
  const { record, compiled, events, state } = folded;
  const { run } = record;
  const { base, author, startedAt, now } = state.run;
  const spans = claimSpans(compiled, events);
  const failing = [...failingClaims({ state, spans, nowMs: now - startedAt }).values()];
  const artifacts = artifactsIn(project);
  const { target, settings } = compiled.plan;
  const { home, root } = project;
  const ofRun = { home, project: root, run, target, author, commits: settings.merge.commits };
  const summary = base === undefined ? undefined : await gitOf({ ...ofRun, base });
  const quoted = failing.slice(0, OUTPUTS_MAX);
  const printed = mapOf(
    quoted.filter(({ type }) => type !== 'merge'),
    (span) => endingOf(artifacts, run, claimOf(span)),
  );
  const merging = quoted.filter(({ type }) => type === 'merge').map(({ task }) => task);
  const merged = await mergeOutputs(project, run, merging);
  return {
    outputs: new Map([...printed, ...[...merged].map(([task, text]) => [nameOfMerge(task), text] as const)]),
    turns: mapOf(
      spans.filter(({ agent }) => agent !== undefined),
      (span) => turnIn(recordOf({ artifacts, run, claim: claimOf(span) }, 'turn')),
    ),
    git: summary?.type === 'known' ? summary.git : undefined,
    gitSays: summary?.type === 'unknown' ? summary.says : undefined,
    owners: store.ownersOf(run),
  };
}

function mapOf<Value>(
  claims: readonly ClaimSpan[],
  read: (claim: ClaimSpan) => Value | undefined,
): ReadonlyMap<string, Value> {
  return new Map(
    claims.flatMap((claim) => {
      const value = read(claim);
      return value === undefined ? [] : [[nameOfClaim(claim), value] as const];
    }),
  );
}

const claimOf = ({ type: work, task, step, attempt }: ClaimSpan): ClaimRef => ({ work, task, step, attempt });

const OUTPUT_BYTES = 16_384;

/** Undefined when it printed nothing. */
function endingOf(artifacts: LocalArtifacts, run: string, claim: ClaimRef): string | undefined {
  const text = outputEndOf(artifacts, { run, claim, name: 'output' }, OUTPUT_BYTES);
  return text === undefined || text.trim() === '' ? undefined : text;
}

function turnIn(record: ReturnType<typeof recordOf>): TurnKept | undefined {
  if (record === undefined) return undefined;
  const { agent, usage } = record;
  const model: unknown = typeof agent === 'object' && agent !== null && 'model' in agent ? agent.model : undefined;
  return { model: typeof model === 'string' ? model : undefined, usage: usageIn(usage) };
}

function usageIn(value: unknown): Usage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const numberAt = (name: string): number | undefined => {
    const found: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
    return typeof found === 'number' ? found : undefined;
  };
  const [input, output] = [numberAt('input'), numberAt('output')];
  if (input === undefined || output === undefined) return undefined;
  return { input, output, cached: numberAt('cached') ?? 0, usd: numberAt('usd') };
}
