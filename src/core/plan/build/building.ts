// What is shared while a plan is built from what its author declared.

import type { Diagnostic, SourcePath } from '../diagnostic.ts';
import type { Agent } from '../plan.ts';
import type { KeptScope } from '../settings/explain-settings.ts';
import { offsetOf } from '../source/source-node.ts';
import type { SourceNode } from '../source/source-node.ts';
import { report } from '../source/source-reader.ts';
import type { Reading } from '../source/source-reader.ts';

/** JSON Schemas that were read for `$ref`, by the ref as written; undefined for one that could not be read. */
export type Schemas = ReadonlyMap<string, unknown>;

export interface Building {
  readonly reading: Reading;
  readonly root: SourceNode;
  readonly schemas: Schemas;
  readonly agents: ReadonlyMap<string, Agent>;
  /** Dotted paths of all tasks. */
  readonly paths: ReadonlySet<string>;
  /** For those who ask where settings came from; undefined when nobody does. */
  readonly kept: Map<string, KeptScope> | undefined;
  /** Prompts that no agent was named for. */
  readonly orphans: SourcePath[];
}

export type Said = Pick<Diagnostic, 'code' | 'message' | 'hint'> & { readonly severity?: Diagnostic['severity'] };

/** Reports at a place in the plan, or at the nearest place around it that exists. */
export function reportAtPath(
  at: { readonly reading: Reading; readonly root: SourceNode },
  path: SourcePath,
  said: Said,
): void {
  report(at.reading, { ...said, path, offset: offsetOf(at.root, path) });
}
