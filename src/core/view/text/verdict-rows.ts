// The verdict of the verifier on a plan or on any net, in one to three rows.
import { placeCount, transitionCount, type Named, type Net } from '../../net/net.ts';
import { explainTrace } from '../../verify/explain-trace.ts';
import type { GeneralVerification } from '../../verify/general.ts';
import type { Verification } from '../../verify/verify.ts';
import type { WorkflowVerification } from '../../verify/workflow.ts';
import { plural } from './count-text.ts';
import type { TextRow } from './styled-text.ts';

export interface ProvedNet {
  readonly net: Net<Named, Named>;
  readonly verification: Verification;
  readonly ms: number;
}

export function verdictRows({ net, verification, ms }: ProvedNet): readonly TextRow[] {
  const size = `${plural(placeCount(net), 'place')}, ${plural(transitionCount(net), 'transition')}, ${Math.ceil(ms)} ms`;
  return verification.type === 'workflow'
    ? workflowVerdict(net, verification, size)
    : generalVerdict(verification, size);
}

function workflowVerdict(net: Net<Named, Named>, { verdict }: WorkflowVerification, size: string): readonly TextRow[] {
  switch (verdict.type) {
    case 'sound': {
      const how =
        verdict.by === 'reduction'
          ? 'proved by reduction'
          : `proved by searching ${plural(verdict.markings, 'marking')}`;
      return [[['good', 'Sound'], '  it can always finish, and finishes clean'], [['quiet', `  ${how}: ${size}`]]];
    }
    case 'unsound':
      return [
        [['bad', 'Unsound'], `  ${verdict.finding.code}: ${verdict.finding.sentence}`],
        [`  ${explainTrace(verdict.finding, net)}`],
        [['quiet', `  heddle help ${verdict.finding.code} says more.`]],
      ];
    case 'unknown':
      return [[['warn', 'Unknown'], `  ${verdict.sentence} `, ['quiet', `(${size})`]]];
  }
}

function generalVerdict({ properties: { markings } }: GeneralVerification, size: string): readonly TextRow[] {
  const count = markings.isAll ? plural(markings.count, 'marking') : `more than ${plural(markings.count, 'marking')}`;
  return [[`Not a workflow net: it has ${count} `, ['quiet', `(${size})`]]];
}
