// The checks and the verdict of the verifier, for a plan or for any net.
import { placeCount, transitionCount, type Named, type Net } from '../../core/net/net.ts';
import { explainTrace } from '../../core/verify/explain-trace.ts';
import type { GeneralVerification } from '../../core/verify/general.ts';
import type { Verification } from '../../core/verify/verify.ts';
import type { WorkflowVerification } from '../../core/verify/workflow.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { helpOn } from './diagnostic-text.ts';
import { plural } from '../../core/view/text/count-text.ts';

export interface Proof {
  readonly net: Net<Named, Named>;
  readonly verification: Verification;
  readonly ms: number;
}

/** The verdict in one or two lines. */
export function verdictLines(terminal: Terminal, proof: Proof): readonly string[] {
  const { net, verification } = proof;
  const size = `${plural(placeCount(net), 'place')}, ${plural(transitionCount(net), 'transition')}, ${Math.ceil(proof.ms)} ms`;
  return verification.type === 'workflow'
    ? workflowVerdict(terminal, proof.net, { verification, size })
    : generalVerdict(terminal, verification, size);
}

function workflowVerdict(
  terminal: Terminal,
  net: Net<Named, Named>,
  { verification, size }: { verification: WorkflowVerification; size: string },
): readonly string[] {
  const { verdict } = verification;
  switch (verdict.type) {
    case 'sound': {
      const how =
        verdict.by === 'reduction'
          ? 'proved by reduction'
          : `proved by searching ${plural(verdict.markings, 'marking')}`;
      return [
        `${paint(terminal, 'good', 'Sound')}  it can always finish, and finishes clean`,
        paint(terminal, 'quiet', `  ${how}: ${size}`),
      ];
    }
    case 'unsound':
      return [
        `${paint(terminal, 'bad', 'Unsound')}  ${verdict.finding.code}: ${verdict.finding.sentence}`,
        `  ${explainTrace(verdict.finding, net)}`,
        paint(terminal, 'quiet', `  ${helpOn(verdict.finding.code)} says more.`),
      ];
    case 'unknown':
      return [`${paint(terminal, 'warn', 'Unknown')}  ${verdict.sentence} ${paint(terminal, 'quiet', `(${size})`)}`];
  }
}

function generalVerdict(
  terminal: Terminal,
  { properties: { markings } }: GeneralVerification,
  size: string,
): readonly string[] {
  const count = markings.isAll ? plural(markings.count, 'marking') : `more than ${plural(markings.count, 'marking')}`;
  return [`Not a workflow net: it has ${count} ${paint(terminal, 'quiet', `(${size})`)}`];
}

const SIGNS = { holds: ['good', 'yes'], fails: ['bad', 'no'], unknown: ['warn', '?'] } as const;

/** One line per check, in order. */
export function checkLines(terminal: Terminal, { checks }: Verification): readonly string[] {
  const width = Math.max(...checks.map(({ title }) => title.length));
  return checks.map(({ title, result, sentence }) => {
    const [style, sign] = SIGNS[result];
    return `  ${paint(terminal, style, sign.padEnd(3))}  ${title.padEnd(width)}  ${paint(terminal, 'quiet', sentence)}`;
  });
}

/** The verification for programs, with the trace to a fault in names too. */
export function proofAsData({ net, verification }: Proof): object {
  const verdict = verification.type === 'workflow' ? verification.verdict : undefined;
  const finding = verdict?.type === 'unsound' ? verdict.finding : undefined;
  return {
    places: placeCount(net),
    transitions: transitionCount(net),
    ...verification,
    trace: finding?.trace?.map((transition) => net.transitions[transition]?.id),
    help: finding === undefined ? undefined : helpOn(finding.code),
  };
}
