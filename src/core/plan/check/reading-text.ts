// A text that is being read, and how to speak about it.

import type { FindingCode } from './check-codes.ts';
import type { Report } from './plan-finding.ts';
import type { Names } from './known-names.ts';
import type { NeedsIndex } from './needs-index.ts';
import type { PlacedText } from './scope-of-text.ts';

export interface ReadingText {
  readonly needs: NeedsIndex;
  readonly names: Names;
  readonly report: Report;
  readonly placed: PlacedText;
}

interface Said {
  readonly code: FindingCode;
  readonly severity?: 'error' | 'warning';
  readonly message: string;
  readonly hint: string;
}

export function say({ report, placed }: ReadingText, said: Said): void {
  report({ ...said, path: placed.path() });
}
