// Verifies a net before a run starts.
//
// A workflow net is sound, unsound with one finding, or unknown with the limit that was reached. For any other net, a
// few properties are checked.

import type { Named, Net } from '../net/net.ts';
import { flatten } from './search/flat-net.ts';
import { verifyGeneral, type GeneralVerification } from './general.ts';
import { SEARCH_LIMITS, type SearchLimits } from './search/explore.ts';
import { workflowShape } from './workflow-shape.ts';
import { verifyWorkflow, type WorkflowVerification } from './workflow.ts';

/** How far the proof may search. */
export interface VerifyOptions {
  readonly limits?: Partial<SearchLimits>;
}

/** What was proved of a net, or found wrong with it. */
export type Verification = WorkflowVerification | GeneralVerification;

/** Proves that a net can always finish, or shows how it gets stuck. */
export function verify(net: Net<Named, Named>, options: VerifyOptions = {}): Verification {
  const limits = { ...SEARCH_LIMITS, ...options.limits };
  const shape = workflowShape(flatten(net));
  return shape === undefined ? verifyGeneral(net, limits) : verifyWorkflow({ net, shape, limits });
}
