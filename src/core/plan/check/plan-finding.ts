// Something that examining a plan found, before it is given a place in the text.

import type { SourcePath } from '../diagnostic.ts';
import type { FindingCode } from './check-codes.ts';

export interface Finding {
  readonly code: FindingCode;
  /** Absent means error. */
  readonly severity?: 'error' | 'warning';
  readonly path: SourcePath;
  readonly message: string;
  readonly hint: string;
}

export type Report = (finding: Finding) => void;
