// What hears a program's output and says, when it has ended, what came of the claim.
import type { WorkOutcome } from '../../../core/protocol/work-outcome.ts';
import type { JsonSchema } from '../../../core/plan/plan.ts';
import type { Ended } from '../../exec/supervised-process.ts';
import type { OnOutput } from '../../exec/streams.ts';

export interface Judge {
  /** What people are to see of it. */
  readonly hear: (...output: Parameters<OnOutput>) => Buffer;
  /** All has been heard; what is left for people to see. */
  readonly end: () => Buffer;
  /** Whether something works that is not to be taken for silence: a tool of the agent's. */
  readonly isBusy: () => boolean;
  /** `hasChanges` looks whether the step has made anything, as far as that can be known. */
  readonly judge: (ended: Ended, hasChanges: () => Promise<boolean | undefined>) => Promise<WorkOutcome>;
}

/** Says in a sentence why a value is not of a schema; undefined when it is. */
export type Fits = (schema: JsonSchema, value: unknown) => Promise<string | undefined>;
